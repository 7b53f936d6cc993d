import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { requireCaller } from '../../server/src/access/browser/authenticate.ts';
import { smallBodies } from '../../server/src/platform/http/small-bodies.ts';
import { type HttpApp, startHttpApp } from '../support/http-app.ts';
import { openRaw } from '../support/raw-http.ts';

type Body = NonNullable<RequestInit['body']>;

let app: HttpApp;
beforeAll(async () => {
  app = await startHttpApp({
    routes: [
      (router) => {
        const known = requireCaller(async () => ({ kind: 'user', user: 'ada', role: 'user' }));
        const anybody: typeof known = (_context, next) => next();
        for (const [path, before] of [['/small', anybody] as const, ['/known', known] as const])
          router.post(path, before, smallBodies(), (context) => {
            context.body = { parsed: (context.request as { body?: unknown }).body };
          });
      },
    ],
  });
});
afterAll(() => app.stop());

const head = (length: number, more = '') =>
  `POST /small HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n${more}\r\n`;

describe('a small body', () => {
  const JSON_TYPE = { 'Content-Type': 'application/json' };
  const FORM_TYPE = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const parse = async (body: Body, headers: Record<string, string> = JSON_TYPE, path = '/small') => {
    const answer = await app.fetch(path, { method: 'POST', body, headers });
    const { parsed, message } = (await answer.json()) as { parsed?: unknown; message?: string };
    return answer.status === 200 ? parsed : [answer.status, message];
  };

  test.each([
    ['application/json', '{"a":1}', { a: 1 }],
    ['application/json;charset=UTF-8', ' {"a":[1]}', { a: [1] }],
    ['application/vnd.api+json', '{"a":1}', { a: 1 }],
    [
      'application/x-www-form-urlencoded',
      'payload[build_num]=7&payload[status]=done&b=%C3%A9',
      { payload: { build_num: '7', status: 'done' }, b: 'é' },
    ],
    ['application/x-www-form-urlencoded; charset=utf-8', 'a=1', { a: '1' }],
    ['text/plain', '{"a":1}', { a: 1 }],
    ['text/plain', '\n {"a":1}', { a: 1 }],
    ['text/plain', 'hello', {}],
    ['application/octet-stream', '\u0000\u0001', {}],
    ['nonsense', '{"a":1}', { a: 1 }],
    ['application/json', '', {}],
    ['application/x-www-form-urlencoded', '', {}],
  ])('of %s %j is %j', async (type, body, expected) => {
    expect(await parse(body, { 'Content-Type': type })).toEqual(expected);
  });

  test('needs no Content-Type, and no body', async () => {
    const connection = await openRaw(app.port);
    connection.send(`${head(7)}{"a":1}`);
    expect(JSON.parse((await connection.answer()).body)).toEqual({ parsed: { a: 1 } });
    connection.send('POST /small HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(JSON.parse((await connection.answer()).body)).toEqual({ parsed: {} });
    connection.socket.destroy();
  });

  test('may be compressed', async () => {
    expect(await parse(gzipSync('{"a":1}'), { ...JSON_TYPE, 'Content-Encoding': 'gzip' })).toEqual({ a: 1 });
    expect(await parse(deflateSync('{"a":1}'), { ...JSON_TYPE, 'Content-Encoding': 'deflate' })).toEqual({ a: 1 });
    expect(await parse(brotliCompressSync('{"a":1}'), { ...JSON_TYPE, 'Content-Encoding': 'br' })).toEqual({ a: 1 });
    expect(await parse('', { ...JSON_TYPE, 'Content-Encoding': 'gzip' })).toEqual({});
  });

  test.each([
    ['{"a":1,}', 'The body is not JSON: it goes wrong at character 8 (line 1, column 8).'],
    ['{\n  "token": tru }', 'The body is not JSON: it goes wrong at character 17 (line 2, column 15).'],
    ['{"a": "b', 'The body is not JSON: it ends too early, after 8 characters (line 1, column 9).'],
    ['7', 'The body is not a JSON object: it must begin with {.'],
    ['hello', 'The body is not a JSON object: it must begin with {.'],
    [
      '{"__proto__": {"role": "administrator"}}',
      'The body has the key "__proto__", which is not allowed; leave it out.',
    ],
    ['[{}]', 'The body is not a JSON object: it must begin with {.'],
    [
      '{"b":[{"a": [{"\\u005f_proto__": 1}]}]}',
      'The body has the key "__proto__", which is not allowed; leave it out.',
    ],
  ])('%j is refused by its place alone', async (body, message) => {
    expect(await parse(body)).toEqual([422, message]);
  });

  test('may be nested deep, to a limit', async () => {
    expect(await parse(`{"a":${'['.repeat(2_000)}${']'.repeat(2_000)}}`)).toEqual({ a: [expect.any(Array)] });
  });

  const TOO_MANY = 'made of more than 10000 values, beside or within each other; send fewer.';
  test.each([
    ['a list', `[${'{},'.repeat(20_000)}{}]`, 'not a JSON object: it must begin with {.'],
    ['a deep list', '['.repeat(60_000), 'not a JSON object: it must begin with {.'],
    ['nested', `{"a":${'['.repeat(60_000)}`, TOO_MANY],
    ['a list inside', `{"a":[${'{},'.repeat(20_000)}{}]}`, TOO_MANY],
    ['wide', `{${'"a":1,'.repeat(10_000)}"b":1}`, TOO_MANY],
  ])('that is %s, far beyond what a field needs, is never parsed', async (_, body, why) => {
    const parsed = vi.spyOn(JSON, 'parse');
    try {
      expect(await parse(body)).toEqual([422, `The body is ${why}`]);
      // A list is as good as an object for a client that forgot the header: never as good as no body.
      expect(await parse(body, { 'Content-Type': 'text/plain' })).toEqual([422, `The body is ${why}`]);
      expect(parsed.mock.calls.map(([text]) => text.length).filter((length) => length > 1_000)).toEqual([]);
    } finally {
      vi.restoreAllMocks();
    }
  });

  test.each(['a['.repeat(30_000), `a${'[b]'.repeat(20_000)}=1`, `x=1&${'%5B%5D'.repeat(10_000)}=1`])(
    'of a form has no endless names, case %#',
    async (body) => {
      expect(await parse(body, FORM_TYPE)).toEqual([422, expect.stringContaining('at most 1000 are accepted')]);
    },
  );

  test('of a form that is JSON by its looks is read as that', async () => {
    expect(await parse('{"a":1}', FORM_TYPE)).toEqual({ a: 1 });
    expect(await parse('payload.build_num=7', FORM_TYPE)).toEqual({ payload: { build_num: '7' } });
  });

  test('that is not what its Content-Encoding says is refused', async () => {
    expect(await parse('{"a":1}', { ...JSON_TYPE, 'Content-Encoding': 'gzip' })).toEqual([
      422,
      expect.stringContaining('not what its Content-Encoding says'),
    ]);
    expect(await parse('{"a":1}', { ...JSON_TYPE, 'Content-Encoding': 'lzma' })).toEqual([
      422,
      expect.stringContaining('Content-Encoding is unknown'),
    ]);
  });

  test.each([
    ['/small', 65_536, '65536 bytes (64 KiB)'],
    ['/known', 1_048_576, '1048576 bytes (1024 KiB)'],
  ])('to %s has a limit that is stated, also after unpacking', async (path, limit, stated) => {
    const message = `The body has more than ${stated}, the limit of this request; send less.`;
    const long = JSON.stringify({ a: 'x'.repeat(limit) });
    expect(await parse(long, JSON_TYPE, path)).toEqual([413, message]);
    expect(await parse(long, FORM_TYPE, path)).toEqual([413, message]);
    expect(await parse(gzipSync(long), { ...JSON_TYPE, 'Content-Encoding': 'gzip' }, path)).toEqual([413, message]);
    const streamed = await app.fetch(path, {
      method: 'POST',
      body: new Blob([long]).stream(),
      headers: JSON_TYPE,
      duplex: 'half',
    } as RequestInit);
    expect([streamed.status, await streamed.json()]).toEqual([413, { message, error: true }]);
    const max = JSON.stringify({ a: 'x'.repeat(limit - 8) });
    expect(max.length).toBe(limit);
    expect(await parse(max, JSON_TYPE, path)).toEqual({ a: expect.any(String) });
  });

  test('of a client that waits for "100 Continue" is asked for', async () => {
    const connection = await openRaw(app.port);
    connection.send(head(7, 'Expect: 100-continue\r\n'));
    expect((await connection.answer()).status).toBe(100);
    connection.send('{"a":1}');
    expect(JSON.parse((await connection.answer()).body)).toEqual({ parsed: { a: 1 } });
    connection.socket.destroy();
  });

  test('that is too large is refused before it is sent, when the client waits', async () => {
    const connection = await openRaw(app.port);
    connection.send(head(65_537, 'Expect: 100-continue\r\n'));
    expect((await connection.answer()).status).toBe(413);
    await connection.closed;
  });
});
