import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Failure } from '../../server/src/core/failure.ts';
import { readBody } from '../../server/src/platform/http/read-body.ts';
import type { RegisterRoutes } from '../../server/src/platform/http/router.ts';
import { smallBodies } from '../../server/src/platform/http/small-bodies.ts';
import { type HttpApp, startHttpApp } from '../support/http-app.ts';
import { openRaw } from '../support/raw-http.ts';

type Body = NonNullable<RequestInit['body']>;
const LIMIT = 200_000;
const IDLE = 300;
/** Longer than a test may take: where a connection ends, silence or too many bytes ended it. */
const LINGER = 3_600_000;
/** What the routes below read to its end. */
const stored: Uint8Array[] = [];

/** What looks at the beginning of a body. */
let looked = async (_: Uint8Array): Promise<void> => {};

const uploads: RegisterRoutes = (router) => {
  router.post('/upload', async (context) => {
    const bytes = await readBody(context.req, { limit: LIMIT, idle: IDLE });
    stored.push(bytes);
    context.body = { bytes: bytes.length, own: bytes.buffer.byteLength === bytes.length };
  });
  router.post('/big', async (context) => {
    const bytes = await readBody(context.req, { limit: 64 * 1024 * 1024, setting: 'SOME_LIMIT' });
    context.body = { bytes: bytes.length, last: bytes.at(-1), own: bytes.buffer.byteLength === bytes.length };
  });
  router.post('/looked', async (context) => {
    const look = { bytes: 1_000, at: (beginning: Uint8Array) => looked(beginning) };
    const bytes = await readBody(context.req, { limit: LIMIT, look });
    context.body = { bytes: bytes.length };
  });
  router.post('/small', smallBodies({ idle: IDLE }), (context) => {
    context.body = { parsed: (context.request as { body?: unknown }).body };
  });
  router.post('/deaf', (context) => {
    context.body = { done: true };
  });
};

let app: HttpApp;
beforeAll(async () => {
  app = await startHttpApp({ routes: [uploads], linger: { bytes: 3_000_000, time: LINGER, idle: 250 } });
});
afterAll(() => app.stop());

const post = (path: string, body: Body, headers: Record<string, string> = {}) =>
  app.fetch(path, { method: 'POST', body, headers });
const head = (length: number | string, more = '', path = '/upload') =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n${more}\r\n`;
const TOO_LARGE = `this server accepts at most ${LIMIT} (MAX_UPLOAD_BYTES)`;

describe('an upload', () => {
  test.each([0, 1, 65_536, LIMIT])(
    'of %d bytes arrives whole, with its length or in chunks, in memory of its own',
    async (size) => {
      const bytes = new Uint8Array(size).map((_, index) => index % 251);
      for (const body of [bytes, new Blob([bytes]).stream()]) {
        stored.length = 0;
        const answer = await app.fetch('/upload', { method: 'POST', body, duplex: 'half' } as RequestInit);
        expect(await answer.json()).toEqual({ bytes: size, own: true });
        expect(Buffer.compare(stored[0] ?? new Uint8Array(1), bytes)).toBe(0);
      }
    },
  );

  test('beyond what is taken at its word arrives too', async () => {
    const bytes = Buffer.alloc(20 * 1024 * 1024, 7);
    expect(await (await post('/big', bytes)).json()).toEqual({ bytes: bytes.length, last: 7, own: true });
  });

  test('keeps the connection for the next request', async () => {
    const connection = await openRaw(app.port);
    for (const body of ['one', 'three']) {
      connection.send(head(body.length) + body);
      expect(JSON.parse((await connection.answer()).body).bytes).toBe(body.length);
    }
    connection.socket.destroy();
  });

  test('of a client that waits for "100 Continue" is asked for', async () => {
    const connection = await openRaw(app.port);
    connection.send(head(5, 'Expect: 100-continue\r\n'));
    expect(await connection.answer()).toMatchObject({ status: 100 });
    connection.send('hello');
    expect(JSON.parse((await connection.answer()).body).bytes).toBe(5);
    connection.socket.destroy();
  });
});

describe('an upload whose beginning is looked at', () => {
  test('is read on once that is done', async () => {
    const done = Promise.withResolvers<void>();
    const beginnings: number[] = [];
    looked = (beginning) => {
      beginnings.push(beginning.length);
      return done.promise;
    };
    const answer = post('/looked', Buffer.alloc(150_000, 7)).then((response) => response.json());
    await expect.poll(() => beginnings).toEqual([1_000]);
    done.resolve();
    expect([await answer, beginnings]).toEqual([{ bytes: 150_000 }, [1_000]]);
    expect(await (await post('/looked', Buffer.alloc(999))).json()).toEqual({ bytes: 999 });
    expect(beginnings).toHaveLength(1);
  });

  test('is refused where that fails, and the connection stays good', async () => {
    looked = async () => {
      throw new Failure('payload-invalid', 'Nobody knows it.');
    };
    const connection = await openRaw(app.port);
    connection.send(head(LIMIT, '', '/looked') + 'x'.repeat(1_000));
    expect(await connection.answer()).toMatchObject({ status: 422, body: expect.stringContaining('Nobody knows it.') });
    connection.send(`${'x'.repeat(LIMIT - 1_000)}${head(2)}ok`);
    expect((await connection.answer()).status).toBe(200);
    connection.socket.destroy();
  });
});

describe('an upload that is too large', () => {
  test('is refused before it is sent, when the client waits', async () => {
    const connection = await openRaw(app.port);
    connection.send(head(LIMIT + 1, 'Expect: 100-continue\r\n'));
    const answer = await connection.answer();
    expect(answer.status).toBe(413);
    expect(answer.headers.connection).toBe('close');
    expect(JSON.parse(answer.body)).toEqual({
      message: expect.stringContaining(`The body has ${LIMIT + 1} bytes; ${TOO_LARGE}`),
      error: true,
    });
    await connection.closed;
  });

  test('is refused at once, and the rest is read: the connection stays good', async () => {
    stored.length = 0;
    const connection = await openRaw(app.port);
    connection.send(head(1_000_000));
    const answer = await connection.answer();
    expect(answer.status).toBe(413);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    connection.send(Buffer.alloc(1_000_000));
    connection.send(`${head(2)}ok`);
    expect((await connection.answer()).status).toBe(200);
    expect(stored).toHaveLength(1);
    connection.socket.destroy();
  });

  test('is refused in chunks as soon as the limit is passed', async () => {
    const connection = await openRaw(app.port);
    connection.send('POST /upload HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
    const chunk = `10000\r\n${'a'.repeat(65_536)}\r\n`;
    connection.send(chunk.repeat(4));
    const answer = await connection.answer();
    expect(answer.status).toBe(413);
    expect(JSON.parse(answer.body).message).toContain(`The body has more bytes; ${TOO_LARGE}`);
    connection.send(`${chunk.repeat(4)}0\r\n\r\n${head(2)}ok`);
    expect((await connection.answer()).status).toBe(200);
    connection.socket.destroy();
  });

  test('is answered for a client that writes everything before it reads, also on its last connection', async () => {
    for (const header of ['', 'Connection: close\r\n']) {
      const { socket, send, answer, closed } = await openRaw(app.port);
      socket.pause();
      send(head(2_500_000, header));
      await new Promise((written, failed) =>
        socket.write(Buffer.alloc(2_500_000), (error) => (error ? failed(error) : written(undefined))),
      );
      await wait(100);
      socket.resume();
      expect((await answer()).status).toBe(413);
      if (header === '') socket.destroy();
      await closed;
    }
  });

  test('ends the connection when there is no end to it', async () => {
    const connection = await openRaw(app.port);
    connection.send(head(1_000_000_000));
    expect((await connection.answer()).status).toBe(413);
    let sent = 0;
    const pump = (): void => {
      while (!connection.socket.destroyed && connection.socket.write(Buffer.alloc(65_536))) sent += 65_536;
    };
    connection.socket.on('drain', pump);
    pump();
    await connection.closed;
    connection.socket.destroy();
    expect(sent).toBeLessThan(20_000_000);
  });

  test('ends the connection of a client that sends nothing more', async () => {
    const connection = await openRaw(app.port);
    connection.send(head(1_000_000));
    expect((await connection.answer()).status).toBe(413);
    await connection.closed;
    expect(connection.socket.readable).toBe(false);
  });

  test('names the setting that holds the limit', async () => {
    const connection = await openRaw(app.port);
    connection.send(head(99_999_999, '', '/big'));
    expect(JSON.parse((await connection.answer()).body).message).toContain('accepts at most 67108864 (SOME_LIMIT)');
    connection.socket.destroy();
  });
});

describe('a body that stops half way', () => {
  const stops = async (
    path: string,
    act: (connection: Awaited<ReturnType<typeof openRaw>>) => void,
    bytes = head(1_000, '', path),
  ) => {
    stored.length = 0;
    const connection = await openRaw(app.port);
    connection.send(`${bytes}0123456789`);
    await wait(30);
    act(connection);
    const answer = await connection.answer();
    expect(stored).toEqual([]);
    await connection.closed;
    return { status: answer.status, message: JSON.parse(answer.body).message };
  };

  test.each(['/upload', '/small'])('at %s because one side closed', async (path) => {
    expect(await stops(path, ({ socket }) => void socket.end())).toEqual({
      status: 408,
      message:
        'The body stopped after 10 of 1000 bytes (the client or a proxy closed its side); nothing was stored. ' +
        'Send it again.',
    });
  });

  test.each(['/upload', '/small'])('at %s because no byte came', async (path) => {
    expect(await stops(path, () => {})).toEqual({
      status: 408,
      message: 'The body stopped after 10 of 1000 bytes (no byte for 0.3 s); nothing was stored. Send it again.',
    });
  });

  test('because a chunk is malformed', async () => {
    const chunked = 'POST /upload HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\na\r\n';
    expect(await stops('/upload', ({ send }) => send('\r\nxyz\r\n'), chunked)).toEqual({
      status: 408,
      message: expect.stringContaining('The body stopped after 10 bytes (its chunks are malformed'),
    });
  });

  test('because the client has left: nothing is stored, nothing breaks', async () => {
    stored.length = 0;
    const connection = await openRaw(app.port);
    connection.send(`POST /upload HTTP/1.1\r\nHost: x\r\nX-Request-Id: gone\r\nContent-Length: 1000\r\n\r\n0123456789`);
    await wait(30);
    connection.socket.resetAndDestroy();
    await expect
      .poll(
        () => app.lines.find(({ fields, sentence }) => fields.request === 'gone' && sentence === 'answered')?.fields,
      )
      .toMatchObject({
        failure: 'body-incomplete',
        clientGone: true,
      });
    expect(stored).toEqual([]);
    expect(app.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });

  test('but a slow one that keeps coming is read', async () => {
    const connection = await openRaw(app.port);
    connection.send(head(8));
    for (const letter of 'slow-bod') {
      connection.send(letter);
      await wait(60);
    }
    expect((await connection.answer()).status).toBe(200);
    connection.socket.destroy();
  });
});

describe('a body that no route reads', () => {
  test('is dropped behind a failure', async () => {
    const connection = await openRaw(app.port);
    connection.send(head(1_000_000, '', '/nowhere'));
    expect((await connection.answer()).status).toBe(404);
    connection.send(Buffer.alloc(1_000_000));
    connection.send(`${head(2)}ok`);
    expect((await connection.answer()).status).toBe(200);
    connection.socket.destroy();
  });

  test('and that waits for "100 Continue" ends the connection', async () => {
    for (const [path, status] of [
      ['/deaf', 200],
      ['/nowhere', 404],
    ] as const) {
      const connection = await openRaw(app.port);
      connection.send(head(10, 'Expect: 100-continue\r\n', path));
      const answer = await connection.answer();
      expect([answer.status, answer.headers.connection]).toEqual([status, 'close']);
      await connection.closed;
    }
  });
});

test('slow and silent clients do not hold up others', async () => {
  const idlers = await Promise.all(Array.from({ length: 200 }, () => openRaw(app.port)));
  for (const { send } of idlers) send(head(100_000));
  const answers = await Promise.all([1, 2, 3].map(() => app.fetch('/healthz')));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(idlers.filter(({ socket }) => socket.destroyed)).toEqual([]);
  for (const { socket } of idlers) socket.destroy();
});
