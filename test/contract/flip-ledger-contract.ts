import { describe, expect, it } from 'vitest';
import type { Build } from '../../server/src/core/builds/build.ts';
import { beginLedger, extendLedger, type FlipLedger } from '../../server/src/core/flipping/flip-ledger.ts';
import { MAX_LEDGERS, type NextLedger, QUIET_BRANCH } from '../../server/src/storage/flip-ledger-store.ts';
import type { Store } from '../../server/src/storage/store.ts';
import { aFile, aReport } from '../support/records.ts';
import { accept, close, closing, hex, putRepo, T0 } from './records.ts';
import type { Subject } from './store-contract.ts';

/** A ledger of this many builds, whose first line is covered in every other one. */
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

/** Closes a new build of the repo with a ledger, which is all that is of interest in it. */
export async function closeWith(store: Store, repoId: number, ledger: Partial<NextLedger> = {}): Promise<Build> {
  const serviceNumber = `with ledger ${ledger.ledger?.builds[0]?.id}`;
  const { build } = await accept(store, repoId, { serviceNumber, commit: hex(2) });
  return close(store, build, {
    ledger: { branch: 'main', ledger: aLedger(2), after: undefined, defaultBranches: ['main'], ...ledger },
  });
}

export function describeFlipLedgers(subject: Subject): void {
  describe('ledgers of lines that flip', () => {
    it('are written with a close, per branch, each after the one that it extends', async () => {
      const { store } = subject;
      const { id: repoId } = await putRepo(store);
      const branch = 'release/1.0/2';
      const put = (ledger: FlipLedger, after?: number) => closeWith(store, repoId, { branch, ledger, after });
      const found = () => store.flipLedgers.find(repoId, branch);
      await put(aLedger(2), 1);
      expect(await found()).toBeUndefined();
      await put(aLedger(2));
      expect(await found()).toEqual(aLedger(2));
      // Another build was closed in the meantime.
      await put(aLedger(3));
      expect(await found()).toEqual(aLedger(2));
      const { id } = await put(aLedger(3), 2);
      expect(await found()).toEqual(aLedger(3));
      expect(await store.flipLedgers.find(repoId, branch, id)).toEqual(aLedger(3));
      expect(await store.flipLedgers.find(repoId, 'main')).toBeUndefined();
      await put(aLedger(2));
      await closeWith(store, repoId, { branch: 'main' });
      expect(await store.flipLedgers.branches(repoId)).toEqual(['main', branch]);
      expect(await store.flipLedgers.branches(repoId + 1)).toEqual([]);
    });

    it('are not written by a close that a job overtook', async () => {
      const { store } = subject;
      const { id: repoId } = await putRepo(store);
      const { build } = await accept(store, repoId);
      await accept(store, repoId);
      const ledger = { branch: 'main', ledger: aLedger(2), after: undefined, defaultBranches: [] };
      expect(await store.builds.close(closing(build, { ledger }))).toBeUndefined();
      expect(await store.flipLedgers.find(repoId, 'main', build.id)).toBeUndefined();
    });

    it('are of six branches at most, of which one that is quiet gives its place up', async () => {
      const { store } = subject;
      const { id: repoId } = await putRepo(store);
      const begin = (branch: string, at: number, id = at, after?: number) => {
        const build = { id, number: `${id}`, commit: `c${id}`, at: T0 + at, jobs: 1, flags: [] };
        return closeWith(store, repoId, { branch, after, ledger: beginLedger(build) });
      };
      const there = async () => {
        const branches = [...Array.from({ length: MAX_LEDGERS }, (_, at) => `b${at}`), 'main', 'late', 'later'];
        const known = await Promise.all(branches.map((branch) => store.flipLedgers.find(repoId, branch)));
        return branches.filter((_, at) => known[at] !== undefined);
      };
      for (let at = 0; at < MAX_LEDGERS; at += 1) await begin(`b${at}`, at);
      await begin('b0', QUIET_BRANCH, 10, 0);
      await begin('late', QUIET_BRANCH);
      expect(await there()).toEqual(['b0', 'b1', 'b2', 'b3', 'b4', 'b5']);
      // The default branch needs no quiet one.
      await begin('main', 9);
      expect(await there()).toEqual(['b0', 'b2', 'b3', 'b4', 'b5', 'main']);
      await begin('late', QUIET_BRANCH + 3);
      await begin('later', QUIET_BRANCH + 3);
      expect(await there()).toEqual(['b0', 'b3', 'b4', 'b5', 'main', 'late']);
    });

    it('begin again where the names of files would take too many bytes', async () => {
      const { store } = subject;
      const { id: repoId } = await putRepo(store);
      const known = aLedger(2);
      const sameText = new Map(Array.from({ length: 1_100 }, (_, at) => [`${at}${'é'.repeat(2_000)}`, 1] as const));
      await closeWith(store, repoId, { ledger: { ...known, sameText } });
      const [newest] = known.builds;
      expect(newest && { ...beginLedger(newest), overflow: 0 }).toEqual(await store.flipLedgers.find(repoId, 'main'));
    });

    it('go with their repo', async () => {
      const { store } = subject;
      const { id: repoId } = await putRepo(store);
      const { id } = await closeWith(store, repoId);
      expect(await store.flipLedgers.find(repoId, 'main')).toEqual(aLedger(2));
      await store.repos.remove({ repoId, description: 'repo was removed', at: T0 });
      expect(await store.flipLedgers.find(repoId, 'main', id)).toBeUndefined();
    });
  });
}
