import { describe, expect, test } from 'vitest';
import { GITHUB } from '../../../../test/support/hosts.ts';
import { findTrustProblem, isMergeOfRun, isRunOf, mayTestMerge, readRunIds, type WorkflowRun } from './workflow-run.ts';

const run: WorkflowRun = {
  id: '123',
  repoId: '7',
  headRepoId: '7',
  headCommit: 'a'.repeat(40),
  event: 'pull_request',
  actor: 'mona',
  ended: false,
};

describe('a run', () => {
  test('of the repo itself that is in progress vouches', () => {
    expect(findTrustProblem(run, '7', GITHUB)).toBeUndefined();
    expect(findTrustProblem({ ...run, actor: undefined }, '7', GITHUB)).toBeUndefined();
  });

  test.each<[string, Partial<WorkflowRun>]>([
    ['belongs to another repo', { repoId: '8' }],
    ['of a fork', { headRepoId: '8' }],
    ['of a fork', { headRepoId: undefined }],
    ['of a fork', { headRepoId: '8', ended: true }],
    ['Dependabot', { actor: 'dependabot[bot]' }],
    ['has ended', { ended: true }],
  ])('%s: does not', (reason, change) => {
    const problem = findTrustProblem({ ...run, ...change }, '7', GITHUB);
    expect(problem?.found).toContain(reason);
    expect(problem?.found).toContain('run 123');
    expect(problem?.remedy).toMatch(/\.$/);
  });

  test('is of its head, and of what merges that', () => {
    const other = 'b'.repeat(40);
    expect(isRunOf(run, [other, 'A'.repeat(40)])).toBe(true);
    expect(isRunOf(run, [other])).toBe(false);
    expect(isRunOf(run, [])).toBe(false);
    expect(isMergeOfRun(run, [other, run.headCommit])).toBe(true);
    expect(isMergeOfRun(run, [other, 'c'.repeat(40)])).toBe(false);
    // A commit on top of the head is not what the run checked out.
    expect(isMergeOfRun(run, [run.headCommit])).toBe(false);
    const events = ['pull_request', 'pull_request_review', 'pull_request_target', 'push'];
    expect(events.map((event) => mayTestMerge({ ...run, event }, GITHUB.runs))).toEqual([true, true, false, false]);
  });
});

test('run ids are whole digits, each once', () => {
  const texts = ['123', undefined, '123', 'test', '123-4', '0', '007', '45', '9'.repeat(16), ' 1', '1e3'];
  expect(readRunIds(texts, GITHUB.runs)).toEqual(['123', '45']);
});
