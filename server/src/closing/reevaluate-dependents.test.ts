import { expect, test } from 'vitest';
import { aBuild } from '../../../test/support/records.ts';
import type { BuildStore } from '../storage/build-store.ts';
import { reevaluateDependents } from './reevaluate-dependents.ts';

test('the newest of a branch and of a pull request is asked for once, whatever depends on a base', async () => {
  const [base, newest] = [aBuild({ id: 1, branch: 'main' }), aBuild({ id: 9, branch: 'main', commit: '9'.repeat(40) })];
  const onMain = [2, 3, 4].map((id) => aBuild({ id, branch: 'main', commit: String(id).repeat(40) }));
  const ofPull = [5, 6].map((id) => aBuild({ id, pullRequest: 7, commit: String(id).repeat(40) }));
  const asked: string[] = [];
  const revised: number[] = [];
  const builds = {
    withMissingBase: async () => [...onMain, newest],
    basedOn: async () => ofPull,
    list: async ({ branch }: { branch: string }) => {
      asked.push(branch);
      return { total: 5, builds: [newest] };
    },
    ofPullRequest: async (_: number, pull: number) => {
      asked.push(`#${pull}`);
      return [ofPull[1]];
    },
    revise: async ({ buildId }: { buildId: number }) => void revised.push(buildId),
  } as unknown as BuildStore;
  await reevaluateDependents({ builds, clock: { now: () => 1 } }, base);
  expect(asked).toEqual(['main', '#7']);
  expect(revised).toEqual([9, 6, 1]);
});
