import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Service, startService } from '../support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService({ env: { BASE_URL: 'https://ci.example/coverage' } });
});
afterAll(() => service.stop());

const HTML = { headers: { accept: 'text/html' } };

test('a page loads its own style sheet and script, and nothing may run or load besides', async () => {
  const { text, headers } = await service.api.send('/', HTML);
  const policy = headers.get('content-security-policy');
  expect(policy).toContain("default-src 'none'; style-src 'self'; script-src 'self';");
  expect(policy).not.toContain('unsafe');
  expect(text).not.toMatch(/<style| style=|<script(?![^>]* src=)/);
  const loaded = [...text.matchAll(/(?:href|src)="\/coverage(\/assets\/[^"]*)"/g)].map(([, path = '']) => path);
  expect(loaded).toHaveLength(3);
  const types = [];
  for (const path of loaded) {
    const asset = await service.api.send(path);
    expect(asset.status).toBe(200);
    expect(asset.headers.get('cache-control')).toContain('immutable');
    types.push(asset.headers.get('content-type')?.split(';')[0]);
    expect(gzipSync(asset.text).length).toBeLessThan(11_500);
  }
  expect(types.sort()).toEqual(['image/svg+xml', 'text/css', 'text/javascript']);
});

test('an asset of another version is not found', async () => {
  expect((await service.api.send('/assets/style-000000000000.css')).status).toBe(404);
});

test('a failure keeps the frame of all pages, and quotes what was asked for as text', async () => {
  // A stranger is led to the sign-in instead.
  const headers = { ...HTML.headers, authorization: `token ${service.adminToken}` };
  const { status, text } = await service.api.send('/builds/<script>alert(1)<%2Fscript>', { headers });
  expect(status).toBe(404);
  expect(text).toContain('<h1>Page not found</h1>');
  expect(text).toContain('&lt;script>alert(1)');
  expect(text).toContain('href="/coverage/" aria-label="Coverage, home"');
});
