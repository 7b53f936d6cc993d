import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { backOff, createRetryingFetches, isTransientStatus, type Request, retryAfter } from './retrying-fetch.ts';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  server = undefined;
});

async function listen(answer: RequestListener): Promise<URL> {
  server = createServer(answer);
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/x`);
}

/** A clock that only sleeping moves. */
function patientFetch(totalMs = 60_000, tryMs = 2_000) {
  const waits: number[] = [];
  const lines: string[] = [];
  let time = 0;
  const runtime = {
    userAgent: 'a-client/1.2',
    fetch,
    now: () => time,
    random: () => 1,
    sleep: async (milliseconds: number) => {
      waits.push(milliseconds);
      time += milliseconds;
    },
  };
  const log = { info: (line: string) => lines.push(line), warning: (line: string) => lines.push(line) };
  return { send: createRetryingFetches(runtime, log)({ totalMs, tryMs }), waits, lines };
}

test('https on a port of plain http is called so, once', async () => {
  const url = await listen((_, response) => response.end());
  url.protocol = 'https:';
  const { send, waits } = patientFetch();
  await expect(send(request(url))).rejects.toThrow(
    /the server speaks http at this port, not https \(ERR_SSL_\w+\); begin its address with http:\/\/ \(1 try\)/,
  );
  expect(waits).toEqual([]);
});

const request = (url: URL, parts: Partial<Request> = {}): Request => ({
  url,
  shownUrl: url.href,
  method: 'POST',
  headers: {},
  body: 'body',
  ...parts,
});

/** Answers with each status in turn, the last one forever; notes what arrived. */
function inTurn(
  statuses: number[],
  headers: Record<string, string> = {},
): { listener: RequestListener; bodies: string[] } {
  const bodies: string[] = [];
  return {
    bodies,
    listener: async (incoming, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
      bodies.push(Buffer.concat(chunks).toString());
      const status = statuses[Math.min(bodies.length, statuses.length) - 1] as number;
      if (status === 0) incoming.socket.destroy();
      else response.writeHead(status, headers).end(`answer ${bodies.length}`);
    },
  };
}

describe('tries again', () => {
  test('after 5xx, 429 and a broken connection, with the same body', async () => {
    const { listener, bodies } = inTurn([503, 429, 0, 200]);
    const { send, waits, lines } = patientFetch();
    expect(await send(request(await listen(listener)))).toMatchObject({ status: 200, text: 'answer 4' });
    expect(bodies).toEqual(['body', 'body', 'body', 'body']);
    expect(waits).toEqual([1000, 2000, 4000]);
    expect(lines[0]).toMatch(/^Status 503 from http:.*; next try in 1\.0 s$/);
    expect(lines[2]).toMatch(/^the connection was closed before the answer was complete.* next try in 4\.0 s$/);
  });

  test('when the server says', async () => {
    const { send, waits } = patientFetch();
    await send(request(await listen(inTurn([429, 200], { 'retry-after': '17' }).listener)));
    expect(waits).toEqual([17_000]);
  });

  test('after a try that took too long', async () => {
    let calls = 0;
    const url = await listen((_, response) => {
      calls += 1;
      if (calls > 1) response.end('late but here');
    });
    const { send, lines } = patientFetch(60_000, 50);
    expect(await send(request(url))).toMatchObject({ text: 'late but here' });
    expect(lines[0]).toContain('no answer in time');
  });
});

describe('gives up', () => {
  test('when the time is over, with the last answer', async () => {
    const { listener, bodies } = inTurn([500]);
    const { send, waits } = patientFetch(10_000);
    expect(await send(request(await listen(listener)))).toMatchObject({ status: 500 });
    expect(waits).toEqual([1000, 2000, 4000]);
    expect(bodies).toHaveLength(4);
  });

  test('with what the server last said, however the last try ended', async () => {
    const { send, lines } = patientFetch(10_000);
    const answer = await send(request(await listen(inTurn([503, 0]).listener)));
    expect(answer).toMatchObject({ status: 503, text: 'answer 1' });
    expect(lines.at(-1)).toMatch(/^the connection was closed .*; try 4 was the last$/);
  });

  test('at once when the server asks for more time than there is', async () => {
    const { send, waits } = patientFetch(10_000);
    expect(await send(request(await listen(inTurn([429], { 'retry-after': '3600' }).listener)))).toMatchObject({
      status: 429,
    });
    expect(waits).toEqual([]);
  });

  test('when nobody listens, with URL, cause and what to do', async () => {
    const url = await listen(() => {});
    await new Promise((resolve) => server?.close(resolve));
    const { send } = patientFetch(4_000);
    await expect(send(request(url))).rejects.toThrow(
      `The coverage server cannot be reached at ${url.href}: connection refused, nothing listens there ` +
        '(ECONNREFUSED) (3 tries). Check the URL',
    );
  });

  test('of a server that answered another request, with what it said', async () => {
    let requests = 0;
    const url = await listen((_, response) => {
      requests += 1;
      if (requests > 1) response.socket?.destroy();
      else response.writeHead(503).end('{"message": "The store is away.", "error": true}');
    });
    const { send } = patientFetch(1_000);
    expect(await send(request(url))).toMatchObject({ status: 503 });
    await expect(send(request(url))).rejects.toThrow(
      /^The coverage server did not answer the request to .+\)\. It last answered 503 from .+: The store is away\./,
    );
  });

  test('at once for an address that fetch refuses', async () => {
    const { send, waits } = patientFetch();
    await expect(send(request(new URL('http://127.0.0.1:6000/')))).rejects.toThrow('bad port (1 try)');
    expect(waits).toEqual([]);
  });
});

test.each([200, 400, 404, 413, 422])('%i is the answer, at the first try', async (status) => {
  const { listener, bodies } = inTurn([status]);
  expect(await patientFetch().send(request(await listen(listener)))).toMatchObject({ status, text: 'answer 1' });
  expect(bodies).toHaveLength(1);
});

test('a redirect is not followed', async () => {
  const { listener, bodies } = inTurn([307], { location: '/elsewhere' });
  expect(await patientFetch().send(request(await listen(listener)))).toMatchObject({
    status: 307,
    location: '/elsewhere',
  });
  expect(bodies).toHaveLength(1);
});

test('pauses double from one second to half a minute', () => {
  expect([1, 2, 3, 4, 5, 6, 50].map((tries) => backOff(tries, 1))).toEqual([
    1000, 2000, 4000, 8000, 16000, 30000, 30000,
  ]);
});

test('chance takes up to half of a pause', () => {
  expect([0, 0.5, 1].map((random) => backOff(3, random))).toEqual([2000, 3000, 4000]);
});

const NOW = Date.parse('2026-01-01T00:00:00Z');

test.each([
  ['0', 0],
  [' 120 ', 120_000],
  ['Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
  ['Wed, 31 Dec 2025 23:00:00 GMT', 0],
  [null, undefined],
  ['', undefined],
  ['soon', undefined],
  ['-5', undefined],
  ['1.5', undefined],
])('Retry-After: %s', (header, wait) => expect(retryAfter(header, NOW)).toBe(wait));

test.each([408, 429, 500, 502, 503, 504])('%i may pass', (status) => expect(isTransientStatus(status)).toBe(true));
test.each([200, 301, 400, 401, 404, 413, 422])('%i will not', (status) =>
  expect(isTransientStatus(status)).toBe(false),
);
