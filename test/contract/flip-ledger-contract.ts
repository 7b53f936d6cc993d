import { describe, expect, it } from 'vitest';
import { beginLedger, extendLedger, type FlipLedger } from '../../server/src/core/flipping/flip-ledger.ts';
import { MAX_LEDGERS } from '../../server/src/storage/flip-ledger-store.ts';
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
      const put = (ledger: FlipLedger, after?: number) => flipLedgers.put({ repoId, branch, ledger, after });
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

    it('are of six branches at most', async () => {
      const { flipLedgers } = subject.store;
      const { id: repoId } = await putRepo(subject.store);
      for (let at = 0; at < MAX_LEDGERS; at += 1)
        expect(await flipLedgers.put({ repoId, branch: `b${at}`, ledger: aLedger(1), after: undefined })).toBe(true);
      expect(await flipLedgers.put({ repoId, branch: 'one more', ledger: aLedger(1), after: undefined })).toBe(false);
      expect(await flipLedgers.put({ repoId, branch: 'b0', ledger: aLedger(2), after: 1 })).toBe(true);
    });

    it('go with their repo', async () => {
      const { flipLedgers, repos } = subject.store;
      const { id: repoId } = await putRepo(subject.store);
      await flipLedgers.put({ repoId, branch: 'main', ledger: aLedger(2), after: undefined });
      await repos.remove({ repoId, description: 'repo was removed', at: T0 });
      expect(await flipLedgers.find(repoId, 'main')).toBeUndefined();
      expect(await flipLedgers.put({ repoId, branch: 'main', ledger: aLedger(2), after: undefined })).toBe(false);
    });
  });
}
