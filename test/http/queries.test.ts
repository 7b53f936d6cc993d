import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type HttpApp, startHttpApp } from '../support/http-app.ts';

let app: HttpApp;
beforeAll(async () => {
  app = await startHttpApp({
    routes: [
      (router) => {
        router.get('/query', (context) => {
          const { query, request } = context;
          // Koa keeps what its own parser made of a query.
          context.body = { query, byKoa: '_querycache' in request && request._querycache !== undefined };
        });
      },
    ],
  });
});
afterAll(() => app.stop());

const ask = async (query: string, path = '/query') => {
  const answer = await app.fetch(`${path}?${query}`);
  return { status: answer.status, json: (await answer.json()) as Record<string, unknown> };
};
const pairs = (count: number): string => 'a=1&'.repeat(count);

describe('a query', () => {
  test.each<[string, object]>([
    ['', {}],
    ['a=1', { a: '1' }],
    ['a', { a: '' }],
    ['a=&b=2', { a: '', b: '2' }],
    ['a=1&b=2&a=3', { a: ['1', '3'], b: '2' }],
    ['repo_token=x%20y+z%2B&carryforward=a%2Cb', { repo_token: 'x y z+', carryforward: 'a,b' }],
    ['payload[build_num]=7&payload%5Bstatus%5D=done', { 'payload[build_num]': '7', 'payload[status]': 'done' }],
    ['%zz=%e9&=1', { '%zz': '\ufffd', '': '1' }],
    ['toString=1&constructor=2', { toString: '1', constructor: '2' }],
  ])('%s is %j, without Koa', async (query, parsed) => {
    expect(await ask(query)).toEqual({ status: 200, json: { query: parsed, byKoa: false } });
  });

  test('may hold the name of the prototype', async () => {
    const answer = await app.fetch('/query?__proto__=1');
    expect(await answer.text()).toContain('{"query":{"__proto__":"1"}');
  });

  test('has at most 50 pairs', async () => {
    expect(await ask(pairs(50))).toMatchObject({ status: 200, json: { query: { a: Array(50).fill('1') } } });
    expect(await ask(pairs(51))).toEqual({
      status: 400,
      json: {
        message: 'The query has 51 pairs; at most 50 are accepted. Send fewer, or put them into the body.',
        error: true,
      },
    });
  });

  test.each(['/query', '/builds/1.json', '/healthz', '/nowhere', '/api/v1/repos/github/acme/shop'])(
    'of 16 KB of repeated keys is refused at %s',
    async (path) => {
      const { status, json } = await ask('a&'.repeat(7_900), path);
      expect([status, json.message]).toEqual([400, expect.stringContaining('7900 pairs')]);
    },
  );
});
