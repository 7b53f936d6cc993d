import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Service, startService } from '../support/service.ts';

let app: Service;
let token: string;
beforeAll(async () => {
  app = await startService();
  ({ token } = await app.newRepo());
});
afterAll(() => app.stop());

const validate = (body: string | Uint8Array, authorization?: string) =>
  fetch(`${app.url}/api/v1/config/validate`, {
    method: 'POST',
    body: body as string,
    headers: { 'content-type': 'application/yaml', ...(authorization && { authorization }) },
  });

describe('POST /api/v1/config/validate', () => {
  test('a valid file, as it was read', async () => {
    const answer = await validate('total: { minimum: 80% }\nannotations: yes\n', `token ${token}`);
    expect([answer.status, await answer.json()]).toEqual([
      200,
      { valid: true, file: { total: { minimum: 80 }, annotations: true } },
    ]);
  });

  test('each problem with its place', async () => {
    const answer = await validate('uploads: 0\ntotal:\n  minumum: 80\n', `token ${token}`);
    expect([answer.status, await answer.json()]).toEqual([
      200,
      {
        valid: false,
        problems: [
          { line: 1, column: 10, message: '`uploads` must be a whole number from 1 to 1000, or `run`, not `0`.' },
          { line: 3, column: 3, message: '`minumum` isn’t a known key of `total`. Did you mean `minimum`?' },
        ],
      },
    ]);
  });

  test('strangers are told what needs no token', async () => {
    const answer = await validate('total: off');
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({
      message: 'Send a repo token or a personal token in the Authorization header. "coverage check-config" needs none.',
    });
  });

  test('more than 64 KiB', async () => {
    const answer = await validate(`#${'x'.repeat(64 * 1024)}`, `token ${token}`);
    expect([answer.status, await answer.json()]).toMatchObject([
      413,
      { message: 'A coverage.yml has at most 65536 bytes.' },
    ]);
  });
});

test('GET /coverage.schema.json is for everybody, and says where it is', async () => {
  const answer = await fetch(`${app.url}/coverage.schema.json`);
  expect(answer.headers.get('content-type')).toBe('application/schema+json; charset=utf-8');
  const schema = (await answer.json()) as { readonly $id: string; readonly properties: object };
  expect(schema.$id).toMatch(/^https?:\/\/.*\/coverage\.schema\.json$/);
  expect(Object.keys(schema.properties)).toContain('ignore_removed_code');
});
