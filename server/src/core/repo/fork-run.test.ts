import { describe, expect, test } from 'vitest';
import { GITHUB as host } from '../../../../test/support/hosts.ts';
import { type DescribedRun, findForkRunProblem, isRunOfPull } from './fork-run.ts';

const HEAD = 'a'.repeat(40);
const NOW = 1_000_000_000;
const MINUTE = 60_000;
const run: DescribedRun = {
  id: '4711',
  repoId: '17',
  headRepoId: '99',
  headCommit: HEAD,
  headBranch: 'prices',
  event: 'pull_request',
  actor: 'eve',
  attempt: 1,
  ended: false,
  endedAt: undefined,
  awaitsApproval: false,
};
const ended = (minutes: number) => ({ ended: true, endedAt: NOW - minutes * MINUTE });

describe('a run vouches for what has no secret', () => {
  test.each<[string, Partial<DescribedRun>, string | undefined]>([
    ['of a fork', {}, undefined],
    ['of a fork that was deleted', { headRepoId: undefined }, undefined],
    ['of a bot', { headRepoId: '17', actor: 'dependabot[bot]' }, undefined],
    ['of a review', { event: 'pull_request_review' }, undefined],
    ['that ended ten minutes ago', ended(10), undefined],
    ['not where it ended before', ended(10.01), 'ended more than 10 minutes ago'],
    ['not where nobody says when it ended', { ended: true }, 'ended more than'],
    ['not of another repo', { repoId: '18' }, 'another repo'],
    ['not of the repo itself', { headRepoId: '17' }, 'belongs to the repo itself'],
    ['not of a push', { event: 'push' }, 'started by push'],
    ['not where it has secrets', { event: 'pull_request_target' }, 'started by pull_request_target'],
    ['not where it follows another run', { event: 'workflow_run' }, 'started by workflow_run'],
    ['not before it is approved', { ...ended(1), awaitsApproval: true }, 'is waiting for approval'],
  ])('%s', (_, change, found) => {
    const problem = findForkRunProblem({ ...run, ...change }, { host, repoId: '17', now: NOW });
    expect(problem?.found).toEqual(found === undefined ? undefined : expect.stringContaining(found));
  });
});

describe('a run is of the pull request', () => {
  const pull = { headCommit: HEAD, headBranch: 'prices', headRepoId: '99' };
  test.each<[string, Partial<DescribedRun>, Partial<typeof pull> | { headRepoId: undefined }, boolean]>([
    ['of its repo and branch', {}, {}, true],
    ['whose head has moved on', {}, { headCommit: 'b'.repeat(40) }, true],
    ['not of another fork with the same head', {}, { headRepoId: '98' }, false],
    ['not of another branch', {}, { headBranch: 'other' }, false],
    ['of a deleted fork with its head', { headRepoId: undefined }, { headRepoId: undefined }, true],
    [
      'not of a deleted fork with another head',
      { headRepoId: undefined, headCommit: 'b'.repeat(40) },
      { headRepoId: undefined },
      false,
    ],
    ['not where one fork alone was deleted', {}, { headRepoId: undefined }, false],
  ])('%s', (_, change, other, expected) => {
    expect(isRunOfPull({ ...run, ...change }, { ...pull, ...other })).toBe(expected);
  });
});
