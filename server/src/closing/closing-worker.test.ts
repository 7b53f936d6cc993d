import { beforeEach, describe, expect, test } from 'vitest';
import { accept, putRepo, T0 } from '../../../test/contract/records.ts';
import { createLogbook } from '../../../test/support/logbook.ts';
import type { Build } from '../core/builds/build.ts';
import { Failure } from '../core/failure.ts';
import { openSqliteStore } from '../storage/sqlite/open-sqlite.ts';
import type { Store } from '../storage/store.ts';
import { type ClosingTasks, createClosingWorker } from './closing-worker.ts';

const HOUR = 3_600_000;

let store: Store;
let now: number;
beforeEach(() => {
  store = openSqliteStore({ path: ':memory:', busyTimeout: 0 });
  now = T0;
});

/** A worker of another process each time; what it closes fails unless a test says otherwise. */
function worker(stated: Partial<ClosingTasks> = {}) {
  const services = { builds: store.builds, clock: { now: () => now }, logger: createLogbook(), onResumed: () => {} };
  const tasks: ClosingTasks = {
    closeBuild: () => Promise.reject(new Failure('unavailable', 'The database is away.')),
    postPending: async () => undefined,
    reevaluateDependents: async () => {},
    settleLanding: async () => {},
    reportTrouble: async (build) => void told.push(build),
    ...stated,
  };
  return createClosingWorker(services, tasks, 2);
}
const told: number[] = [];

const putDue = async (repoId: number, number = '71'): Promise<Build> =>
  (await accept(store, repoId, { serviceNumber: number, parallel: false }, { at: T0 })).build;
const stored = async ({ id }: Build): Promise<Build> => (await store.builds.find(id)) as Build;

async function round(from = worker()): Promise<number> {
  now += HOUR;
  const claimed = await from.claim(10);
  for (const build of claimed) await from.work(build);
  return claimed.length;
}

describe('a build that cannot be closed', () => {
  test('is set aside after its attempts, which the store counts, and put back to work by a rerun', async () => {
    const repo = await putRepo(store);
    const build = await putDue(repo.id);
    for (let attempt = 1; attempt < 10; attempt += 1) expect(await round()).toBe(1);
    expect((await stored(build)).attempts).toMatchObject({ count: 9, reason: 'The database is away.' });
    expect(await store.builds.listSetAside(5)).toEqual([]);
    await round();
    const { attempts } = await stored(build);
    expect(attempts).toEqual({ count: 10, at: now, reason: 'The database is away.', setAside: true });
    expect(await round()).toBe(0);
    expect(await store.builds.nextDueAt()).toBeUndefined();
    expect(await store.builds.listSetAside(5)).toEqual([await stored(build)]);
    expect(told.at(-1)).toBe(build.id);
    await store.builds.requestRerun({ repoId: repo.id, buildNumber: '71', at: now });
    expect(await store.builds.listSetAside(5)).toEqual([]);
    expect(await round()).toBe(1);
    expect((await stored(build)).attempts?.setAside).toBe(true);
  });

  test('is counted before it begins: one that ends every process that tries is set aside too', async () => {
    const repo = await putRepo(store);
    const build = await putDue(repo.id);
    for (let crash = 1; crash <= 10; crash += 1) {
      now += HOUR;
      // Never ends: the process is gone.
      const dying = worker({ closeBuild: () => new Promise(() => {}) });
      for (const claimed of await dying.claim(1)) void dying.work(claimed);
      await store.builds.find(build.id);
      expect((await stored(build)).attempts?.count).toBe(crash);
      await store.outbox.voidLeases();
    }
    const closed: number[] = [];
    await round(worker({ closeBuild: async (id) => void closed.push(id) as undefined }));
    expect(closed).toEqual([]);
    expect((await stored(build)).attempts).toMatchObject({ count: 10, setAside: true });
  });
});

test('one repo has no more than its lanes, however much of it is due', async () => {
  const [busy, other] = [await putRepo(store, { name: 'octo/busy' }), await putRepo(store, { name: 'octo/other' })];
  for (const number of ['1', '2', '3', '4']) await putDue(busy.id, number);
  const waiting = worker({ closeBuild: () => new Promise(() => {}) });
  now += HOUR;
  const first = await waiting.claim(6);
  for (const build of first) void waiting.work(build);
  expect(first.map(({ number }) => number)).toEqual(['1', '2']);
  expect(await waiting.claim(4)).toEqual([]);
  const late = await putDue(other.id, '5');
  expect((await waiting.claim(4)).map(({ id }) => id)).toEqual([late.id]);
  expect(await waiting.nextDueAt()).toBeGreaterThan(now);
});
