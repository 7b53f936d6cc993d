import { describe, expect, it } from 'vitest';
import { storedOf } from '../../server/src/compose/services.ts';
import type { Build } from '../../server/src/core/builds/build.ts';
import type { JobFacts } from '../../server/src/core/builds/job.ts';
import type { Repo } from '../../server/src/core/repo/repo.ts';
import type { Retention, UnverifiedRetention } from '../../server/src/core/repo/retention.ts';
import { expiredBuilds } from '../../server/src/operations/expired-builds.ts';
import { removeExpired } from '../../server/src/operations/remove-expired.ts';
import { accept, close, flag, hex, putRepo, result, T0 } from './records.ts';
import type { Subject } from './store-contract.ts';

const DAY = 86_400_000;
const NONE: Retention = { days: undefined, builds: undefined };
const ANY: UnverifiedRetention = { perRepo: undefined, perPull: undefined };

/** What is removed of builds that are too old or too many: of each store, since its queries decide. */
export function describeRetention(subject: Subject): void {
  let builds = 0;
  /** A closed build, `age` days old at NOW. */
  const NOW = T0 + 400 * DAY;
  const put = async (
    repo: Repo,
    { age, ...stated }: Partial<JobFacts> & { readonly age: number },
    found: Parameters<typeof result>[0] = {},
  ): Promise<Build> => {
    builds += 1;
    const { store } = subject;
    const facts = { serviceNumber: String(builds), commit: hex(builds, 40), parallel: false, ...stated };
    const { build } = await accept(store, repo.id, facts, { at: subject.itIs(NOW - age * DAY) });
    return close(store, build, { result: result(found) });
  };
  const remove = async (retention: Retention, isTrial = false, unverifiedRetention = ANY) => {
    const clock = { now: () => NOW };
    const reader = { listTexts: async () => new Uint32Array() };
    const config = { retention, unverifiedRetention };
    const services = { ...storedOf(subject.store), clock, config, reader, turn: async () => {} };
    const removal = { isTrial, textLooks: 0, onKept: () => undefined };
    const told: [string, number][] = [];
    for await (const { repo, builds: count } of removeExpired(services, removal)) told.push([repo.name, count]);
    return told;
  };
  const left = async (repo: Repo): Promise<readonly number[]> => {
    const page = { repoId: repo.id, branch: undefined, offset: 0, limit: 100 };
    return (await subject.store.builds.list(page)).builds.map(({ id }) => id).sort((a, b) => a - b);
  };
  const ids = (...some: readonly Build[]): readonly number[] => some.map(({ id }) => id).sort((a, b) => a - b);

  describe('retention', () => {
    it('removes builds beyond an age or a number, the oldest first, and nothing without a limit', async () => {
      const repo = await putRepo(subject.store);
      const old = await put(repo, { age: 90, branch: 'main' });
      const older = await put(repo, { age: 80, branch: 'main' });
      const recent = await put(repo, { age: 20, branch: 'main' });
      const newest = await put(repo, { age: 10, branch: 'main' });
      expect(await remove(NONE)).toEqual([]);
      expect(await remove({ ...NONE, days: 30 }, true)).toEqual([[repo.name, 2]]);
      expect(await left(repo)).toEqual(ids(old, older, recent, newest));
      expect(await remove({ ...NONE, builds: 3 })).toEqual([[repo.name, 1]]);
      expect(await left(repo)).toEqual(ids(older, recent, newest));
      expect(await subject.store.jobs.ofBuild(old.id)).toEqual([]);
      expect(await remove({ ...NONE, days: 30 })).toEqual([[repo.name, 1]]);
      expect(await remove({ ...NONE, days: 30 })).toEqual([]);
      expect(await left(repo)).toEqual(ids(recent, newest));
    });

    it('keeps the newest of each branch, tag and flag, whatever their age', async () => {
      const repo = await putRepo(subject.store);
      await put(repo, { age: 300, branch: 'main', flag: 'unit' }, { flags: [flag('unit')] });
      const withFlag = await put(repo, { age: 200, branch: 'main', flag: 'slow' }, { flags: [flag('slow')] });
      const main = await put(repo, { age: 100, branch: 'main', flag: 'unit' }, { flags: [flag('unit')] });
      const topic = await put(repo, { age: 250, branch: 'topic' });
      const tag = await put(repo, { age: 240, branch: 'v1', tag: true });
      expect(await remove({ days: 30, builds: 1 })).toEqual([[repo.name, 1]]);
      expect(await left(repo)).toEqual(ids(withFlag, main, topic, tag));
    });

    it('keeps the base and the newest build of a pull request only while it may be open', async () => {
      const repo = await putRepo(subject.store);
      const pick = (base: Build) => ({
        base: {
          buildId: base.id,
          number: base.number,
          commit: base.commit,
          branch: 'main',
          rule: 'base-branch' as const,
          commitsAway: undefined,
          closeCount: 1,
        },
      });
      const forgotten = await put(repo, { age: 390, branch: 'main' });
      await put(repo, { age: 380, pullRequest: 5 }, pick(forgotten));
      const base = await put(repo, { age: 60, branch: 'main' });
      await put(repo, { age: 25, pullRequest: 7 }, pick(base));
      const pull = await put(repo, { age: 20, pullRequest: 7 }, pick(base));
      const main = await put(repo, { age: 5, branch: 'main' });
      expect(await remove({ days: 10, builds: undefined })).toEqual([[repo.name, 3]]);
      expect(await left(repo)).toEqual(ids(base, pull, main));
    });

    it('keeps open builds', async () => {
      const repo = await putRepo(subject.store);
      const { build } = await accept(subject.store, repo.id, {}, { at: subject.itIs(NOW - 200 * DAY) });
      await put(repo, { age: 1, branch: 'main' });
      expect(await remove({ days: 10, builds: undefined })).toEqual([]);
      expect(await left(repo)).toContain(build.id);
    });

    it('counts builds of unverified runs among themselves, and removes them first (rule 29)', async () => {
      const repo = await putRepo(subject.store);
      const fork = { pullRequest: 9, trust: 'run' } as const;
      const trusted = [];
      for (const age of [60, 50, 40, 30, 20, 15]) trusted.push(await put(repo, { age, branch: 'main' }));
      const forks = [];
      for (let age = 11; age > 0; age -= 1) forks.push(await put(repo, { age, ...fork }));
      expect(await remove({ ...NONE, builds: 10 })).toEqual([[repo.name, 1]]);
      expect(await left(repo)).toEqual(ids(...trusted, ...forks.slice(1)));
      const order = [];
      const config = { retention: { ...NONE, builds: 4 }, unverifiedRetention: ANY };
      const services = { ...storedOf(subject.store), clock: { now: () => NOW }, config, turn: async () => {} };
      for await (const { id } of expiredBuilds(services, repo)) order.push(id);
      expect(order).toEqual([...forks.slice(1, 7), ...trusted.slice(0, 2)].map(({ id }) => id));
    });

    it('keeps that many unverified builds of a pull request and of a repo, and those in progress', async () => {
      const repo = await putRepo(subject.store);
      const run = { trust: 'run' } as const;
      const first = await put(repo, { age: 40, ...run, pullRequest: 1 });
      const main = await put(repo, { age: 39, branch: 'main' });
      const busy = [];
      for (let age = 15; age > 11; age -= 1) busy.push(await put(repo, { age, ...run, pullRequest: 2 }));
      const at = subject.itIs(NOW - 11 * DAY);
      const { build: open } = await accept(
        subject.store,
        repo.id,
        { ...run, pullRequest: 2, serviceNumber: 'x' },
        { at },
      );
      const other = await put(repo, { age: 10, ...run, pullRequest: 3 });
      expect(await remove(NONE, false, { ...ANY, perPull: 3 })).toEqual([[repo.name, 2]]);
      expect(await left(repo)).toEqual(ids(first, main, ...busy.slice(2), open, other));
      // Where no host says that it is closed, a pull request is open for 30 days after its newest build.
      expect(await remove(NONE, false, { ...ANY, perRepo: 1 })).toEqual([[repo.name, 2]]);
      expect(await left(repo)).toEqual(ids(main, ...busy.slice(3), open, other));
      expect(await remove(NONE, false, { perRepo: 1, perPull: 1 })).toEqual([]);
    });

    it('a repo may keep less than the server, never more', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const settings = { retentionDays: 50, retentionBuilds: 1_000 };
      await store.repos.update({ repoId: repo.id, settings, at: T0 });
      const all = [];
      for (const age of [100, 60, 40, 20]) all.push(await put(repo, { age, branch: 'main' }));
      expect(await remove({ days: 365, builds: undefined })).toEqual([[repo.name, 2]]);
      expect(await remove({ days: 30, builds: undefined })).toEqual([[repo.name, 1]]);
      expect(await left(repo)).toEqual(ids(...all.slice(3)));
    });
  });
}
