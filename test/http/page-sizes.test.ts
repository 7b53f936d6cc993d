import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { putLargeBuild } from '../support/large-build.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
let repo: string;
let build: string;
beforeAll(async () => {
  service = await startService();
  const { id, name } = await service.newRepo();
  repo = `/manual/${name}`;
  build = `/builds/${(await putLargeBuild(service.store, id, { flags: 130, jobs: 12 })).id}`;
});
afterAll(() => service.stop());
afterEach(() => vi.restoreAllMocks());

/** Another one a second later. */
const TIME = /<time [^>]*>[^<]*/g;

interface Raw {
  readonly status: number | undefined;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: Buffer;
}

/** An answer as it was sent, which `fetch` would unpack. */
function get(path: string, headers: Readonly<Record<string, string>>, method = 'GET'): Promise<Raw> {
  const all = { authorization: `token ${service.adminToken}`, accept: 'text/html', ...headers };
  return new Promise((resolve, reject) => {
    request(service.url + path, { method, headers: all }, async (answer) => {
      const parts: Buffer[] = [];
      for await (const part of answer) parts.push(part as Buffer);
      resolve({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(parts) });
    })
      .on('error', reject)
      .end();
  });
}

describe('a page', () => {
  test.each([
    ['br', 'gzip, deflate, br, zstd', brotliDecompressSync],
    ['gzip', 'gzip, deflate', gunzipSync],
  ])('is sent as %s to anybody who takes that, and is the same page', async (encoding, accepted, unpack) => {
    const plain = await get(build, { 'accept-encoding': 'identity' });
    const { status, headers, body } = await get(build, { 'accept-encoding': accepted });
    expect([status, headers['content-encoding'], headers.vary]).toEqual([200, encoding, 'Accept, Accept-Encoding']);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(unpack(body).toString().replaceAll(TIME, '')).toBe(plain.body.toString().replaceAll(TIME, ''));
    expect(body.length).toBeLessThan(plain.body.length / 8);
  });

  test.each([
    ['nothing', {}],
    ['identity alone', { 'accept-encoding': 'identity' }],
    ['what we have not', { 'accept-encoding': 'zstd, br;q=0' }],
  ])('is sent as it is to anybody who takes %s', async (_, headers) => {
    const answer = await get(build, headers);
    expect([answer.status, answer.headers['content-encoding']]).toEqual([200, undefined]);
    expect(answer.headers.vary).toBe('Accept, Accept-Encoding');
    expect(answer.body.toString()).toMatch(/^<!doctype html>.*<\/html>$/s);
  });

  test('answers HEAD as GET, without a body', async () => {
    const { status, headers, body } = await get(build, { 'accept-encoding': 'br' }, 'HEAD');
    expect([status, headers['content-encoding'], body.length]).toEqual([200, 'br', 0]);
  });

  test('does not tell a token by its length: with a cookie it ends with a comment of random length', async () => {
    const cookie = `coverage_session=${randomBytes(16).toString('hex')}`;
    const ends = [];
    for (let n = 0; n < 12; n += 1) {
      const { body } = await get(build, { 'accept-encoding': 'gzip', cookie });
      ends.push(/<\/html><!-- ([\da-f]+) -->$/.exec(gunzipSync(body).toString())?.[1]);
    }
    expect(ends).not.toContain(undefined);
    expect(new Set(ends.map((end) => end?.length)).size).toBeGreaterThan(3);
  });

  test('has its style sheet and its script compressed as well', async () => {
    const html = (await get(build, {})).body.toString();
    const assets = [...html.matchAll(/\/assets\/(?:style|page)-[\da-f]+\.(?:css|js)/g)].map(([path]) => path);
    expect(assets).toHaveLength(2);
    for (const path of assets) {
      const answer = await get(path, { 'accept-encoding': 'gzip' });
      expect(answer.headers['content-encoding']).toBe('gzip');
      expect(gunzipSync(answer.body).toString()).toBe((await get(path, {})).body.toString());
    }
  });
});

describe('the page of a repo asks for one list of builds', () => {
  const listsOf = async (query: string) => {
    const [list, pulls] = [vi.spyOn(service.store.views, 'list'), vi.spyOn(service.store.views, 'pullHeads')];
    expect((await get(repo + query, {})).status).toBe(200);
    return [list.mock.calls.map(([{ limit }]) => limit), pulls.mock.calls.map(([, among]) => among)];
  };

  test.each([
    ['and for those of pull requests among the newest', '', [10], [200]],
    ['on a later page, which names none', '?page=2', [10], []],
    ['of one branch', '?branch=main', [10], []],
    ['and one to look through, where something is sought', '?q=odd+title', [10, 200, 200], []],
  ])('%s', async (_, query, limits, pulls) => {
    expect(await listsOf(query)).toEqual([limits, pulls]);
  });
});
