import { type Document, MongoNetworkError } from 'mongodb';
import { afterEach, expect, it, vi } from 'vitest';
import type { Repo } from '../../server/src/core/repo/repo.ts';
import { connect } from '../../server/src/storage/mongo/connect.ts';
import { createMongoStore } from '../../server/src/storage/mongo/open-mongo.ts';
import type { AcceptedJob, Store } from '../../server/src/storage/store.ts';
import { describeWithMongodb } from '../support/mongod/mongodb-server.ts';
import { openMongodbScene } from './mongodb-scene.ts';
import { accept, bytes, hex, putRepo } from './records.ts';

const BUILDS = 8;
const HOUR = 60 * 60_000;

/** A job of one of the builds, like no other. */
function send(store: Store, repo: Repo, n: number): Promise<AcceptedJob> {
  const build = String(n % BUILDS);
  const facts = { serviceNumber: build, commit: hex(n % BUILDS), parallel: true, serviceJobId: String(n) };
  return accept(store, repo.id, facts, { contentDigest: hex(n, 64), report: bytes(`report ${n}`) });
}

/** Opens the builds, and answers the numbers of jobs that may follow. */
async function openBuilds(store: Store, repo: Repo, jobs: number): Promise<readonly number[]> {
  for (let n = 0; n < BUILDS; n += 1) await send(store, repo, n);
  return Array.from({ length: jobs }, (_, n) => BUILDS + n);
}

/** Each of these was accepted as a job of its own, with its report; and no other was. */
async function expectEachOnce(store: Store, accepted: readonly AcceptedJob[], jobsOfBuild: number): Promise<void> {
  expect(new Set(accepted.map(({ build, job }) => `${build.id}/${job.number}`)).size).toBe(accepted.length);
  for (const id of new Set(accepted.map(({ build }) => build.id))) {
    const stored = await store.jobs.ofBuild(id);
    expect(stored.map(({ number }) => number)).toEqual(Array.from({ length: jobsOfBuild }, (_, n) => n + 1));
    expect((await store.builds.find(id))?.jobs).toBe(jobsOfBuild);
    const reports = await store.jobs.reports(stored.map((job) => job.id));
    expect(reports).toEqual(stored.map(({ facts }) => bytes(`report ${facts.serviceJobId}`)));
  }
}

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
    const scene = await openMongodbScene(server.databaseUrl());
    const { store, collections } = scene;
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
