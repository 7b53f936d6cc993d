import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RegisterRoutes } from '../../server/src/platform/http/router.ts';
import { type HttpApp, type HttpAppOptions, startHttpApp } from '../support/http-app.ts';
import { openRaw } from '../support/raw-http.ts';

/** Shows what arrived. */
const probes: RegisterRoutes = (router) => {
  router.get('/echo', (context) => {
    context.body = { path: context.path, query: context.querystring, ip: context.ip };
  });
  router.post('/webhook', (context) => {
    context.body = { done: true };
  });
};

let app: HttpApp;
beforeAll(async () => {
  app = await startHttpApp({ routes: [probes] });
});
afterAll(() => app.stop());

describe('X-Request-Id', () => {
  const idOf = async (given: string) =>
    (await app.fetch('/echo', { headers: { 'X-Request-Id': given } })).headers.get('x-request-id');

  test.each(['abc', '4bf92f3577b34da6a3ce929d0e0e4736', 'a:b/c+d=e@f.g_h-i', 'x'.repeat(128)])(
    '%s is echoed',
    async (given) => {
      expect(await idOf(given)).toBe(given);
    },
  );

  test.each(['has blank', '<b>', 'x'.repeat(129), 'a"b'])('%s is replaced', async (given) => {
    expect(await idOf(given)).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('the path', () => {
  const pathOf = async (server: HttpApp, target: string) => {
    const connection = await openRaw(server.port);
    connection.send(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    const { status, body } = await connection.answer();
    return status === 200 ? JSON.parse(body) : status;
  };

  test.each(['/echo', '//echo', '///echo//', 'http://elsewhere.example/echo', 'http://elsewhere.example//echo'])(
    '%s is /echo',
    async (target) => {
      expect(await pathOf(app, `${target}?a=//b`)).toMatchObject({
        path: expect.stringMatching(/^\/echo\/?$/),
        query: 'a=//b',
      });
    },
  );

  test('takes POST //webhook without a redirect', async () => {
    const answer = await app.fetch('//webhook', { method: 'POST', redirect: 'manual' });
    expect([answer.status, await answer.json()]).toEqual([200, { done: true }]);
  });

  test('of BASE_URL is taken off, once, whether or not a proxy did so already', async () => {
    const inside = await startHttpApp({ basePath: '/tools/coverage', routes: [probes] });
    for (const target of ['/tools/coverage/echo', '/tools//coverage//echo', '//tools/coverage/echo', '/echo']) {
      expect(await pathOf(inside, target)).toMatchObject({ path: '/echo' });
    }
    for (const target of ['/tools/coverageecho', '/tools/coverage/tools/coverage/echo', '/tools/echo'])
      expect(await pathOf(inside, target)).toBe(404);
    const post = await inside.fetch('/tools/coverage', { method: 'POST' });
    expect(await post.json()).toEqual({
      message: expect.stringContaining('jobs go to /tools/coverage/api/v1/jobs'),
      error: true,
    });
    await inside.stop();
  });
});

describe('the log', () => {
  test('has one line per request, without the query', async () => {
    await app.fetch('/echo?repo_token=cvr_secret&t=badge', {
      headers: { 'X-Request-Id': 'one-line', Authorization: 'token hidden' },
    });
    const lines = app.lines.filter(({ fields }) => fields.request === 'one-line');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toEqual({
      level: 'info',
      fields: {
        request: 'one-line',
        method: 'GET',
        path: '/echo',
        status: 200,
        ms: expect.any(Number),
        ip: '127.0.0.1',
      },
      sentence: 'answered',
    });
    expect(JSON.stringify(app.lines)).not.toMatch(/cvr_secret|badge"|hidden/);
  });

  test('names the kind of failure', async () => {
    await app.fetch('/nothing', { headers: { 'X-Request-Id': 'a-failure' } });
    expect(app.lines.find(({ fields }) => fields.request === 'a-failure')?.fields).toMatchObject({
      status: 404,
      failure: 'not-found',
    });
  });
});

describe('the client address', () => {
  const ipOf = async (trust: HttpAppOptions, forwarded: string) => {
    const server = await startHttpApp({ ...trust, routes: [probes] });
    const answer = await server.fetch('/echo', { headers: { 'X-Forwarded-For': forwarded } });
    await server.stop();
    return ((await answer.json()) as { ip: string }).ip;
  };
  const networks = (...list: string[]) => ({ trustProxy: { kind: 'networks', networks: list } as const });
  const hops = (count: number) => ({ trustProxy: { kind: 'hops', hops: count } as const });

  test.each([
    [{}, '203.0.113.9', '127.0.0.1'],
    [networks('10.0.0.0/8'), '203.0.113.9', '127.0.0.1'],
    [networks('loopback'), '203.0.113.9', '203.0.113.9'],
    [networks('loopback', '10.0.0.0/8'), '1.1.1.1, 203.0.113.9, 10.1.2.3', '203.0.113.9'],
    [networks('127.0.0.1'), '1.1.1.1, 203.0.113.9', '203.0.113.9'],
    [networks('loopback', '2001:db8::/32'), '2001:db9::1, [2001:db8::5]:443', '2001:db9::1'],
    [networks('loopback'), '203.0.113.9:8080', '203.0.113.9'],
    [networks('loopback'), '1.1.1.1, <script>', '127.0.0.1'],
    [hops(1), '1.1.1.1, 203.0.113.9', '203.0.113.9'],
    [hops(2), '1.1.1.1, 203.0.113.9', '1.1.1.1'],
    [hops(5), '1.1.1.1, 203.0.113.9', '1.1.1.1'],
  ])('under %j with %s is %s', async (trust, forwarded, expected) => {
    expect(await ipOf(trust, forwarded)).toBe(expected);
  });
});
