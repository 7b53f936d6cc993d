import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Repo } from '../../server/src/core/repo/repo.ts';
import { connect } from '../../server/src/storage/mongo/connect.ts';
import { createMongoStore } from '../../server/src/storage/mongo/open-mongo.ts';
import type { AcceptedJob, Store } from '../../server/src/storage/store.ts';
import { describeWithMongodb } from '../support/mongod/mongodb-server.ts';
import { type BulkWriteStandIn, startBulkWriteStandIn } from '../support/mongodb-8-stand-in/bulk-write-stand-in.ts';
import { type EmptiedDatabase, emptiedDatabase } from './emptied-database.ts';
import { BUILDS, expectEachOnce, openBuilds, send } from './many-accepts.ts';
import { accept, hex, putRepo } from './records.ts';
import { describeAccepts } from './store-contract.ts';

const HOUR = 60 * 60_000;

/** No server of 8.0 was tried: a stand-in takes its command as the documentation describes it. */
describeWithMongodb('MongoDB with bulkWrite, by a stand-in', (server) => {
  let standIn: BulkWriteStandIn;
  let database: EmptiedDatabase;
  beforeAll(async () => {
    standIn = await startBulkWriteStandIn(server.url);
    database = await emptiedDatabase(standIn.urlOf(server.databaseUrl()));
  });
  afterAll(async () => {
    await database?.close();
    await standIn?.stop();
  });
  afterEach(() => {
    vi.useRealTimers();
    standIn.refuse(undefined);
    standIn.beforeOperation(undefined);
  });

  const open = async (more: Partial<Parameters<typeof connect>[0]> = {}) => {
    const url = server.databaseUrl();
    const connection = await connect({ url: standIn.urlOf(url), client: { monitorCommands: true }, ...more });
    const commands: string[] = [];
    const concerns: unknown[] = [];
    connection.onCommand((command) => {
      commands.push(Object.entries(command)[0]?.join(' ') ?? '');
      if ('bulkWrite' in command) concerns.push(command.writeConcern);
    });
    return { url, connection, commands, concerns, store: createMongoStore(connection) };
  };

  describeAccepts('a store', () => database.open());

  it('takes one command for the next job of an open build, and one for a repeat that it refuses', async () => {
    const { store, commands, concerns } = await open();
    const repo = await putRepo(store);
    const job = (serviceJobId: string) => ({ serviceNumber: '7', commit: hex(1), parallel: true, serviceJobId });
    const same = { contentDigest: hex(2, 64) };
    await accept(store, repo.id, job('1'));
    expect(commands.splice(0).filter((one) => /^insert (jobs|report_parts)$/.test(one))).toEqual([]);
    expect((await accept(store, repo.id, job('2'), same)).build.jobs).toBe(2);
    expect(commands.splice(0)).toEqual(['bulkWrite 1']);
    expect(concerns.at(-1)).toMatchObject({ w: 'majority', j: true });
    expect((await accept(store, repo.id, job('2'), same)).repeated).toBe(true);
    expect(commands.splice(0).filter((one) => one.startsWith('bulkWrite'))).toHaveLength(1);
    await store.close();
  });

  it('takes few commands for accepts that come at once', async () => {
    const { store, commands } = await open();
    const repo = await putRepo(store);
    const next = await openBuilds(store, repo, BUILDS * 3);
    commands.splice(0);
    await expectEachOnce(store, await Promise.all(next.map((n) => send(store, repo, n))), 4);
    expect(commands.filter((one) => one.startsWith('bulkWrite')).length).toBeLessThan(next.length);
    expect(commands.filter((one) => /^(insert|update) (jobs|report_parts|builds)$/.test(one))).toEqual([]);
    await store.close();
  });

  it('decides again where a server with another version was faster', async () => {
    const { url, store } = await open();
    const elsewhere = createMongoStore(await connect({ url }));
    const repo = await putRepo(store);
    const next = await openBuilds(store, repo, BUILDS * 6);
    const accepted = await Promise.all(
      next.map((n) => send(Math.floor(n / BUILDS) % 2 === 0 ? store : elsewhere, repo, n)),
    );
    await expectEachOnce(store, accepted, 7);
    await store.close();
    await elsewhere.close();
  });

  it('accepts the others where the write of one build fails', async () => {
    const { store, connection } = await open();
    const repo = await putRepo(store);
    const next = await openBuilds(store, repo, BUILDS);
    const broken = await store.builds.ofCommit(repo.id, hex(3));
    const { builds, jobs } = connection.collections;
    const isOne = { _id: broken[0]?.id ?? 0 };
    const before = await builds.findOne(isOne);
    // Its list can take no more.
    await builds.updateOne(isOne, { $set: { jobs: 'broken' as never } });
    const outcomes = await Promise.allSettled(next.map((n) => send(store, repo, n)));
    expect(outcomes.map(({ status }) => status)).toEqual(next.map((_, n) => (n === 3 ? 'rejected' : 'fulfilled')));
    await builds.updateOne(isOne, { $set: { jobs: before?.jobs ?? [] } });
    const found = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    await expectEachOnce(store, [...found, await send(store, repo, next[3] ?? 0)], 2);
    expect(await jobs.countDocuments({ repoId: repo.id })).toBe(BUILDS * 2 + 1);
    await store.close();
  });

  it('writes an upload again whose time was guessed too early, so that the sweep does not take it', async () => {
    const { store } = await open();
    const repo = await putRepo(store);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 25 * HOUR });
    const accepted = await send(store, repo, 0);
    vi.useRealTimers();
    expect(await store.sweep()).toMatchObject({ uploads: 0, reportParts: 0 });
    await expectEachOnce(store, [accepted], 1);
    await store.close();
  });

  describe('that is cut off', () => {
    /** Those that were not answered are sent again, as the action does. */
    const sendAll = async (store: Store, repo: Repo, all: readonly number[]): Promise<readonly AcceptedJob[]> => {
      const outcomes = await Promise.allSettled(all.map((n) => send(store, repo, n)));
      standIn.beforeOperation(undefined);
      await expectReports(store, repo);
      return Promise.all(
        outcomes.map((outcome, index) => {
          if (outcome.status === 'fulfilled') return outcome.value;
          expect(outcome.reason).toMatchObject({ code: 'unavailable' });
          return send(store, repo, all[index] ?? 0);
        }),
      );
    };
    /** Whatever a build names is there. */
    const expectReports = async (store: Store, repo: Repo): Promise<void> => {
      for (let n = 0; n < BUILDS; n += 1) {
        for (const { id, jobs } of await store.builds.ofCommit(repo.id, hex(n))) {
          const stored = await store.jobs.ofBuild(id);
          expect(stored).toHaveLength(jobs);
          expect(await store.jobs.reports(stored.map((job) => job.id))).toHaveLength(jobs);
        }
      }
    };

    it.each([0, 1, 2, 3])(
      'before operation %i of an accept, or its answer, names no job without its report',
      async (at) => {
        const { store } = await open();
        const repo = await putRepo(store);
        const [n = 0] = await openBuilds(store, repo, 1);
        standIn.beforeOperation(({ index }) => (index === at ? 'cut' : 'go'));
        const [accepted] = await sendAll(store, repo, [n]);
        expect(accepted?.job.number).toBe(2);
        expect((await store.builds.find(accepted?.build.id ?? 0))?.jobs).toBe(2);
        await store.close();
      },
    );

    it('anywhere in the command of many loses none and takes none twice', async () => {
      const { store } = await open();
      const repo = await putRepo(store);
      const accepted: AcceptedJob[] = [];
      await openBuilds(store, repo, 0);
      // The first goes alone; with the others, seven reports come first, then seven jobs and seven builds.
      const places = [4, 7, 13, 14, 17, 20, 21];
      const cuts: number[] = [];
      for (const [round, at] of places.entries()) {
        standIn.beforeOperation(({ index }) => {
          if (index !== at) return 'go';
          cuts.push(at);
          return 'cut';
        });
        const sends = Array.from({ length: BUILDS }, (_, n) => BUILDS * (round + 1) + n);
        accepted.push(...(await sendAll(store, repo, sends)));
      }
      expect(cuts.length).toBeGreaterThan(places.length / 2);
      await expectEachOnce(store, accepted, places.length + 1);
      await store.close();
    });
  });

  it.each([
    [59, 'CommandNotFound'],
    [115, 'CommandNotSupported'],
    [72, 'InvalidOptions'],
    [13, 'Unauthorized'],
  ])(
    'goes back to three commands for good where the command is refused (%i, %s), and says so once',
    async (code, codeName) => {
      const warnings: string[] = [];
      const { store, commands } = await open({ onWarning: (text) => warnings.push(text) });
      const repo = await putRepo(store);
      standIn.refuse({ code, codeName });
      const next = await openBuilds(store, repo, BUILDS);
      await expectEachOnce(store, await Promise.all(next.map((n) => send(store, repo, n))), 2);
      expect(commands.filter((one) => one.startsWith('bulkWrite'))).toHaveLength(1);
      expect(warnings).toEqual([
        `MongoDB is 8.0 or later, but refuses bulkWrite (${codeName}, ${code}), so an upload takes three commands ` +
          'instead of one. Check its featureCompatibilityVersion and the role of its user, then restart this server.',
      ]);
      await store.close();
    },
  );

  it('writes a report over a megabyte before the command', async () => {
    const { store, commands } = await open();
    const repo = await putRepo(store);
    await accept(store, repo.id);
    commands.splice(0);
    const { job } = await accept(store, repo.id, {}, { report: new Uint8Array(2_000_000).fill(7) });
    expect(commands.filter((one) => one.startsWith('insert')).sort()).toEqual(['insert jobs', 'insert report_parts']);
    expect((await store.jobs.reports([job.id]))[0]).toHaveLength(2_000_000);
    await store.close();
  });
});
