import { describe, expect, test } from 'vitest';
import { aBuild, aClosedBuild, aResult, sha, totals } from '../../../test/support/records.ts';
import { baseStanding, newestBases } from '../core/builds/base-standing.ts';
import type { BasePick, BaseRule, Build } from '../core/builds/build.ts';
import { describeBaseRule, describeStanding } from './base-words.ts';

test.each<[BaseRule, Partial<BasePick>, string]>([
  ['compare-sha', {}, 'named by compare_sha'],
  ['compare-ref', { branch: 'next' }, 'newest on compare_ref next'],
  ['merge-parent', { branch: 'main', commitsAway: 0 }, 'the main commit it was tested on'],
  ['merge-parent', { commitsAway: 1 }, 'the commit it was tested on, 1 commit away'],
  ['merge-base', { commitsAway: 0 }, 'the merge base'],
  ['ancestor', { commitsAway: 12 }, 'the nearest ancestor, 12 commits away'],
  ['base-branch', { branch: 'main' }, 'newest on base branch main'],
  ['previous-on-branch', { branch: 'x' }, 'previous on x'],
  ['default-branch', { branch: 'main' }, 'newest on default branch main'],
])('%s %j: %s', (rule, pick, words) => {
  expect(describeBaseRule({ rule, branch: undefined, commitsAway: undefined, ...pick })).toBe(words);
});

const incomplete = aResult({ verdict: { ...aResult().verdict, state: 'incomplete' } });
const landed = { branch: 'main', commit: sha('e'), how: 'same-tree', at: 0 } as const;

describe('baseStanding: whether others may be compared with a build, and why', () => {
  test.each<[string, Build, string, string]>([
    ['on a branch', aClosedBuild({ branch: 'main' }), 'yes', 'measured against main'],
    ['of a pull request', aClosedBuild({ branch: 'topic', pullRequest: 7 }), 'yes', 'it is on no branch'],
    ['landed', aClosedBuild({ branch: 'topic', pullRequest: 7, landed }), 'yes', 'measured against main'],
    [
      'of a merge queue',
      aClosedBuild({ branch: 'x', pullRequest: 7, mergeQueue: true }),
      'yes',
      'until its commit lands',
    ],
    ['open', aBuild(), 'no open', 'it has no result'],
    ['of a fork', aClosedBuild({ trust: 'run' }), 'no unverified', 'without a token'],
    ...(['fork', 'unknown'] as const).map((run): [string, Build, string, string] => [
      `sent with a token, of a run that is: ${run}`,
      aClosedBuild({ trust: 'run', runCheck: { run, trust: 'secret' } }),
      'no unverified',
      run === 'fork' ? 'it came from the run of a fork' : 'has not said yet whose run',
    ]),
    [
      'nothing relevant',
      aClosedBuild({ result: aResult({ totals: totals(0, 0) }) }),
      'no no-percentage',
      'no line is relevant',
    ],
    ['incomplete', aClosedBuild({ result: incomplete }), 'fallback incomplete', 'only until a complete build exists'],
    [
      'excluded',
      aClosedBuild({ excludedAsBase: { by: 'mona', at: Date.UTC(2026, 1, 3) } }),
      'no excluded',
      'mona excluded it on 2026-02-03',
    ],
  ])('%s', (_, build, expected, said) => {
    const { mayBe, reason } = baseStanding(build);
    expect([mayBe, reason].filter(Boolean).join(' ')).toBe(expected);
    expect(describeStanding(build)).toContain(said);
  });
});

test('newestBases: of each branch the newest that may be one', () => {
  const on = (branch: string, sequence: number, more: Partial<Build> = {}): Build =>
    aClosedBuild({ branch, sequence, ...more });
  const builds = [
    on('main', 9, { result: incomplete }),
    on('dev', 8),
    on('topic', 7, { pullRequest: 7 }),
    on('main', 6),
    on('dev', 5),
    on('main', 4),
  ];
  expect([...newestBases(builds)].map(([branch, build]) => `${branch} ${build.id}`)).toEqual(['dev 8', 'main 6']);
  expect([...newestBases([on('topic', 7, { pullRequest: 7, landed }), ...builds]).keys()]).toEqual(['main', 'dev']);
});
