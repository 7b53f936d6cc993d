import { expect, test } from 'vitest';
import { aRepo } from '../../../test/support/build-history.ts';
import { aBuild, aClosedBuild, aResult, facts, totals } from '../../../test/support/records.ts';
import type { Job } from '../core/builds/job.ts';
import type { FlipLedger } from '../core/flipping/flip-ledger.ts';
import { planLedger } from './known-flips.ts';

const NOW = 1_000;
const job = (flag: string) => ({ facts: facts({ flag }) }) as Job;
const recorded = (id: number) => ({ id, number: `${id}`, commit: `c${id}`, at: id, jobs: 1, flags: ['unit'] });
const ledger: FlipLedger = {
  builds: [recorded(3), recorded(2), recorded(1)],
  files: new Map(),
  sameText: new Map(),
  unchanged: 3,
  overflow: undefined,
};

test('a recorded build that is closed again counts once, with the jobs that it has now', async () => {
  const find = async () => ledger;
  const deps = { flipLedgers: { find, branches: async () => ['main'] }, clock: { now: () => NOW } };
  const closed = {
    repo: aRepo(),
    jobs: [job('unit'), job('e2e')],
    result: aResult({ totals: totals(1, 2) }),
    nextLedger: undefined,
  };
  const build = aBuild({ id: 2, number: '2', commit: 'c2', branch: 'main' });
  const base = { build: aClosedBuild({ id: 1, branch: 'main' }) } as Parameters<typeof planLedger>[1]['base'];
  // The first build of a branch has no base: its late jobs must not make the branch begin again.
  for (const one of [base, undefined]) {
    const next = await planLedger(deps, { ...closed, build, base: one });
    expect(next).toMatchObject({ branch: 'main', after: 3 });
    const again = { ...recorded(2), jobs: 2, flags: ['e2e', 'unit'] };
    expect(next?.ledger).toEqual({ ...ledger, builds: [recorded(3), again, recorded(1)] });
  }
});
