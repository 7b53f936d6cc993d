import { describe, expect, it } from 'vitest';
import { summarizeBuild } from '../../server/src/core/builds/build-summary.ts';
import type { TrendPoint } from '../../server/src/core/builds/trend-point.ts';
import { MEASURED } from '../../server/src/storage/build-trends.ts';
import { providerFacts } from '../support/records.ts';
import { accept, bytes, close, flag, hex, MINUTE, putRepo, result, T0 } from './records.ts';
import type { Subject } from './store-contract.ts';

const covered = (coveredLines: number) => ({ coveredLines, relevantLines: 9, coveredBranches: 0, branches: 0 });

/** Trends and the search: what is read of many builds at once. */
export function describeBuildTrends(subject: Subject): void {
  const put = async (repoId: number, minute: number, facts: object, more: object = {}) => {
    const { build } = await accept(subject.store, repoId, facts, { at: T0 + minute * MINUTE });
    return close(subject.store, build, { result: result({ totals: covered(minute), ...more }) });
  };
  const bounds = [0, 2, 4, 6].map((minute) => T0 + minute * MINUTE);
  const coveredAt = (points: readonly TrendPoint[] | undefined) => points?.map(({ totals }) => totals.coveredLines);

  describe('trends', () => {
    it('have the newest closed build of each span that has a percentage, of the branch alone', async () => {
      const { store } = subject;
      const [repo, other] = [await putRepo(store), await putRepo(store, { name: 'octo/other' })];
      await put(repo.id, 0, { branch: 'main', serviceNumber: '1' });
      const second = await put(repo.id, 1, { branch: 'main', serviceNumber: '2' }, { baseTotals: covered(0) });
      await put(repo.id, 1.5, { branch: 'main', pullRequest: 4, serviceNumber: '3' });
      await put(repo.id, 5, { branch: 'main', serviceNumber: '4' });
      const nothing = { ...covered(0), relevantLines: 0 };
      await put(repo.id, 5.5, { branch: 'main', serviceNumber: '5.5' }, { totals: nothing });
      await put(repo.id, 6, { branch: 'main', serviceNumber: '5' });
      await put(other.id, 3, { branch: 'main', serviceNumber: '1' });
      await accept(store, repo.id, { branch: 'main', serviceNumber: '9', commit: hex(9) }, { at: T0 + 5.5 * MINUTE });
      const [main, others, none] = await store.views.trends({
        series: [
          { repoId: repo.id, branch: 'main' },
          { repoId: other.id, branch: 'main' },
          { repoId: repo.id, branch: 'dev' },
        ],
        bounds,
      });
      expect([coveredAt(main), coveredAt(others), coveredAt(none)]).toEqual([[1, 5], [3], []]);
      expect(main?.[0]).toEqual({
        buildId: second.id,
        commit: second.commit,
        at: T0 + MINUTE,
        totals: covered(1),
        baseTotals: covered(0),
        verdict: { state: 'success', rule: result().verdict.rule },
        overall: summarizeBuild(second).result?.overall,
      });
      expect(await store.views.trends({ series: [], bounds })).toEqual([]);
    });

    it('of a flag have its numbers, and leave out builds that have none of it', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      const missing = { ...flag('unit'), kind: 'missing', totals: undefined } as const;
      await put(repo.id, 1, { branch: 'main', serviceNumber: '1' }, { flags: [flag('unit'), flag('web')] });
      await put(repo.id, 3, { branch: 'main', serviceNumber: '2' }, { flags: [missing] });
      await put(repo.id, 5, { branch: 'main', serviceNumber: '3' }, { flags: [{ ...flag('unit'), kind: 'carried' }] });
      const of = (name: string) => ({ repoId: repo.id, branch: 'main', flag: name });
      const [unit, web] = await store.views.trends({ series: [of('unit'), of('web')], bounds });
      expect(unit?.map(({ at, kind }) => [(at - T0) / MINUTE, kind])).toEqual([
        [1, 'uploaded'],
        [5, 'carried'],
      ]);
      expect(unit?.[0]?.totals).toEqual(flag('unit').totals);
      expect(web).toHaveLength(1);
    });

    it('branches are those with closed builds, by name', async () => {
      const { store } = subject;
      const repo = await putRepo(store);
      for (const [number, branch] of ['main', 'dev', 'release/4', 'dev'].entries())
        await put(repo.id, number, { branch, serviceNumber: String(number) });
      await put(repo.id, 5, { branch: 'topic', pullRequest: 3, serviceNumber: '8' });
      await accept(store, repo.id, { branch: 'open', serviceNumber: '9', commit: hex(9) });
      expect(await store.views.branches(repo.id, 9)).toEqual(['dev', 'main', 'release/4']);
      expect(await store.views.branches(repo.id, 2)).toEqual(['dev', 'main']);
      for (const [number, branch] of ['v1.9', 'v1.8', 'v1.9'].entries())
        await put(repo.id, 10 + number, { branch, tag: true, serviceNumber: `t${number}` });
      expect(await store.views.tags(repo.id, 9)).toEqual(['v1.9', 'v1.8']);
      expect(await store.views.tags(repo.id, 1)).toEqual(['v1.9']);
      expect(await store.views.branches(repo.id, 9)).toEqual(['dev', 'main', 'release/4']);
    });
  });

  it('the activity of repos: how many builds, and when the newest last got a job', async () => {
    const { store } = subject;
    const [repo, fresh] = [await putRepo(store), await putRepo(store, { name: 'octo/fresh' })];
    for (const minute of [1, 2]) await put(repo.id, minute, { branch: 'main', serviceNumber: String(minute) });
    expect(await store.views.activity([fresh.id, repo.id])).toEqual([
      { repoId: fresh.id, builds: 0, lastUploadAt: undefined, storedBytes: 0 },
      { repoId: repo.id, builds: 2, lastUploadAt: T0 + 2 * MINUTE, storedBytes: expect.any(Number) },
    ]);
  });

  it('the stored bytes are those of jobs, of last closes and of source texts, estimated from some', async () => {
    const { store } = subject;
    const repo = await putRepo(store);
    const of = (length: number) => bytes('x'.repeat(length));
    const size = async () => (await store.views.activity([repo.id]))[0]?.storedBytes;
    const send = (serviceNumber: string, length: number) =>
      accept(store, repo.id, { serviceNumber, commit: hex(Number(serviceNumber)) }, { report: of(length) });
    const { build } = await send('1', 100);
    expect(await size()).toBe(100);
    const closed = await close(store, build, { report: of(30) });
    expect(await size()).toBe(130);
    await send('2', 1_000);
    expect(await size()).toBe(1_130);
    await store.builds.remove(closed.id);
    expect(await size()).toBe(1_000);
    for (let number = 3; number <= MEASURED.builds + 2; number += 1) await send(String(number), 50);
    expect(await size()).toBe(50 * (MEASURED.builds + 1));
    const other = await putRepo(store, { name: 'octo/texts' });
    const texts = (first: number, count: number, length: number) =>
      Array.from({ length: count }, (_, index) => ({ digest: hex(first + index, 64), bytes: of(length) }));
    await accept(store, other.id, {}, { report: of(7), sources: [...texts(0, 2, 100)] });
    expect((await store.views.activity([other.id]))[0]?.storedBytes).toBe(207);
    await accept(store, other.id, { commit: hex(2) }, { report: of(7), sources: texts(2, MEASURED.texts, 100) });
    expect((await store.views.activity([other.id]))[0]?.storedBytes).toBe(14 + 100 * (MEASURED.texts + 2));
  });

  it('the builds that were taken out of the bases are listed, the last one first', async () => {
    const { store } = subject;
    const [repo, other] = [await putRepo(store), await putRepo(store, { name: 'octo/other' })];
    const [first, second] = [await put(repo.id, 1, { commit: hex(1) }), await put(other.id, 2, { commit: hex(2) })];
    const revise = ({ id }: { readonly id: number }, at: number | undefined) =>
      store.builds.revise({
        buildId: id,
        revision: { kind: 'excluded-as-base', excluded: at === undefined ? undefined : { by: 'alice', at } },
      });
    const listed = async (limit: number) => (await store.views.excludedBases(limit)).map(({ id }) => id);
    await revise(first, T0 + 9);
    await revise(second, T0 + 8);
    expect([await listed(9), await listed(1)]).toEqual([[first.id, second.id], [first.id]]);
    await revise(first, undefined);
    expect(await listed(9)).toEqual([second.id]);
  });

  it('the newest pull requests are those of the newest builds of each repo, each by its newest build', async () => {
    const { store } = subject;
    const [repo, other] = [await putRepo(store), await putRepo(store, { name: 'octo/other' })];
    const build = async (repoId: number, minute: number, pullRequest?: number) =>
      (await put(repoId, minute, { pullRequest, serviceNumber: `${minute}`, commit: hex(minute) })).id;
    await build(repo.id, 1, 7);
    const [second, fourth] = [await build(repo.id, 2, 8), await build(repo.id, 4, 7)];
    const third = await build(other.id, 3, 7);
    await build(repo.id, 5);
    const repoIds = [repo.id, other.id];
    const newest = async (each: number, limit: number, of = repoIds) =>
      (await store.views.newestPulls({ repoIds: of, each, limit })).map(({ id }) => id);
    expect(await newest(9, 9)).toEqual([fourth, third, second]);
    expect(await newest(9, 2)).toEqual([fourth, third]);
    expect(await newest(1, 9)).toEqual([fourth, third]);
    expect([await newest(9, 9, [other.id]), await newest(9, 9, [])]).toEqual([[third], []]);
    // Rule 29: builds of unverified runs take no place of others.
    const forks = [];
    for (let n = 0; n < 3; n += 1)
      forks.push((await put(repo.id, 60 + n, { pullRequest: 9, trust: 'run', serviceNumber: `f${n}` })).id);
    expect(await newest(2, 9, [repo.id])).toEqual([forks[2], fourth, second]);
  });

  it('the heads of pull requests are those among the newest builds, and builds are found by their ids', async () => {
    const { store } = subject;
    const [repo, other] = [await putRepo(store), await putRepo(store, { name: 'octo/other' })];
    const build = (repoId: number, minute: number, pullRequest?: number) =>
      put(repoId, minute, { pullRequest, serviceNumber: `${minute}`, commit: hex(minute) });
    const [first, second] = [await build(repo.id, 1, 7), await build(repo.id, 2, 8)];
    const third = await build(repo.id, 3);
    await build(other.id, 4, 9);
    const landing = { branch: 'main', commit: hex(8), how: 'same-tree', at: T0 } as const;
    await store.builds.revise({ buildId: first.id, revision: { kind: 'landed', landing } });
    const pull = { headCommit: hex(2), baseBranch: 'main', state: 'open', merged: false } as const;
    const facts = providerFacts({ pull: { ...pull, landedCommit: undefined, fromFork: false } });
    await store.builds.revise({ buildId: second.id, revision: { kind: 'facts', facts, target: hex(7) } });
    const heads = await store.views.pullHeads(repo.id, 3);
    const { id, pullRequest, trust, createdAt } = second;
    expect(heads).toEqual([
      { id, pullRequest, trust, createdAt, commit: hex(2), target: hex(7), facts: { pull: { state: 'open' } } },
      expect.objectContaining({ id: first.id, pullRequest: 7, landed: landing }),
    ]);
    expect((await store.views.pullHeads(repo.id, 2)).map((head) => head.id)).toEqual([second.id]);
    const found = await store.views.ofIds([third.id, 99, first.id]);
    expect(found).toEqual([await store.views.summary(third.id), await store.views.summary(first.id)]);
    expect(await store.views.ofIds([])).toEqual([]);
  });

  it('the search finds builds of a pull request and by the beginning of a commit, in these repos alone', async () => {
    const { store } = subject;
    const [repo, other] = [await putRepo(store), await putRepo(store, { name: 'octo/other' })];
    const commits = [`abc1${hex(1).slice(4)}`, `abc2${hex(2).slice(4)}`, `abd0${hex(3).slice(4)}`];
    const ids = [];
    for (const [index, commit] of commits.entries())
      ids.push((await put(repo.id, index, { commit, pullRequest: index > 0 ? 7 : undefined })).id);
    const elsewhere = await put(other.id, 1, { commit: commits[0], pullRequest: 7 });
    const find = async (by: { pullRequest: number } | { commit: string }, repoIds = [repo.id], limit = 9) =>
      (await store.views.search({ repoIds, by, limit })).map(({ id }) => id);
    expect(await find({ pullRequest: 7 })).toEqual([ids[2], ids[1]]);
    expect(await find({ pullRequest: 7 }, [repo.id, other.id])).toEqual([elsewhere.id, ids[2], ids[1]]);
    expect(await find({ commit: 'abc' })).toEqual([ids[1], ids[0]]);
    expect(await find({ commit: commits[2] as string })).toEqual([ids[2]]);
    expect([await find({ commit: 'abc' }, []), (await find({ commit: 'ab' }, [repo.id], 1)).length]).toEqual([[], 1]);
  });
}
