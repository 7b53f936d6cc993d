import { expect, it } from 'vitest';
import { aClosedBuild, aResult, totals } from '../../../test/support/records.ts';
import type { BuildViews } from './build-views.ts';
import { withEarlierOverall } from './earlier-overall.ts';

it('reads what groups are called for as many builds as a page shows, and for no more', async () => {
  const { verdict } = aResult();
  const group = { id: 'a', name: 'The A', digest: 'd', files: 1, touched: true, totals: totals(1, 2), verdict };
  const none = { ids: [], counts: {} };
  const overall = { state: 'failure', failing: { ids: ['group:a'], counts: { group: 1 } }, wouldFail: none } as const;
  const result = aResult({
    groups: [{ ...group, baseTotals: undefined, changes: undefined }],
    overall: { ...overall, passing: none },
  });
  const build = aClosedBuild({ result });
  let reads = 0;
  const views = {
    closed: async ({ limit }) => Array.from({ length: limit }, (_, index) => ({ ...build, id: index + 1 })),
    find: async (id) => {
      reads += 1;
      return { ...build, id };
    },
  } as Pick<BuildViews, 'closed' | 'find'> as BuildViews;
  const { closed } = withEarlierOverall(views, async () => []);
  const namesOf = async (limit: number) => {
    const found = await closed({ repoId: 1, scope: 'repo', before: undefined, limit });
    return [found.at(-1)?.result?.overall?.failing.names, reads];
  };
  expect(await namesOf(100)).toEqual([{ 'group:a': 'The A' }, 100]);
  expect(await namesOf(101)).toEqual([undefined, 100]);
});
