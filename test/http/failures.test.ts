import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Failure, type FailureCode } from '../../server/src/core/failure.ts';
import type { RegisterRoutes } from '../../server/src/platform/http/router.ts';
import { ADMIN_TOKEN, type HttpApp, jsonRequest, startHttpApp } from '../support/http-app.ts';
import { openRaw } from '../support/raw-http.ts';

/** Routes that fail as the test says, and two that do not. */
const probes: RegisterRoutes = (router) => {
  router.get('/fail/:code', (context) => {
    const { code = '' } = context.params;
    if (code === 'bug') throw new TypeError('secret detail of the bug');
    if (code === 'text') throw 'just a text';
    if (code === 'unwritable') context.body = { big: 1n };
    else throw new Failure(code as FailureCode, `<b>${code}</b> & more`, { cause: new Error('driver said no') });
  });
  router.get('/echo', (context) => {
    context.body = {};
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
afterEach(() => {
  app.state.stopping = false;
});

describe('a failure', () => {
  test.each([
    ['query-invalid', 400],
    ['payload-invalid', 422],
    ['payload-too-large', 413],
    ['body-incomplete', 408],
    ['repo-token-unknown', 422],
    ['build-unknown', 422],
    ['credential-missing', 401],
    ['credential-unknown', 401],
    ['forbidden', 403],
    ['not-found', 404],
    ['conflict', 409],
    ['unavailable', 503],
  ])('%s is %d with its sentence', async (code, status) => {
    const answer = await app.fetch(`/fail/${code}`);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.headers.get('retry-after')).toBe(status === 503 ? '10' : null);
    expect(await answer.json()).toEqual({ message: `<b>${code}</b> & more`, error: true });
  });

  test.each(['bug', 'text', 'internal', 'unwritable'])(
    'of our own (%s) tells the caller only where to look',
    async (kind) => {
      const answer = await app.fetch(`/fail/${kind}`, { headers: { 'X-Request-Id': `look-for-${kind}` } });
      expect(answer.status).toBe(500);
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(await answer.json()).toEqual({
        message: expect.stringContaining(`request id look-for-${kind}`),
        error: true,
      });
      const logged = app.lines.find(({ level, fields }) => level === 'error' && fields.request === `look-for-${kind}`);
      expect(logged?.fields.error).toBeDefined();
    },
  );

  test('of the store is logged with its cause', async () => {
    await app.fetch('/fail/unavailable', { headers: { 'X-Request-Id': 'store-away' } });
    const logged = app.lines.find(({ level, fields }) => level === 'warn' && fields.request === 'store-away');
    expect(logged?.fields).toMatchObject({ code: 'unavailable', error: new Error('driver said no') });
  });

  test('is an escaped page for a browser that asked for a page', async () => {
    const answer = await app.fetch('/fail/not-found', {
      headers: { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' },
    });
    const html = await answer.text();
    expect(answer.status).toBe(404);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('vary')).toBe('Accept');
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(html).toContain('<h1>Page not found</h1>');
    expect(html).toContain('&lt;b>not-found&lt;/b> &amp; more');
    expect(html).not.toContain('<b>not-found');
  });

  test('of the server itself is a page that says its request once and offers no other account', async () => {
    const answer = await app.fetch('/fail/bug', { headers: { Accept: 'text/html' } });
    const html = await answer.text();
    expect(html).toContain('<h1>Something went wrong</h1>');
    expect(html.split(answer.headers.get('x-request-id') ?? 'none')).toHaveLength(2);
    expect(html).not.toContain('account');
  });

  test.each(['/fail/not-found', '/fail/bug', '/fail/unwritable', '/nothing', '/echo'])(
    'and every other answer is kept by no cache, names no address to others and is not framed: %s',
    async (path) => {
      for (const Accept of ['text/html', 'application/json']) {
        const { headers } = await app.fetch(path, { headers: { Accept } });
        expect(headers.get('cache-control')).toBe('no-store');
        expect(headers.get('referrer-policy')).toBe('no-referrer');
        expect(headers.get('x-frame-options')).toBe('DENY');
        expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      }
    },
  );

  test.each(['/api/v1/jobs', '/api/nothing', '/webhook', '/builds/1.json', '/x/badge.svg', '/rerun_build'])(
    'of %s is JSON whatever Accept says',
    async (path) => {
      const answer = await app.fetch(path, { headers: { Accept: 'text/html' } });
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    },
  );

  test('of a HEAD has no body', async () => {
    const answer = await app.fetch('/fail/conflict', { method: 'HEAD' });
    expect([answer.status, await answer.text()]).toEqual([409, '']);
  });
});

describe('an unknown route', () => {
  const ask = async (method: string, path: string) => {
    const answer = await app.fetch(path, { method });
    return { status: answer.status, ...((await answer.json()) as { message: string; error: boolean }) };
  };

  test('is 404 and named', async () => {
    expect(await ask('GET', '/nothing/here?token=secret')).toEqual({
      status: 404,
      message: expect.stringMatching(/^There is nothing at \/nothing\/here\. Jobs go to \/api\/v1\/jobs/),
      error: true,
    });
  });

  test.each([
    ['GET', '/webhook', '/webhook does not accept GET; it accepts POST.'],
    [
      'PATCH',
      '/api/v1/repos/manual/a/b',
      '/api/v1/repos/manual/a/b does not accept PATCH; it accepts GET, PUT, DELETE.',
    ],
    ['GET', '/api/repos', '/api/repos does not accept GET; it accepts POST.'],
    ['OPTIONS', '/webhook', '/webhook does not accept OPTIONS; it accepts POST.'],
    ['POST', '/healthz', '/healthz does not accept POST; it accepts GET.'],
  ])('or method is never 405: %s %s', async (method, path, message) => {
    expect(await ask(method, path)).toEqual({ status: 404, message, error: true });
  });

  test.each(['/', '//'])('POST %s says where jobs go', async (path) => {
    expect(await ask('POST', path)).toEqual({
      status: 404,
      message: expect.stringContaining('jobs go to /api/v1/jobs'),
      error: true,
    });
  });
});

describe('while stopping', () => {
  beforeEach(() => {
    app.state.stopping = true;
  });

  test('what still comes is answered, and its connection ends', async () => {
    for (const [path, init, status] of [
      ['/echo', jsonRequest('GET', ADMIN_TOKEN), 200],
      ['/api/v1/repos', jsonRequest('POST', ADMIN_TOKEN, { repo: {} }), 422],
    ] as const) {
      const answer = await app.fetch(path, init);
      expect([answer.status, answer.headers.get('connection')]).toEqual([status, 'close']);
    }
  });

  test('the process still lives, but is not ready', async () => {
    expect((await app.fetch('/healthz')).status).toBe(200);
    expect((await app.fetch('/readyz')).status).toBe(503);
  });
});

describe('health', () => {
  test('is ok while the store is there', async () => {
    for (const path of ['/healthz', '/readyz']) {
      const answer = await app.fetch(path);
      expect([answer.status, await answer.json()]).toEqual([200, { status: 'ok' }]);
      expect(answer.headers.get('cache-control')).toBe('no-store');
    }
  });

  test('distinguishes a store that is away from a process that is', async () => {
    const broken = await startHttpApp({
      checkStore: async () => {
        throw new Failure('unavailable', 'The database is locked.');
      },
    });
    expect((await broken.fetch('/healthz')).status).toBe(200);
    const ready = await broken.fetch('/readyz');
    expect([ready.status, ready.headers.get('retry-after')]).toEqual([503, '10']);
    expect(await ready.json()).toEqual({ message: 'The database is locked.', error: true });
    await broken.stop();
  });
});

describe('what is no HTTP', () => {
  test.each([
    ['rubbish', 'rubbish\r\n\r\n', 400, 'not a well-formed HTTP request'],
    ['a TLS greeting', Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc]), 400, 'this port speaks only http'],
    ['a header without a colon', 'GET / HTTP/1.1\r\nHost: x\r\nbroken header\r\n\r\n', 400, 'not a well-formed'],
    [
      'two lengths',
      'POST /webhook HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
      400,
      'not a well-formed',
    ],
    [
      'a length that is no number',
      'POST /webhook HTTP/1.1\r\nHost: x\r\nContent-Length: ten\r\n\r\n',
      400,
      'not a well-formed',
    ],
    ['headers of 20 KB', `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(20_000)}\r\n\r\n`, 431, 'more than 16 KiB'],
    ['a request that ends in its headers', 'GET / HTTP/1.1\r\nHost:', 400, 'HPE_INVALID_EOF_STATE'],
  ])('(%s) is answered in the same form', async (_, bytes, status, sentence) => {
    const connection = await openRaw(app.port);
    connection.send(bytes);
    if (sentence === 'HPE_INVALID_EOF_STATE') connection.socket.end();
    const answer = await connection.answer();
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
      connection: 'close',
    });
    expect(JSON.parse(answer.body)).toEqual({ message: expect.stringContaining(sentence), error: true });
    await connection.closed;
    expect(app.lines.some(({ fields }) => fields.request === answer.headers['x-request-id'])).toBe(true);
  });

  test('behind a good request does not disturb its answer', async () => {
    const connection = await openRaw(app.port);
    connection.send('GET /echo HTTP/1.1\r\nHost: x\r\n\r\nrubbish\r\n\r\n');
    expect((await connection.answer()).status).toBe(200);
    await connection.closed;
  });

  test('but nearly is served: no Host, an unknown Expect, HTTP/1.0', async () => {
    for (const request of [
      'GET /echo HTTP/1.1\r\n\r\n',
      'GET /echo HTTP/1.1\r\nHost: x\r\nExpect: a-miracle\r\n\r\n',
      'GET /echo HTTP/1.0\r\n\r\n',
    ]) {
      const connection = await openRaw(app.port);
      connection.send(request);
      expect((await connection.answer()).status).toBe(200);
      connection.socket.destroy();
    }
  });
});
