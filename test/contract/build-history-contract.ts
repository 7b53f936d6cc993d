import { describe, expect, it } from 'vitest';
import type { Build } from '../../server/src/core/builds/build.ts';
import { NO_TOTALS } from '../../server/src/core/coverage/totals.ts';
import type { ClosedQuery } from '../../server/src/storage/build-store.ts';
import { accept, close, flag, hex, pendingPost, putClosed, putRepo, type result, SHA, T0 } from './records.ts';
import type { Subject } from './store-contract.ts';

const ids = (builds: readonly (Build | undefined)[]): readonly (number | undefined)[] =>
  builds.map((build) => build?.id);
const query = (repoId: number, scope: ClosedQuery['scope'] = 'repo', more: Partial<ClosedQuery> = {}): ClosedQuery => ({
  repoId,
  scope,
  before: undefined,
  limit: 10,
  ...more,
});

export function describeBuildHistory(subject: Subject): void {
  describe('builds by commit and pull request', () => {
    it('finds builds by commit, tested commit and target, newest first', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const other = await putRepo(store, { name: 'octo/other' });
      const byCommit = (await accept(store, repo.id, { serviceNumber: '1' })).build;
      const byTested = (await accept(store, repo.id, { serviceNumber: '2', commit: hex(2), testedCommit: SHA })).build;
      const third = (await accept(store, repo.id, { serviceNumber: '3', commit: hex(3) })).build;
      const byTarget = await store.builds.postPending(pendingPost(third, { target: SHA }));
      const elsewhere = (await accept(store, other.id, { serviceNumber: '4' })).build;
      expect(ids(await store.builds.ofCommit(repo.id, SHA))).toEqual(ids([byTarget, byTested, byCommit]));
      expect(await store.builds.ofCommit(other.id, SHA)).toEqual([elsewhere]);
      const everywhere = await store.builds.findByCommit(SHA);
      expect(ids(everywhere).toSorted()).toEqual(ids([byCommit, byTested, byTarget, elsewhere]));
      expect(everywhere.map(({ sequence }) => sequence)).toEqual([3, 2, 1, 1]);
      expect(await store.builds.findByCommit(hex(9))).toEqual([]);
      await close(store, byTarget ?? third, { target: hex(4) });
      expect(ids(await store.builds.ofCommit(repo.id, SHA))).toEqual(ids([byTested, byCommit]));
      expect(ids(await store.builds.ofCommit(repo.id, hex(3)))).toEqual([third.id]);
    });

    it('answers at most 100 builds of a commit', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      for (let n = 0; n < 101; n += 1) await accept(store, repo.id, { serviceNumber: `${n}` });
      const found = await store.builds.ofCommit(repo.id, SHA);
      expect(found.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 100 }, (_, n) => 101 - n));
      expect(await store.builds.findByCommit(SHA)).toEqual(found);
    });

    it('finds the builds of a pull request, open ones too', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const first = await putClosed(store, repo.id, { pullRequest: 5, serviceNumber: '1' });
      const second = (await accept(store, repo.id, { pullRequest: 5, serviceNumber: '2', trust: 'run' })).build;
      await accept(store, repo.id, { pullRequest: 6, serviceNumber: '3' });
      expect(await store.builds.ofPullRequest(repo.id, 5, 9)).toEqual([second, first]);
      const third = await putClosed(store, repo.id, { pullRequest: 5, serviceNumber: '4', trust: 'run' });
      expect(await store.builds.ofPullRequest(repo.id, 5, 1)).toEqual([third, first]);
    });

    it('never loses a trusted build among those of unverified runs (rule 29)', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const of = { commit: SHA, pullRequest: 5, serviceNumber: '1' };
      const { build: trusted } = await accept(store, repo.id, of);
      const fork = { ...of, trust: 'run' } as const;
      for (let n = 2; n <= 102; n += 1) await accept(store, repo.id, { ...fork, serviceNumber: `${n}` });
      const { builds, views } = store;
      const some = { repoIds: [repo.id], limit: 20 };
      const answers = await Promise.all([
        builds.findByCommit(SHA),
        builds.ofCommit(repo.id, SHA),
        views.search({ ...some, by: { commit: SHA.slice(0, 8) } }),
        views.search({ ...some, by: { pullRequest: 5 } }),
      ]);
      expect(answers.map((found) => found.at(-1)?.id)).toEqual(answers.map(() => trusted.id));
      expect(answers.map((found) => found.length)).toEqual([101, 101, 21, 21]);
      // What it waits for: a job of its commit, a close without a number.
      const byCommit = { ...of, serviceNumber: undefined, flag: 'more' };
      expect((await accept(store, repo.id, byCommit)).build.id).toBe(trusted.id);
      const request = { repoId: repo.id, buildNumber: undefined, carryforward: undefined, at: T0 };
      expect((await builds.requestClose(request))?.id).toBe(trusted.id);
    });
  });

  describe('closed builds', () => {
    it('have a result, are newest first, of this repo, and not of unverified runs', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const other = await putRepo(store, { name: 'octo/other' });
      const first = await putClosed(store, repo.id, { serviceNumber: '1' });
      const second = await putClosed(store, repo.id, { serviceNumber: '2', trust: 'provider' });
      await putClosed(store, repo.id, { serviceNumber: '3', trust: 'run' }, { flags: [flag('unit')] });
      await accept(store, repo.id, { serviceNumber: '4' });
      await putClosed(store, other.id);
      expect(await store.builds.closed(query(repo.id))).toEqual([second, first]);
      expect(await store.builds.closed(query(repo.id, 'repo', { limit: 1 }))).toEqual([second]);
      expect(await store.builds.closed(query(repo.id, 'repo', { before: 2 }))).toEqual([first]);
      expect(await store.builds.bases(query(repo.id))).toEqual([second, first]);
      expect(await store.builds.withFlag({ ...query(repo.id), flag: 'unit' })).toEqual([]);
    });

    it('stay so while a late job has re-opened them (rule 12)', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      await putClosed(store, repo.id, { branch: 'main' }, { flags: [flag('unit')] });
      const { build } = await accept(store, repo.id);
      expect(build.state).toBe('open');
      expect(await store.builds.closed(query(repo.id, { branch: 'main' }))).toEqual([build]);
      expect(await store.builds.bases(query(repo.id))).toEqual([build]);
      expect(await store.builds.withFlag({ ...query(repo.id), flag: 'unit' })).toEqual([build]);
    });

    it('are on a branch without pull request, tag or merge queue only', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const branch = 'main';
      const push = await putClosed(store, repo.id, { branch, serviceNumber: '1' }, { flags: [flag('unit')] });
      const pull = await putClosed(
        store,
        repo.id,
        { branch, serviceNumber: '2', pullRequest: 5 },
        { flags: [flag('unit')] },
      );
      await putClosed(store, repo.id, { branch, serviceNumber: '3', tag: true }, { flags: [flag('unit')] });
      await putClosed(store, repo.id, { branch, serviceNumber: '4', mergeQueue: true }, { flags: [flag('unit')] });
      await putClosed(store, repo.id, { branch: 'Main', serviceNumber: '5' }, { flags: [flag('unit')] });
      await putClosed(store, repo.id, { serviceNumber: '6' }, { flags: [flag('unit')] });
      for (const ask of [store.builds.closed, store.builds.bases]) {
        expect(await ask(query(repo.id, { branch }))).toEqual([push]);
        expect(await ask(query(repo.id, { pullRequest: 5 }))).toEqual([pull]);
        expect(await ask(query(repo.id))).toHaveLength(6);
      }
      expect(await store.builds.withFlag({ ...query(repo.id, { branch }), flag: 'unit' })).toEqual([push]);
      expect(await store.builds.withFlag({ ...query(repo.id, { pullRequest: 5 }), flag: 'unit' })).toEqual([pull]);
      expect(await store.builds.withFlag({ ...query(repo.id), flag: 'unit' })).toHaveLength(6);
    });

    it('move to the branch that a later job states', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      await putClosed(store, repo.id, {}, { flags: [flag('unit')] });
      const { build } = await accept(store, repo.id, { branch: 'main' });
      expect(await store.builds.closed(query(repo.id, { branch: 'main' }))).toEqual([build]);
      expect(await store.builds.bases(query(repo.id, { branch: 'main' }))).toEqual([build]);
      expect(await store.builds.withFlag({ ...query(repo.id, { branch: 'main' }), flag: 'unit' })).toEqual([build]);
    });
  });

  describe('bases', () => {
    it('have a percentage; complete ones come first', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const explanation = 'Two flags did not report.';
      const verdict = {
        state: 'incomplete',
        rule: 'incomplete',
        explanation,
        summary: explanation,
        provisional: false,
      } as const;
      const branches = { totals: { ...NO_TOTALS, coveredBranches: 1, branches: 2 } };
      const put = (number: string, found: Parameters<typeof result>[0]) =>
        putClosed(store, repo.id, { serviceNumber: number, branch: 'main' }, found);
      const old = await put('1', {});
      const incomplete = [await put('2', { verdict }), await put('3', { verdict })];
      const onlyBranches = await put('4', branches);
      await put('5', { totals: NO_TOTALS });
      for (const scope of ['repo', { branch: 'main' }] as const) {
        expect(ids(await store.builds.bases(query(repo.id, scope)))).toEqual(
          ids([onlyBranches, old, incomplete[1], incomplete[0]]),
        );
        expect(ids(await store.builds.bases(query(repo.id, scope, { limit: 3 })))).toEqual(
          ids([onlyBranches, old, incomplete[1]]),
        );
        expect(ids(await store.builds.bases(query(repo.id, scope, { limit: 1 })))).toEqual([onlyBranches.id]);
        expect(ids(await store.builds.bases(query(repo.id, scope, { before: 3 })))).toEqual(ids([old, incomplete[0]]));
        expect(await store.builds.closed(query(repo.id, scope))).toHaveLength(5);
      }
    });
  });

  describe('builds with a flag', () => {
    it('uploaded it; carried and missing flags do not count (rule 16)', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const put = (number: string, kind: Parameters<typeof flag>[1]) =>
        putClosed(store, repo.id, { serviceNumber: number }, { flags: [flag('unit', kind), flag('other')] });
      const first = await put('1', 'uploaded');
      await put('2', 'carried');
      await put('3', 'missing');
      const last = await put('4', 'uploaded');
      const ask = (more: Partial<ClosedQuery>, name = 'unit') =>
        store.builds.withFlag({ ...query(repo.id, 'repo', more), flag: name });
      expect(await ask({})).toEqual([last, first]);
      expect(await ask({ limit: 1 })).toEqual([last]);
      expect(await ask({ before: last.sequence })).toEqual([first]);
      expect(await ask({}, 'Unit')).toEqual([]);
      expect(await ask({}, 'other')).toHaveLength(4);
    });
  });
}
