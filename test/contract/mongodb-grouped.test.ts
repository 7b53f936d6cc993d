import { type Document, MongoNetworkError } from 'mongodb';
import { afterEach, expect, it, vi } from 'vitest';
import { connect } from '../../server/src/storage/mongo/connect.ts';
import { createMongoStore } from '../../server/src/storage/mongo/open-mongo.ts';
import { describeWithMongodb } from '../support/mongod/mongodb-server.ts';
import { BUILDS, expectEachOnce, openBuilds, send } from './many-accepts.ts';
import { putRepo } from './records.ts';

const HOUR = 60 * 60_000;

describeWithMongodb('accepts that come at once on MongoDB', (server) => {
  afterEach(() => void vi.useRealTimers());

  it('share their commands', async () => {
    const connection = await connect({ url: server.databaseUrl(), client: { monitorCommands: true } });
    const store = createMongoStore(connection);
    const repo = await putRepo(store);
    const next = await openBuilds(store, repo, BUILDS * 3);
    const commands: string[] = [];
    connection.onCommand((command: Document) => commands.push(Object.entries(command)[0]?.join(' ') ?? ''));
    await expectEachOnce(store, await Promise.all(next.map((n) => send(store, repo, n))), 4);
    const count = (what: string): number => commands.filter((one) => one === what).length;
    for (const what of ['insert jobs', 'insert report_parts', 'update builds', 'find repos', 'update repos'])
      expect(count(what), what).toBeLessThan(next.length);
    await store.close();
  });

  it('are decided again where another server was faster, each by itself', async () => {
    const url = server.databaseUrl();
    const stores = [createMongoStore(await connect({ url })), createMongoStore(await connect({ url }))] as const;
    const repo = await putRepo(stores[0]);
    const next = await openBuilds(stores[0], repo, BUILDS * 6);
    const accepted = await Promise.all(
      next.map((n) => send(stores[Math.floor(n / BUILDS) % 2 === 0 ? 0 : 1], repo, n)),
    );
    await expectEachOnce(stores[0], accepted, 7);
    for (const store of stores) await store.close();
  });

  it('are found where the answer of a shared write was lost, and stored once where it was cut off before', async () => {
    const connection = await connect({ url: server.databaseUrl() });
    const { collections } = connection;
    const store = createMongoStore(connection);
    const repo = await putRepo(store);
    const next = await openBuilds(store, repo, BUILDS * 3);
    const write = collections.builds.bulkWrite.bind(collections.builds);
    let shared = 0;
    collections.builds.bulkWrite = async (...values) => {
      shared += 1;
      if (shared % 2 === 0) throw new MongoNetworkError('cut off before');
      await write(...values);
      throw new MongoNetworkError('cut off after');
    };
    const first = await Promise.allSettled(next.map((n) => send(store, repo, n)));
    expect(shared).toBeGreaterThan(1);
    collections.builds.bulkWrite = write;
    const again = next.filter((_, index) => first[index]?.status === 'rejected');
    expect(again.length).toBeLessThan(next.length);
    const found = first.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const sent = await Promise.all(again.map((n) => send(store, repo, n)));
    await expectEachOnce(store, [...found, ...sent], 4);
    await store.close();
  });

  it.each([-25 * HOUR, -5_000, 5_000, 25 * HOUR])('are kept by a server whose clock is %i ms off', async (off) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + off });
    const store = createMongoStore(await connect({ url: server.databaseUrl() }));
    const repo = await putRepo(store);
    const next = await openBuilds(store, repo, BUILDS);
    const accepted = await Promise.all(next.map((n) => send(store, repo, n)));
    vi.useRealTimers();
    expect(await store.sweep()).toMatchObject({ uploads: 0, reportParts: 0 });
    await expectEachOnce(store, accepted, 2);
    await store.close();
  });

  it('are written again where its clock jumped back a day, so that the sweep does not take them', async () => {
    const store = createMongoStore(await connect({ url: server.databaseUrl() }));
    const repo = await putRepo(store);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 25 * HOUR });
    const accepted = await send(store, repo, 0);
    vi.useRealTimers();
    expect(await store.sweep()).toMatchObject({ uploads: 0, reportParts: 0 });
    await expectEachOnce(store, [accepted], 1);
    await store.close();
  });
});
