import { MongoClient } from 'mongodb';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { coverageApi, job } from '../support/coverage-api.ts';
import { describeWithMongodb } from '../support/mongod/mongodb-server.ts';
import { openRaw } from '../support/raw-http.ts';
import { findProxy, PROXIES, type RunningProxy, startProxy } from '../support/run-proxy.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';
import { waitFor } from '../support/wait-for.ts';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const ENV = { SECRET_KEY: 'c5'.repeat(32), TRUST_PROXY: '1', STOP_NOTICE_PERIOD: '4s', MAX_REPO_OPEN_BUILDS: '0' };
/** Uploads that are in progress at once. */
const AT_ONCE = 4;

async function start(env: Readonly<Record<string, string>>): Promise<ServerProcess> {
  const server = await startServer({ env: { ...ENV, ...env } });
  ends.push(() => server.dispose());
  return server;
}

interface Lost {
  readonly status: number | string;
  readonly begun: number;
  readonly ended: number;
}

/** A client that never tries again: uploads one job after another, until it is told to end. */
function uploadAll(url: string, token: string) {
  const lost: Lost[] = [];
  const begunBy = Array.from({ length: AT_ONCE }, () => 0);
  const sent = (): number => begunBy.reduce((sum, count) => sum + count, 0);
  let isOver = false;
  // Larger than what a proxy has read by the time that it chooses a server.
  const text = 'x'.repeat(100_000);
  const client = async (_: unknown, id: number): Promise<void> => {
    while (!isOver) {
      begunBy[id] = (begunBy[id] ?? 0) + 1;
      const begun = performance.now();
      const number = String(sent());
      const fields = { service_number: number, service_job_id: number, unused: text };
      const body = JSON.stringify({ ...job({ repo_token: token }), ...fields });
      const init = { method: 'POST', body, headers: { 'content-type': 'application/json' } };
      const status = await fetch(`${url}/api/v1/jobs`, init).then(
        async (answer) => answer.status === 200 || `${answer.status} ${await answer.text()}`,
        (error) => String(error),
      );
      if (status !== true) lost.push({ status, begun, ended: performance.now() });
    }
  };
  const clients = Promise.all(begunBy.map(client));
  return {
    sent,
    lost,
    /** All that are in progress now are answered, and some that began after them. */
    async more() {
      const goals = begunBy.map((count) => count + 3);
      const isReached = (): boolean => goals.every((goal, id) => (begunBy[id] ?? 0) >= goal);
      await waitFor(isReached, { what: '12 more uploads', timeoutMs: 60_000 });
    },
    async end() {
      isOver = true;
      await clients;
    },
  };
}

describe.each(PROXIES)('behind %s', (kind) => {
  const program = findProxy(kind);

  describe.skipIf(program === undefined)('as it is shipped', () => {
    describeWithMongodb('two servers on one MongoDB', (mongodb) => {
      let servers: readonly ServerProcess[] = [];
      let proxy: RunningProxy;
      let database = '';
      beforeEach(async () => {
        database = mongodb.databaseUrl();
        servers = [await start({ DATABASE_URL: database }), await start({ DATABASE_URL: database })];
        proxy = await startProxy(
          kind,
          program as string,
          servers.map(({ port }) => port),
        );
        ends.push(proxy.stop);
      });

      async function countJobs(): Promise<number> {
        const client = new MongoClient(database);
        try {
          return await client.db().collection('jobs').countDocuments();
        } finally {
          await client.close();
        }
      }

      test('lose nothing when one after the other is stopped and started', async () => {
        const { token } = await coverageApi(proxy.url, servers[0]?.adminToken ?? '').createRepo({ name: 'acme/shop' });
        const uploads = uploadAll(proxy.url, token);
        for (const server of servers) {
          await uploads.more();
          expect(await server.stop()).toEqual({ code: 0, signal: null });
          await uploads.more();
          await server.restart();
        }
        await uploads.more();
        await uploads.end();
        expect(uploads.lost).toEqual([]);
        expect(await countJobs()).toBe(uploads.sent());
      }, 180_000);

      test('lose nothing that the file can save when one is killed', async () => {
        const { token } = await coverageApi(proxy.url, servers[0]?.adminToken ?? '').createRepo({ name: 'acme/shop' });
        const uploads = uploadAll(proxy.url, token);
        const killed: number[] = [];
        for (const server of servers) {
          // Nothing that found the other one gone is in progress: nginx asks each server once, and both would fail it.
          await uploads.more();
          killed.push(performance.now());
          await server.kill();
          await uploads.more();
          await server.restart();
        }
        await uploads.more();
        await uploads.end();
        // nginx keeps what it has sent, Caddy does not: what the killed server had begun to read is gone.
        const underWay = uploads.lost.filter(
          ({ begun, ended }) => kind === 'caddy' && killed.some((at) => begun < at && at <= ended),
        );
        expect(uploads.lost).toEqual(underWay);
        expect(underWay.length).toBeLessThanOrEqual(killed.length * AT_ONCE);
        expect(await countJobs()).toBeGreaterThanOrEqual(uploads.sent() - underWay.length);
      }, 180_000);
    });
  });
});

const caddy = findProxy('caddy');

test.skipIf(caddy === undefined)(
  'Caddy waits for the only server while that is stopped and started',
  async () => {
    const server = await start({});
    const proxy = await startProxy('caddy', caddy as string, [server.port]);
    ends.push(proxy.stop);
    const { token } = await coverageApi(proxy.url, server.adminToken).createRepo({ name: 'acme/shop' });
    const uploads = uploadAll(proxy.url, token);
    await uploads.more();
    expect(await server.stop()).toEqual({ code: 0, signal: null });
    await server.restart();
    await uploads.more();
    await uploads.end();
    expect(uploads.lost).toEqual([]);
  },
  120_000,
);

describeWithMongodb('a server that is asked to stop', (mongodb) => {
  test('says that it is not ready, takes requests for a while, and ends once all are answered', async () => {
    const server = await start({ DATABASE_URL: mongodb.databaseUrl() });
    const api = coverageApi(server.url, server.adminToken);
    const { token } = await api.createRepo({ name: 'acme/shop' });
    const body = JSON.stringify(job({ repo_token: token, service_number: '1' }));
    const slow = await openRaw(server.port);
    slow.send(`POST /api/v1/jobs HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 100)}`);
    const stopped = server.stop();
    await waitFor(async () => (await api.send('/readyz')).status === 503, { what: 'the server not to be ready' });
    const late = await api.uploadJob(job({ repo_token: token, service_number: '2' }));
    expect([late.status, late.headers.get('connection')]).toEqual([200, 'close']);
    const gone = (): Promise<boolean> =>
      api.send('/readyz').then(
        () => false,
        () => true,
      );
    await waitFor(gone, { what: 'the server to take no connections', timeoutMs: 30_000 });
    slow.send(body.slice(100));
    expect(await slow.answer()).toMatchObject({ status: 200, headers: { connection: 'close' } });
    expect(await stopped).toEqual({ code: 0, signal: null });
  }, 60_000);
});
