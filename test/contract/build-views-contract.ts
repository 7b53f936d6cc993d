import { describe, expect, it } from 'vitest';
import type { Build, FlagResult } from '../../server/src/core/builds/build.ts';
import { summarizeBuild } from '../../server/src/core/builds/build-summary.ts';
import type { FlagPageQuery } from '../../server/src/storage/build-views.ts';
import { accept, close, flag, hex, MINUTE, putClosed, putRepo, result, SHA, say, status, T0 } from './records.ts';
import type { Subject } from './store-contract.ts';

const failing = (name: string): FlagResult => {
  const { verdict } = flag(name);
  return { ...flag(name), verdict: { ...verdict, state: 'failure', rule: 'no-decrease' } };
};
const change = { name: 'a.ts', kind: 'changed', totals: undefined, baseTotals: undefined, uncovered: [] } as const;

/** What pages and lists read of builds. */
export function describeBuildViews(subject: Subject): void {
  describe('the summaries of builds', () => {
    it('are found as the builds are, and are the builds without their lists', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      await putClosed(store, repo.id, { branch: 'main', serviceNumber: '1' }, { flags: [flag('unit')] });
      const incomplete = { ...result().verdict, state: 'incomplete', rule: 'incomplete' } as const;
      await putClosed(store, repo.id, { branch: 'main', serviceNumber: '2' }, { verdict: incomplete });
      await putClosed(store, repo.id, { pullRequest: 5, serviceNumber: '3' }, { flags: [flag('unit')] });
      await accept(store, repo.id, { serviceNumber: '4', commit: hex(4) });
      const { builds, views } = store;
      const summaries = (found: readonly Build[]) => found.map(summarizeBuild);
      for (const commit of [SHA, hex(4), hex(9)]) {
        expect(await views.findByCommit(commit)).toEqual(summaries(await builds.findByCommit(commit)));
        expect(await views.ofCommit(repo.id, commit)).toEqual(summaries(await builds.ofCommit(repo.id, commit)));
      }
      for (const scope of [{ branch: 'main' }, { pullRequest: 5 }, 'repo'] as const) {
        const query = { repoId: repo.id, scope, before: undefined, limit: 5 };
        const flagged = { ...query, flag: 'unit' };
        expect(await views.closed(query)).toEqual(summaries(await builds.closed(query)));
        expect(await views.bases(query)).toEqual(summaries(await builds.bases(query)));
        expect(await views.withFlag(flagged)).toEqual(summaries(await builds.withFlag(flagged)));
      }
      await accept(store, repo.id, { pullRequest: 5, serviceNumber: '5', commit: hex(5) });
      const ofPull = summaries(await builds.ofPullRequest(repo.id, 5, 9));
      expect(ofPull).toHaveLength(2);
      for (const [offset, limit] of [
        [0, 9],
        [0, 1],
        [1, 9],
        [2, 9],
        [0, 0],
      ] as const) {
        const found = await views.ofPullRequest({ repoId: repo.id, pullRequest: 5, offset, limit });
        expect(found).toEqual(ofPull.slice(offset, offset + limit));
      }
      for (const branch of [undefined, 'main']) {
        const query = { repoId: repo.id, branch, offset: 1, limit: 2 };
        const { total, builds: listed } = await builds.list(query);
        expect(listed.length).toBeGreaterThan(0);
        expect(await views.list(query)).toEqual({ total, builds: summaries(listed) });
      }
      expect(await views.summary(99)).toBeUndefined();
      expect(await views.find(99)).toBeUndefined();
    });

    it('follow every write; the page of a build has the details of its last close', async () => {
      const { store } = subject;
      const { views } = store;
      const repo = await putRepo(store);
      const { build: open } = await accept(store, repo.id, { branch: 'main' }, { warnings: ['odd'] });
      expect(await views.summary(open.id)).toEqual(summarizeBuild(open));
      expect(await views.find(open.id)).toEqual(summarizeBuild(open));
      expect(await views.fileKinds(open.id)).toEqual([]);
      const closed = await close(store, open, {
        messages: [say(status('success'))],
        openedContexts: [{ context: 'coverage', flag: undefined }],
        result: result({ flags: [flag('unit')], countedJobs: [1], fileChanges: [{ ...change, uncoveredRanges: 0 }] }),
      });
      const found = await views.find(open.id);
      expect(found).toMatchObject({ state: 'closed', jobWarnings: [{ job: 1, sentence: 'odd' }] });
      expect(found?.result).toEqual({
        ...summarizeBuild(closed).result,
        countedJobs: [1],
        fileChanges: closed.result?.fileChanges,
        patch: undefined,
      });
      expect(await views.fileKinds(open.id)).toEqual([{ name: 'a.ts', kind: 'changed' }]);
      const { build: late } = await accept(store, repo.id, { branch: 'main' }, { at: T0 + MINUTE });
      expect(await views.find(open.id)).toEqual({ ...summarizeBuild(late), result: found?.result });
      expect(await views.summary(open.id)).toEqual(summarizeBuild(late));
      await close(store, late, { result: result({ closeCount: 2, flags: [], countedJobs: [1, 2] }) });
      expect((await views.find(open.id))?.result).toMatchObject({ countedJobs: [1, 2], fileChanges: [] });
      expect(await views.fileKinds(open.id)).toEqual([]);
      await store.repos.remove({ repoId: repo.id, description: 'removed', at: T0 });
      expect(await views.find(open.id)).toBeUndefined();
    });
  });

  describe('pages of flags', () => {
    it('are in the order of the result, or begin with those that fail', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const flags = [flag('a'), failing('b'), flag('c'), failing('d'), flag('e')];
      const { id: buildId } = await putClosed(store, repo.id, {}, { flags });
      const page = async (more: Partial<FlagPageQuery>) => {
        const asked = { buildId, failingFirst: false, offset: 0, limit: 3, ...more };
        const { total, flags: found } = await store.views.flags(asked);
        return [total, found.map(({ name }) => name).join('')];
      };
      expect(await page({})).toEqual([5, 'abc']);
      expect(await page({ offset: 3 })).toEqual([5, 'de']);
      expect(await page({ offset: 5 })).toEqual([5, '']);
      expect(await page({ offset: 2 ** 40 })).toEqual([5, '']);
      expect(await page({ failingFirst: true })).toEqual([5, 'bda']);
      expect(await page({ failingFirst: true, offset: 3 })).toEqual([5, 'ce']);
      expect(await page({ limit: 0 })).toEqual([5, '']);
      const whole = await store.views.flags({ buildId, failingFirst: false, offset: 0, limit: 5 });
      expect(whole.flags).toEqual(flags);
      expect(await store.views.flagNames(buildId, 3)).toEqual(['a', 'b', 'c']);
      expect(await store.views.flagNames(buildId, 9)).toEqual(flags.map(({ name }) => name));
      expect(await store.views.flag(buildId, 'd')).toEqual(failing('d'));
      expect(await store.views.flag(buildId, '$flag')).toBeUndefined();
    });

    it('are those of the last close; there are none before, nor of a build that is not there', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const { build: open } = await accept(store, repo.id);
      const asked = { buildId: open.id, failingFirst: true, offset: 0, limit: 9 };
      expect(await store.views.flags(asked)).toEqual({ total: 0, flags: [] });
      expect(await store.views.flagNames(open.id, 9)).toEqual([]);
      await close(store, open, { result: result({ flags: [flag('a'), flag('b')] }) });
      const { build: late } = await accept(store, repo.id, {}, { at: T0 + 1 });
      expect((await store.views.flags(asked)).total).toBe(2);
      await close(store, late, { result: result({ closeCount: 2, flags: [flag('c')] }) });
      expect(await store.views.flags(asked)).toEqual({ total: 1, flags: [flag('c')] });
      expect(await store.views.flags({ ...asked, buildId: 99 })).toEqual({ total: 0, flags: [] });
    });
  });

  it('a page of jobs is in order of number, and empty beyond the last', async () => {
    const { store } = subject;
    const repo = await putRepo(store);
    const jobs = [];
    for (let n = 0; n < 5; n += 1) jobs.push((await accept(store, repo.id, { flag: `f${n}` })).job);
    const { buildId } = jobs[0] ?? { buildId: 0 };
    const page = (offset: number, limit: number) => store.jobs.list({ buildId, offset, limit });
    expect(await page(0, 2)).toEqual(jobs.slice(0, 2));
    expect(await page(3, 2)).toEqual(jobs.slice(3));
    expect(await page(4, 9)).toEqual(jobs.slice(4));
    expect(await page(5, 2)).toEqual([]);
    expect(await page(2 ** 40, 2)).toEqual([]);
    expect(await page(0, 0)).toEqual([]);
    expect(await store.jobs.list({ buildId: 99, offset: 0, limit: 2 })).toEqual([]);
  });

  it('of the announcements of a commit the first are answered, or those that were given up', async () => {
    const { store, itIs } = { ...subject, store: subject.store };
    const repo = await putRepo(store);
    const { build } = await accept(store, repo.id);
    const contexts = ['a', 'b', 'c'];
    const closed = await close(store, build, {
      target: SHA,
      messages: contexts.map((context) => say(status('success'), context)),
    });
    const [, , third] = await store.outbox.claim({ at: itIs(T0), lease: MINUTE, limit: 3 });
    await store.outbox.giveUp({ id: third?.id ?? 0, version: 1, reason: 'No access.' });
    const first = await store.outbox.ofBuild(closed, { parked: false, limit: 2 });
    expect(first.map(({ target }) => target)).toMatchObject([{ context: 'a' }, { context: 'b' }]);
    const parked = await store.outbox.ofBuild(closed, { parked: true, limit: 9 });
    expect(parked.map(({ id, parked: reason }) => [id, reason])).toEqual([[third?.id, 'No access.']]);
  });
}
