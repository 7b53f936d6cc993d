import { describe, expect, it } from 'vitest';
import { beginLedger, extendLedger, type FlipLedger } from '../../server/src/core/flipping/flip-ledger.ts';
import { MAX_LEDGERS, QUIET_BRANCH } from '../../server/src/storage/flip-ledger-store.ts';
import { aFile, aReport } from '../support/records.ts';
import { putRepo, T0 } from './records.ts';
import type { Subject } from './store-contract.ts';

/** A ledger of so many builds, whose first line is covered in every other one. */
export function aLedger(builds: number): FlipLedger {
  const build = (id: number) => ({ id, number: `${id}`, commit: `c${id}`, at: T0 + id, jobs: 1, flags: ['unit'] });
  const report = (id: number) => aReport(aFile('src/a.ts', [id % 2, 1], { branches: [1, 0, 0, id % 2] }));
  let ledger = beginLedger(build(1));
  for (let id = 2; id <= builds; id += 1)
    ledger = extendLedger(ledger, {
      build: build(id),
      report: report(id),
      before: report(id - 1),
      diff: { files: [], complete: true },
    });
  return ledger;
}

export function describeFlipLedgers(subject: Subject): void {
  describe('ledgers of lines that flip', () => {
    it('are kept per branch, and each is written after the one that it extends', async () => {
      const { flipLedgers } = subject.store;
      const { id: repoId } = await putRepo(subject.store);
      const branch = 'release/1.0/2';
      const put = (ledger: FlipLedger, after?: number) =>
        flipLedgers.put({ repoId, branch, ledger, after, defaultBranches: ['main'] });
      expect(await flipLedgers.find(repoId, branch)).toBeUndefined();
      expect(await put(aLedger(2), 1)).toBe(false);
      expect(await put(aLedger(2))).toBe(true);
      expect(await flipLedgers.find(repoId, branch)).toEqual(aLedger(2));
      // Another server was first.
      expect(await put(aLedger(3))).toBe(false);
      expect(await put(aLedger(3), 2)).toBe(true);
      expect(await flipLedgers.find(repoId, branch)).toEqual(aLedger(3));
      expect(await flipLedgers.find(repoId, 'main')).toBeUndefined();
    });

    it('are of six branches at most, of which one that is quiet gives its place up', async () => {
      const { flipLedgers } = subject.store;
      const { id: repoId } = await putRepo(subject.store);
      const begin = (branch: string, at: number, id = at, after?: number) =>
        flipLedgers.put({
          ...{ repoId, branch, after, defaultBranches: ['main'] },
          ledger: beginLedger({ id, number: `${id}`, commit: `c${id}`, at: T0 + at, jobs: 1, flags: [] }),
        });
      const there = async () => {
        const branches = [...Array.from({ length: MAX_LEDGERS }, (_, at) => `b${at}`), 'main', 'late', 'later'];
        const known = await Promise.all(branches.map((branch) => flipLedgers.find(repoId, branch)));
        return branches.filter((_, at) => known[at] !== undefined);
      };
      for (let at = 0; at < MAX_LEDGERS; at += 1) expect(await begin(`b${at}`, at)).toBe(true);
      expect(await begin('b0', QUIET_BRANCH, 10, 0)).toBe(true);
      expect(await begin('late', QUIET_BRANCH)).toBe(false);
      // The default branch needs no quiet one.
      expect(await begin('main', 9)).toBe(true);
      expect(await there()).toEqual(['b0', 'b2', 'b3', 'b4', 'b5', 'main']);
      expect(await begin('late', QUIET_BRANCH + 3)).toBe(true);
      expect(await begin('later', QUIET_BRANCH + 3)).toBe(false);
      expect(await there()).toEqual(['b0', 'b3', 'b4', 'b5', 'main', 'late']);
    });

    it('go with their repo', async () => {
      const { flipLedgers, repos } = subject.store;
      const { id: repoId } = await putRepo(subject.store);
      const main = { repoId, branch: 'main', ledger: aLedger(2), after: undefined, defaultBranches: [] };
      expect(await flipLedgers.put(main)).toBe(true);
      await repos.remove({ repoId, description: 'repo was removed', at: T0 });
      expect(await flipLedgers.find(repoId, 'main')).toBeUndefined();
      expect(await flipLedgers.put(main)).toBe(false);
    });
  });
}
