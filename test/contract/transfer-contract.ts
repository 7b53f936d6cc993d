import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Build } from '../../server/src/core/builds/build.ts';
import type { Job } from '../../server/src/core/builds/job.ts';
import type { Repo } from '../../server/src/core/repo/repo.ts';
import { IMPORT_PAUSE, type RepoImport } from '../../server/src/storage/repo-transfers.ts';
import { accept, bytes, hex, newRepo, putClosed, putRepo, T0 } from './records.ts';
import type { Subject } from './store-contract.ts';

const NAME = 'octo/moved';
const AUDIT = { by: { kind: 'command-line' }, action: 'repo.imported', at: T0 } as const;
const TOKEN = { lookup: 'lookup of the import', sealed: 's', expiresAt: undefined };

/** A repo that comes from another server, and one that goes there. */
export function describeTransfers(subject: Subject): void {
  const { token: _, at: __, ...fresh } = newRepo({ name: NAME });
  const repo: Omit<Repo, 'id'> = { ...fresh, providerId: '99', suspended: undefined, createdAt: T0, updatedAt: T0 };
  const begin = (last = 0): Promise<RepoImport> =>
    subject.store.transfers.begin({ repo, lastBuildId: last, lastJobId: last });
  const end = (repoId: number, builds: number) => ({
    repo: { ...repo, id: repoId },
    token: TOKEN,
    lastSequence: 9,
    builds,
  });

  /** A closed build with its job, as another server has it. */
  const model = async (): Promise<{ readonly build: Build; readonly job: Job }> => {
    const other = await putRepo(subject.store, { name: 'octo/model' });
    const build = await putClosed(subject.store, other.id);
    const [job] = await subject.store.jobs.ofBuild(build.id);
    if (job === undefined) throw new Error('no job');
    return { build, job };
  };
  const add = async (to: RepoImport, { build, job }: { readonly build: Build; readonly job: Job }, id: number) => {
    const { repoId } = to;
    await to.addBuild({ ...build, id, repoId }, bytes('merged'));
    await to.addJobs([{ job: { ...job, id, buildId: id, repoId }, report: bytes('report') }]);
  };

  describe('an import', () => {
    afterEach(() => void vi.useRealTimers());

    it('is seen by nobody before its last write, and by everybody then', async () => {
      const { store } = subject;
      const { repos, builds, jobs, audit } = store;
      const from = await model();
      const to = await begin(1_000);
      expect(await to.takeBuildIds([1_000])).toEqual([1_000]);
      expect(await to.takeJobIds([1_000])).toEqual([1_000]);
      await add(to, from, 1_000);
      await to.addSources([{ digest: hex(1, 64), bytes: bytes('source') }]);
      await to.addFacts([{ key: 'a', at: T0, value: '{"b":1}' }]);
      const seen = async () => [
        await repos.find(to.repoId),
        await repos.findByName('github', NAME),
        await repos.findByProviderId('github', '99'),
        await repos.findByToken([TOKEN.lookup], T0),
        (await repos.list({ after: undefined, limit: 9 })).find(({ name }) => name === NAME),
        (await repos.ofOwner('github', 'octo')).find(({ name }) => name === NAME),
      ];
      expect(new Set(await seen())).toEqual(new Set([undefined]));
      expect(await to.finish(end(to.repoId, 1), AUDIT)).toBe(true);
      for (const found of await seen()) expect(found).toMatchObject({ id: to.repoId, name: NAME });
      expect(await builds.find(1_000)).toMatchObject({ id: 1_000, repoId: to.repoId });
      expect(await builds.report(1_000)).toEqual(bytes('merged'));
      expect(await jobs.reports([1_000])).toEqual([bytes('report')]);
      expect((await jobs.source(to.repoId, hex(1, 64)))?.bytes).toEqual(bytes('source'));
      expect(await store.facts.find(to.repoId, 'a')).toEqual({ b: 1 });
      expect(await audit.list({ newestFirst: true, limit: 1 })).toMatchObject([{ action: 'repo.imported' }]);
      const next = await accept(store, to.repoId, { serviceNumber: '500', branch: 'x' });
      expect(next.build.sequence).toBe(10);
      expect(next.build.id).toBeGreaterThan(1_000);
      expect(next.job.id).not.toBe(1_000);
      await expect(to.addFacts([])).rejects.toMatchObject({ code: 'conflict' });
    });

    it('keeps ids that no build has, and gets new ones for others', async () => {
      const { build } = await model();
      const to = await begin(build.id + 5);
      const [taken = 0, ...kept] = await to.takeBuildIds([build.id, build.id + 3, build.id + 5]);
      expect(kept).toEqual([build.id + 3, build.id + 5]);
      expect(taken).toBeGreaterThan(build.id + 5);
      expect(await subject.store.builds.find(build.id)).toMatchObject({ repoId: build.repoId });
    });

    it('leaves nothing where it is given up', async () => {
      const { store } = subject;
      const from = await model();
      const to = await begin();
      const [id = 0] = await to.takeBuildIds([700]);
      await add(to, from, id);
      await to.discard();
      expect(await store.builds.find(id)).toBeUndefined();
      await expect(add(to, from, id)).rejects.toMatchObject({ code: 'conflict' });
      await expect(to.finish(end(to.repoId, 1), AUDIT)).rejects.toMatchObject({ code: 'conflict' });
      expect(await store.repos.findByName('github', NAME)).toBeUndefined();
      expect(await store.audit.list({ newestFirst: true, limit: 1 })).toEqual([]);
    });

    it('ends an earlier one of its name, whose ids are free again', async () => {
      const from = await model();
      const cutOff = await begin(700);
      await cutOff.takeBuildIds([700]);
      await add(cutOff, from, 700);
      const again = await begin(700);
      await expect(cutOff.addFacts([])).rejects.toMatchObject({ code: 'conflict' });
      expect(await again.takeBuildIds([700])).toEqual([700]);
    });

    it('ends where its name was taken in the meantime', async () => {
      const to = await begin();
      await putRepo(subject.store, { name: NAME.toUpperCase() });
      expect(await to.finish(end(to.repoId, 0), AUDIT)).toBe(false);
      expect(await subject.store.audit.list({ newestFirst: true, limit: 1 })).toEqual([]);
    });

    it('is cleared away ten minutes after it was cut off, and not before', async () => {
      const { store } = subject;
      vi.useFakeTimers({ toFake: ['Date'], now: subject.itIs(T0) });
      const to = await begin();
      await add(to, await model(), (await to.takeBuildIds([700]))[0] ?? 0);
      vi.setSystemTime(subject.itIs(T0 + IMPORT_PAUSE - 1));
      await store.transfers.clear();
      expect(await store.builds.find(700)).toBeDefined();
      await store.sweep();
      await to.addFacts([{ key: 'a', at: T0, value: '1' }]);
      vi.setSystemTime(subject.itIs(T0 + 2 * IMPORT_PAUSE));
      await store.transfers.clear();
      expect(await store.builds.find(700)).toBeUndefined();
      await expect(to.finish(end(to.repoId, 1), AUDIT)).rejects.toMatchObject({ code: 'conflict' });
    });
  });

  describe('an export', () => {
    it('walks the builds and the facts of one repo', async () => {
      const { store } = subject;
      const { transfers } = store;
      const { id: repoId } = await putRepo(store);
      await putClosed(store, (await putRepo(store, { name: 'octo/other' })).id);
      const first = await putClosed(store, repoId);
      const second = await accept(store, repoId, { serviceNumber: '72' });
      const ids = async (sequence: number, limit: number) =>
        (await transfers.buildsAfter({ repoId, sequence, limit })).map(({ id }) => id);
      expect(await ids(0, 1)).toEqual([first.id]);
      expect(await ids(first.sequence, 5)).toEqual([second.build.id]);
      expect(await ids(second.build.sequence, 5)).toEqual([]);
      for (const key of ['b/1', 'a', 'c']) await store.facts.put({ repoId, key, value: { key }, at: T0 });
      expect(await transfers.factsAfter({ repoId, key: 'a', limit: 1 })).toEqual([
        { key: 'b/1', at: T0, value: '{"key":"b/1"}' },
      ]);
      expect(await transfers.factsAfter({ repoId, key: '', limit: 9 })).toHaveLength(3);
    });
  });
}
