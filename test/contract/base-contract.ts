import { describe, expect, it } from 'vitest';
import type { BasePick, Build } from '../../server/src/core/builds/build.ts';
import type { BuildFacts } from '../../server/src/core/builds/build-facts.ts';
import type { JobFacts } from '../../server/src/core/builds/job.ts';
import { reviseBuild } from '../../server/src/core/builds/revise-build.ts';
import type { Store } from '../../server/src/storage/store.ts';
import { accept, close, facts, flag, hex, MINUTE, putClosed, putRepo, result, SHA, T0 } from './records.ts';
import type { Subject } from './store-contract.ts';

const ids = (builds: readonly Build[]): readonly number[] => builds.map(({ id }) => id);
const FACTS: BuildFacts = {
  askedAt: T0,
  complete: true,
  pull: undefined,
  tree: hex(5),
  mergeParent: hex(6),
  mergeBase: undefined,
  ancestorsOf: hex(6),
};

const pickOf = (base: Build): BasePick => ({
  buildId: base.id,
  number: base.number,
  commit: base.commit,
  branch: undefined,
  rule: 'ancestor',
  commitsAway: 2,
  closeCount: 1,
});

/** What rules 18 and 20 ask, and what providers and administrators change. */
export function describeBaseQuestions(subject: Subject): void {
  describe('builds and their bases', () => {
    it('are found by any of several commits, each once', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const other = await putRepo(store, { name: 'octo/other' });
      const one = await putClosed(store, repo.id, { serviceNumber: '1', commit: hex(1), testedCommit: hex(2) });
      const two = (await accept(store, repo.id, { serviceNumber: '2', commit: hex(3) })).build;
      await putClosed(store, repo.id, { serviceNumber: '3', commit: hex(4) });
      await putClosed(store, other.id, { commit: hex(1) });
      const found = await store.builds.ofCommits(repo.id, [hex(1), hex(2), hex(3), hex(9)]);
      expect(ids(found).toSorted()).toEqual(ids([one, two]).toSorted());
      expect(await store.builds.ofCommits(repo.id, [])).toEqual([]);
    });

    it('have commits that are found by their first digits, but for unverified runs', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const other = await putRepo(store, { name: 'octo/other' });
      const long = (end: string): string => `abcdef1${'0'.repeat(32)}${end}`;
      for (const serviceNumber of ['1', '2'])
        await putClosed(store, repo.id, { serviceNumber, commit: long('a'), testedCommit: hex(2) });
      await accept(store, repo.id, { serviceNumber: '3', commit: long('b') });
      await accept(store, repo.id, { serviceNumber: '4', commit: long('c'), trust: 'run' });
      await accept(store, other.id, { commit: long('d') });
      const ask = (digits: string, limit = 5) => store.builds.commitsStarting({ repoId: repo.id, digits, limit });
      expect((await ask('abcdef1')).toSorted()).toEqual([long('a'), long('b')]);
      expect(await ask('abcdef1', 1)).toHaveLength(1);
      expect(await ask(long('a').slice(0, 39))).toHaveLength(2);
      expect([await ask(hex(2).slice(0, 39)), await ask('abcdef2')]).toEqual([[hex(2)], []]);
    });

    it('are found by their tag, which no branch of its name has', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const put = (serviceNumber: string, stated: Partial<JobFacts>) =>
        putClosed(store, repo.id, { serviceNumber, commit: hex(Number(serviceNumber)), branch: 'v1', ...stated });
      const one = await put('1', { tag: true });
      const two = await put('2', { tag: true });
      const branch = await put('3', {});
      await put('4', { tag: true, pullRequest: 9 });
      await put('5', { tag: true, trust: 'run' });
      await accept(store, repo.id, { serviceNumber: '6', commit: hex(6), branch: 'v1', tag: true });
      const query = { repoId: repo.id, before: undefined, limit: 5 };
      expect(ids(await store.builds.bases({ ...query, scope: { tag: 'v1' } }))).toEqual(ids([two, one]));
      expect(ids(await store.builds.closed({ ...query, scope: { tag: 'v1' } }))).toEqual(ids([two, one]));
      expect(ids(await store.builds.bases({ ...query, scope: { branch: 'v1' } }))).toEqual([branch.id]);
    });

    it('are found by what they wait for, until they close otherwise (rule 20)', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const ask = (...missingBases: string[]) =>
        store.builds.withMissingBase({ repoId: repo.id, missingBases, limit: 5 });
      const { build } = await accept(store, repo.id);
      const waiting = await close(store, build, {
        after: { missingBases: [`commit:${hex(7)}`, `commit:${hex(8)}`], backfill: false },
      });
      const { build: second } = await accept(store, repo.id, { serviceNumber: '72', commit: hex(2) });
      const later = await close(store, second, { after: { missingBases: [`commit:${hex(8)}`] } });
      expect(ids(await ask(`commit:${hex(8)}`, 'branch:main'))).toEqual(ids([later, waiting]));
      expect(ids(await ask(`commit:${hex(7)}`))).toEqual([waiting.id]);
      expect(
        await store.builds.withMissingBase({ repoId: repo.id, missingBases: [`commit:${hex(8)}`], limit: 1 }),
      ).toHaveLength(1);
      const { build: late } = await accept(store, repo.id);
      await close(store, late);
      expect(ids(await ask(`commit:${hex(7)}`, `commit:${hex(8)}`))).toEqual([later.id]);
    });

    it('are found by the base that they took', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const base = await putClosed(store, repo.id, { serviceNumber: '1' });
      const one = await putClosed(store, repo.id, { serviceNumber: '2', commit: hex(2) }, { base: pickOf(base) });
      const two = await putClosed(store, repo.id, { serviceNumber: '3', commit: hex(3) }, { base: pickOf(base) });
      expect(ids(await store.builds.basedOn({ repoId: repo.id, buildId: base.id, limit: 5 }))).toEqual(ids([two, one]));
      expect(await store.builds.basedOn({ repoId: repo.id, buildId: one.id, limit: 5 })).toEqual([]);
    });

    it('are found by their CI’s number, open and closed, newest first', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const one = await putClosed(store, repo.id, { serviceNumber: '7' });
      const two = (await accept(store, repo.id, { serviceNumber: '7', commit: hex(2) })).build;
      await accept(store, repo.id, { serviceNumber: '8' });
      expect(ids(await store.builds.ofServiceNumber(repo.id, '7', 5))).toEqual(ids([two, one]));
      expect(await store.builds.ofServiceNumber(repo.id, '7', 1)).toEqual([two]);
    });
  });

  describe('a failure that is accepted', () => {
    const verdict = { ...result().verdict, state: 'failure' } as const;
    const by = { by: 'mona', at: T0 + MINUTE, reason: 'it goes `next` week' };

    it('is so in the build, in what pages read of it, and at its next close, until it is taken back', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const failing = { ...flag('web'), verdict };
      const build = await putClosed(store, repo.id, {}, { verdict, flags: [failing, flag('api')] });
      const ask = () => store.builds.revise({ buildId: build.id, revision: { kind: 'accepted', by } });
      const accepted = await ask();
      expect(accepted).toMatchObject({ result: { acceptance: { ...by, holds: true }, verdict: { accepted: true } } });
      expect(await store.builds.find(build.id)).toEqual(accepted);
      expect(await store.builds.nextDueAt()).toBe(by.at);
      const { acceptance: _, ...summary } = accepted as Build;
      const [view, seen] = [await store.views.find(build.id), await store.views.summary(build.id)];
      expect([view?.result?.acceptance, seen?.result?.acceptance]).toEqual(Array(2).fill({ ...by, holds: true }));
      expect(seen).not.toHaveProperty('acceptance');
      expect(seen?.revision).toBe(summary.revision);
      const flags = await store.views.flags({ buildId: build.id, failingFirst: true, offset: 0, limit: 5 });
      expect(flags.flags.map((one) => one.verdict.accepted)).toEqual([true, undefined]);
      const back = { kind: 'no-longer-accepted', at: T0 + 2 * MINUTE } as const;
      expect((await store.builds.revise({ buildId: build.id, revision: back }))?.result?.acceptance).toBeUndefined();
      expect((await store.views.flag(build.id, 'web'))?.verdict.accepted).toBeUndefined();
    });

    it('is only the one that was seen', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const build = await putClosed(store, repo.id, {}, { verdict });
      const accept = (closedAt: number) =>
        store.builds.revise({ buildId: build.id, revision: { kind: 'accepted', by, closedAt } });
      expect((await accept(T0 - 1))?.acceptance).toBeUndefined();
      expect((await accept(build.result?.closedAt ?? 0))?.acceptance).toBeDefined();
    });
  });

  describe('a build that no job opened', () => {
    const because = 'nothing-due';
    const open = (store: Store, repoId: number, stated: Partial<JobFacts> = {}) =>
      store.builds.openEmpty({ repoId, facts: facts(stated), because, carryforward: ['web'], quiet: MINUTE, at: T0 });

    it('is opened beside a build of its commit that another client opened without a number', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const { build } = await accept(store, repo.id, { serviceNumber: undefined });
      expect(await open(store, repo.id)).toMatchObject({ sequence: build.sequence + 1, jobs: 0 });
    });

    it('has its close due, and what was stated of it', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const build = await open(store, repo.id, { pullRequest: 5 });
      expect(build).toMatchObject({
        sequence: 1,
        jobs: 0,
        commit: SHA,
        pullRequest: 5,
        state: 'open',
        carryforward: ['web'],
      });
      expect(build).toMatchObject({ due: [{ kind: 'close', by: 'provider', at: T0 }], emptyBecause: 'nothing-due' });
      expect(await store.builds.find(build?.id ?? 0)).toEqual(build);
      expect(await store.builds.nextDueAt()).toBe(T0);
      expect(await store.jobs.ofBuild(build?.id ?? 0)).toEqual([]);
      expect(await store.builds.ofCommit(repo.id, SHA)).toEqual([build]);
      expect(await store.builds.list({ repoId: repo.id, branch: undefined, offset: 0, limit: 5 })).toMatchObject({
        total: 1,
      });
    });

    it('is opened once, and taken by the jobs that come after all', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const builds = await Promise.all([open(store, repo.id), open(store, repo.id)]);
      expect(new Set(builds.map((build) => build?.id)).size).toBe(1);
      const { build } = await accept(store, repo.id);
      expect(build).toMatchObject({ id: builds[0]?.id, jobs: 1 });
      expect(build.emptyBecause).toBeUndefined();
    });

    it('is not opened where a job opened it, nor for a repo that is gone', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const { build } = await accept(store, repo.id);
      expect(await open(store, repo.id)).toEqual(build);
      expect(await open(store, 99)).toBeUndefined();
    });
  });

  describe('a build that is revised', () => {
    it('is what the domain says, whatever it was when that was decided', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const { build } = await accept(store, repo.id);
      const { build: moved } = await accept(store, repo.id);
      const revision = { kind: 'facts', facts: FACTS, target: SHA } as const;
      const revised = await store.builds.revise({ buildId: build.id, revision });
      expect(revised).toEqual(reviseBuild(moved, revision));
      expect(await store.builds.find(build.id)).toEqual(revised);
      expect(await store.builds.revise({ buildId: 99, revision })).toBeUndefined();
    });

    it('is due again when it is to be closed again', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const closed = await putClosed(store, repo.id);
      expect(await store.builds.nextDueAt()).toBeUndefined();
      await store.builds.revise({ buildId: closed.id, revision: { kind: 'revisit', at: T0 + MINUTE } });
      expect(await store.builds.nextDueAt()).toBe(T0 + MINUTE);
      const again = (await store.builds.find(closed.id)) as Build;
      await close(store, again);
      expect(await store.builds.nextDueAt()).toBeUndefined();
    });

    it('has a backfill due until one was done after its last close (rule 20)', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const { build } = await accept(store, repo.id);
      await close(store, build, { after: { backfill: true }, result: result({ closeCount: 2 }) });
      expect(await store.builds.nextDueAt()).toBe(T0);
      await store.builds.revise({ buildId: build.id, revision: { kind: 'backfilled', closeCount: 1 } });
      expect(await store.builds.nextDueAt()).toBe(T0);
      await store.builds.revise({ buildId: build.id, revision: { kind: 'backfilled', closeCount: 2 } });
      expect(await store.builds.nextDueAt()).toBeUndefined();
    });

    it('counts for the branch that it landed on, under the commit there', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const closed = await putClosed(store, repo.id, { pullRequest: 5, commit: hex(2) });
      const query = { repoId: repo.id, scope: { branch: 'main' }, before: undefined, limit: 5 } as const;
      expect(await store.builds.bases(query)).toEqual([]);
      const landing = { branch: 'main', commit: hex(3), how: 'same-tree', at: T0 } as const;
      const landed = await store.builds.revise({ buildId: closed.id, revision: { kind: 'landed', landing } });
      expect(await store.builds.bases(query)).toEqual([landed]);
      expect(await store.builds.ofCommit(repo.id, hex(3))).toEqual([landed]);
      expect(await store.builds.list({ repoId: repo.id, branch: 'main', offset: 0, limit: 5 })).toMatchObject({
        total: 1,
      });
      expect(await store.builds.ofPullRequest(repo.id, 5, 5)).toEqual([landed]);
    });

    it('is no base while an administrator excludes it', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const closed = await putClosed(store, repo.id, { branch: 'main' });
      const query = { repoId: repo.id, scope: { branch: 'main' }, before: undefined, limit: 5 } as const;
      const excluded = { by: 'alice', at: T0 };
      await store.builds.revise({ buildId: closed.id, revision: { kind: 'excluded-as-base', excluded } });
      expect(await store.builds.bases(query)).toEqual([]);
      expect(await store.builds.closed(query)).toHaveLength(1);
      await store.builds.revise({ buildId: closed.id, revision: { kind: 'excluded-as-base', excluded: undefined } });
      expect(await store.builds.bases(query)).toHaveLength(1);
    });
  });
}
