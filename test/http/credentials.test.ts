import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ADMIN_TOKEN, type HttpApp, startHttpApp } from '../support/http-app.ts';

let app: HttpApp;
let alice: string;
beforeAll(async () => {
  app = await startHttpApp();
  alice = await app.tokenOf('alice');
});
afterAll(() => app.stop());

describe('credentials', () => {
  const ask = (authorization: string | undefined) =>
    app.fetch('/api/v1/repos/manual/a/b', {
      headers: authorization === undefined ? {} : { Authorization: authorization },
    });

  test('are needed', async () => {
    const answer = await ask(undefined);
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('token realm="coverage"');
    expect(await answer.json()).toEqual({
      message: expect.stringContaining('Authorization: token <personal token>'),
      error: true,
    });
  });

  test('may come with either scheme, in any case', async () => {
    for (const scheme of ['token', 'Token', 'Bearer', 'bearer', 'token  '])
      expect((await ask(`${scheme} ${alice}`)).status).toBe(404);
    expect((await ask(`Bearer ${ADMIN_TOKEN}`)).status).toBe(404);
  });

  test.each([
    ['token', 'has the scheme token and no token'],
    ['Basic YWxpY2U6cGFzc3dvcmQ=', 'has the scheme "Basic"'],
    [
      'token cvr_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
      'a repo token of this service; no personal token like it',
    ],
    ['token ghp_abcdefgh', 'a GitHub personal token; no personal token like it'],
    [
      'Bearer the-admin-token-of-these-testx',
      'a token of another kind; no personal token like it is known here (any more)',
    ],
  ])('that are wrong get 401 and are not repeated: %s', async (header, sentence) => {
    const answer = await ask(header);
    const text = await answer.text();
    expect(answer.status).toBe(401);
    expect(text).toContain(JSON.stringify(sentence).slice(1, -1));
    const secret = header.split(' ')[1];
    if (secret !== undefined) expect(text + JSON.stringify(app.lines)).not.toContain(secret);
  });

  test('that come alone are not repeated either', async () => {
    const answer = await ask(alice);
    expect(answer.status).toBe(401);
    expect(await answer.text()).not.toContain(alice.slice(4));
  });

  test('end when they are revoked', async () => {
    const token = await app.tokenOf('dora');
    expect((await ask(`token ${token}`)).status).toBe(404);
    const { id = 0 } = (await app.store.tokens.list()).find(({ user }) => user === 'dora') ?? {};
    await app.store.tokens.revoke(id, app.time.now);
    expect((await ask(`token ${token}`)).status).toBe(401);
  });

  test('are checked before the body is read', async () => {
    const answer = await app.fetch('/api/repos', { method: 'POST', body: '{broken' });
    expect(answer.status).toBe(401);
  });
});
