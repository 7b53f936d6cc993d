import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { encodeReport } from '../../server/src/reports/codec/encode-report.ts';
import { type HttpApp, startHttpApp } from '../support/http-app.ts';
import { putLargeBuild } from '../support/large-build.ts';
import { openRaw, type RawConnection } from '../support/raw-http.ts';
import { aFile, aReport } from '../support/records.ts';
import { type Service, startService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

/** Asks, and stops reading once the answer has begun. */
async function askAndStopReading(port: number, path: string): Promise<RawConnection> {
  const connection = await openRaw(port);
  connection.send(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
  await new Promise<void>((resolve) =>
    connection.socket.once('data', () => {
      connection.socket.pause();
      resolve();
    }),
  );
  return connection;
}

describe('the hits of a file of two million lines', () => {
  const LINES = 2 ** 21;
  let service: Service;
  let path: string;
  beforeAll(async () => {
    service = await startService();
    const { id } = await service.newRepo();
    await service.store.repos.update({ repoId: id, settings: { visibility: 'public' }, at: Date.now() });
    const long = { ...aFile('long.ts', []), hits: new Int32Array(LINES).fill(-1) };
    const report = encodeReport(aReport(long, aFile('a.ts', [7])));
    const build = await putLargeBuild(service.store, id, { flags: 0, jobs: 1, report });
    path = `/builds/${build.id}/source.json?filename=`;
  });
  afterAll(() => service.stop());

  test('are sent to two clients at a time: others wait, then are told to ask again', async () => {
    const readers = await Promise.all([1, 2].map(() => askAndStopReading(service.port, `${path}long.ts`)));
    const third = service.api.send(`${path}long.ts`);
    // It waits as soon as its file was looked up.
    const passed = () => service.time.pass(5_000).then(() => undefined);
    const refused = await waitFor(() => Promise.race([third, passed()]), { what: 'the refusal' });
    expect([refused.status, refused.headers.get('retry-after'), refused.json]).toEqual([
      503,
      '10',
      { message: expect.stringContaining('Try again in a few seconds.'), error: true },
    ]);
    expect((await service.api.send(`${path}a.ts`)).text).toBe('[7]');
    const page = await service.api.send(path.replace('.json?', '?').concat('long.ts&page=2000'));
    expect(page.text).toContain(` of ${LINES.toLocaleString('en')}</span>`);
    const fourth = service.api.send(`${path}long.ts`);
    for (const { socket } of readers) socket.destroy();
    const { status, text } = await fourth;
    expect([status, text.length]).toEqual([200, 'null,'.length * LINES + 1]);
    expect([text.slice(0, 10), text.slice(-5)]).toEqual(['[null,null', 'null]']);
  });
});

describe('a response that its client does not read', () => {
  const PIECE = 'x'.repeat(65_536);
  const PIECES = 400;
  let app: HttpApp;
  let made = 0;
  beforeAll(async () => {
    app = await startHttpApp({
      answerStall: 100,
      routes: [
        (router) => {
          router.get('/long', (context) => {
            context.body = Readable.from(
              (function* () {
                for (made = 0; made < PIECES; made += 1) yield PIECE;
              })(),
            );
          });
          router.get('/text', (context) => {
            context.body = PIECE.repeat(PIECES);
          });
          router.get('/short', (context) => {
            context.body = PIECE;
          });
          router.get('/slow', async (context) => {
            await new Promise((resolve) => setTimeout(resolve, 350));
            context.body = 'done';
          });
        },
      ],
    });
  });
  afterAll(() => app.stop());

  test.each(['/long', '/text'])('is ended, and its connection with it: %s', async (path) => {
    const { socket } = await askAndStopReading(app.port, path);
    const left = () => new Promise<number>((resolve) => app.server.getConnections((_, count) => resolve(count)));
    await waitFor(async () => ((await left()) === 0 ? true : undefined), { what: 'the connection to be ended' });
    if (path === '/long') expect(made).toBeLessThan(PIECES);
    socket.destroy();
  });

  test('is whole for one that reads, and for one that waits for what takes long', async () => {
    const answer = await app.fetch('/short');
    expect((await answer.text()).length).toBe(PIECE.length);
    expect(await (await app.fetch('/slow')).text()).toBe('done');
  });
});
