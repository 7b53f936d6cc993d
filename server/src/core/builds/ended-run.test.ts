import { describe, expect, test } from 'vitest';
import { GITHUB } from '../../../../test/support/hosts.ts';
import { aBuild, aClosedBuild, aFlag, aResult, sha, totals } from '../../../../test/support/records.ts';
import type { Build } from './build.ts';
import {
  branchesToExpectBy,
  type EndedRun,
  isChangedByRunEnd,
  isJobOfRun,
  isOfRun,
  placeOfRun,
  statedByRun,
  stillReports,
} from './ended-run.ts';

const HEAD = sha('a');
const run: EndedRun = {
  id: '123',
  attempt: 1,
  workflowId: '5',
  conclusion: 'success',
  event: 'push',
  headCommit: HEAD,
  headBranch: 'main',
  fromFork: false,
  pullRequests: [],
  url: 'https://github.com/acme/shop/actions/runs/123',
};

test.each([
  [true, { serviceName: 'github', serviceNumber: '123' }],
  [true, { serviceName: 'github-actions', serviceNumber: '123' }],
  [
    true,
    { serviceName: 'github', serviceNumber: '7', buildUrl: 'https://github.com/acme/shop/actions/runs/123/job/9' },
  ],
  [false, { serviceName: 'github', serviceNumber: '7', buildUrl: 'https://github.com/acme/shop/actions/runs/1234' }],
  [false, { serviceName: 'github', serviceNumber: '7', buildUrl: undefined }],
  [false, { serviceName: 'jenkins', serviceNumber: '123' }],
  [true, { serviceName: 'github', serviceNumber: '123-1' }],
  [false, { serviceName: 'github', serviceNumber: '123-2' }],
  [false, { serviceName: 'github', serviceNumber: '123-2', buildUrl: 'https://github.com/acme/shop/actions/runs/123' }],
  [false, { serviceName: 'github', serviceNumber: '1x3-1' }],
  [true, { serviceName: 'github', serviceNumber: '123-x', buildUrl: 'https://github.com/acme/shop/actions/runs/123' }],
  [true, { serviceName: 'github', buildUrl: `${'/actions/runs/1234'.repeat(20_000)}/actions/runs/123` }],
  [false, { serviceName: 'github', buildUrl: '/actions/runs/1234'.repeat(20_000) }],
  [true, { serviceName: 'github', serviceNumber: `123-${'0'.repeat(200_000)}x`, buildUrl: '/actions/runs/123' }],
])('of the run (%s): %o', (expected, stated) => {
  expect(isOfRun(aBuild(stated), run, GITHUB.runs)).toBe(expected);
});

test.each([
  [true, '123'],
  [true, '123-1'],
  [false, '123-2'],
  [false, undefined],
])('a job of the run (%s): %s', (expected, serviceJobId) => {
  expect(isJobOfRun({ serviceJobId }, run)).toBe(expected);
});

test.each([
  ['push', 'main', undefined],
  ['schedule', 'main', undefined],
  ['pull_request', 'fix', 7],
  ['pull_request_target', 'fix', 7],
  ['merge_group', `gh-readonly-queue/main/pr-8-${'b'.repeat(40)}`, 8],
])('a run of %s on %s belongs to the pull request %s', (event, headBranch, expected) => {
  expect(placeOfRun({ event, headBranch, pull: { number: 7 } }, GITHUB).pullRequest).toBe(expected);
});

describe('a build is changed by the end of its run', () => {
  const missing = aResult({ flags: [aFlag('e2e', { kind: 'missing' })] });
  test.each<[string, Build, EndedRun['conclusion'], boolean]>([
    ['while it is open', aBuild(), 'success', true],
    ['while it is open again', aBuild({ result: aResult() }), 'skipped', true],
    [
      'not twice while it is being closed',
      aBuild({ due: [{ kind: 'close', by: 'provider', at: 1 }], runConclusion: 'failure' }),
      'failure',
      false,
    ],
    ['not when it has all there is', aClosedBuild(), 'failure', false],
    ['when it lacks flags and the run failed', aClosedBuild({ result: missing }), 'failure', true],
    ['when it lacks flags and the run was cancelled', aClosedBuild({ result: missing }), 'cancelled', true],
    ['not when it lacks flags, as its CI closed it', aClosedBuild({ result: missing }), 'success', false],
    [
      'when it lacks flags and was closed too early',
      aClosedBuild({ result: { ...missing, closedBy: 'deadline' } }),
      'success',
      true,
    ],
    ['not when no job opened it', aClosedBuild({ jobs: 0, result: missing }), 'failure', false],
    ['not of the same end again', aClosedBuild({ runConclusion: 'failure', result: missing }), 'failure', false],
    ['when the run was run again', aClosedBuild({ runConclusion: 'failure' }), 'success', true],
  ])('%s', (_, build, conclusion, expected) => {
    expect(isChangedByRunEnd(build, { conclusion, attempt: 1 })).toBe(expected);
  });

  test.each<[string, Build, number, boolean]>([
    ['not of an earlier attempt than it knows', aBuild({ runAttempt: 2 }), 1, false],
    ['not of an earlier attempt than its jobs came from', aBuild({ attempt: 2 }), 1, false],
    ['of the same attempt', aBuild({ attempt: 2 }), 2, true],
    ['of a higher one, though it changes nothing', aClosedBuild({ runConclusion: 'failure' }), 2, true],
    ['of that one once', aClosedBuild({ runConclusion: 'failure', runAttempt: 2 }), 2, false],
    ['not of an earlier one that ended otherwise', aClosedBuild({ runConclusion: 'success', runAttempt: 2 }), 1, false],
  ])('%s', (_, build, attempt, expected) => {
    expect(isChangedByRunEnd(build, { conclusion: 'failure', attempt })).toBe(expected);
  });
});

describe('what a build states that no job came for', () => {
  const pull = { number: 7, baseBranch: 'main', headCommit: HEAD };
  const queue = `gh-readonly-queue/main/pr-7-${sha('b')}`;
  test.each<[string, Partial<EndedRun>, object | undefined]>([
    ['a push', {}, { branch: 'main', pullRequest: undefined, baseBranch: undefined, mergeQueue: false }],
    ['a push to a branch with slashes', { headBranch: 'a/b' }, { branch: 'a/b' }],
    [
      'a pull request',
      { event: 'pull_request', headBranch: 'fix', pullRequests: [{ ...pull, number: 6, headCommit: sha('c') }, pull] },
      { branch: 'fix', pullRequest: 7, baseBranch: 'main', mergeQueue: false },
    ],
    ['a pull request that is closed by now', { event: 'pull_request' }, undefined],
    [
      'a pull request that has another head by now',
      { event: 'pull_request', pullRequests: [{ ...pull, headCommit: sha('c') }] },
      undefined,
    ],
    ['a push to the head of a pull request', { pullRequests: [pull] }, { branch: 'main', pullRequest: undefined }],
    [
      'a merge queue',
      { event: 'merge_group', headBranch: queue },
      { branch: queue, pullRequest: 7, baseBranch: 'main', baseCommit: sha('b'), mergeQueue: true },
    ],
    ['a fork', { event: 'pull_request', pullRequests: [pull], fromFork: true }, undefined],
    ['a clock', { event: 'schedule' }, undefined],
    ['a button', { event: 'workflow_dispatch' }, undefined],
    ['a push of no branch', { headBranch: undefined }, undefined],
  ])('%s', (_, stated, expected) => {
    const facts = statedByRun({ ...run, ...stated }, 'github', GITHUB);
    if (expected === undefined) expect(facts).toBeUndefined();
    else
      expect(facts).toMatchObject({
        ...expected,
        serviceName: 'github',
        serviceNumber: '123',
        commit: HEAD,
        trust: 'provider',
      });
  });

  test('coverage is expected as the branch that it is compared with brings it', () => {
    expect(branchesToExpectBy({ branch: 'fix', baseBranch: 'next' }, ['main'])).toEqual(['next']);
    expect(branchesToExpectBy({ branch: 'fix', baseBranch: undefined }, ['main', 'master'])).toEqual([
      'fix',
      'main',
      'master',
    ]);
    expect(branchesToExpectBy({ branch: 'main', baseBranch: undefined }, ['main', 'master'])).toEqual([
      'main',
      'master',
    ]);
  });

  const [reporting, empty] = [aClosedBuild(), aClosedBuild({ jobs: 0, result: aResult({ totals: totals(0, 0) }) })];
  test.each<[boolean, readonly Build[]]>([
    [false, []],
    [true, [reporting]],
    [true, [empty, empty, empty, empty, reporting]],
    [false, [empty, empty, empty, empty, empty, reporting]],
    [false, [aClosedBuild({ result: aResult({ totals: totals(0, 0) }) })]],
    [false, [aBuild()]],
  ])('still (%s)', (expected, recent) => {
    expect(stillReports(recent)).toBe(expected);
  });
});
