import { describe, expect, test } from 'vitest';
import { describeEvent, type EventRunner, hasNoSecrets } from './event.ts';

const HEAD = 'a'.repeat(40);
const MERGE = 'b'.repeat(40);
const BASE = 'c'.repeat(40);

const runner = (parts: Partial<EventRunner>): EventRunner => ({
  event: {},
  sha: MERGE,
  ref: '',
  refName: '',
  headRef: '',
  ...parts,
});
const pull_request = {
  number: 7,
  title: 'Add x',
  user: { login: 'zoe' },
  head: { sha: HEAD, ref: 'feat/x' },
  base: { sha: BASE, ref: 'main' },
};

test('a pull request is its head, tested at the merge', () => {
  expect(
    describeEvent(runner({ event: { pull_request }, ref: 'refs/pull/7/merge', refName: '7/merge', headRef: 'feat/x' })),
  ).toEqual({
    headSha: HEAD,
    branch: 'feat/x',
    pullRequest: '7',
    baseBranch: 'main',
    baseSha: BASE,
    pushedFrom: '',
    testsMerge: true,
    commit: { message: 'Add x', authorName: 'zoe' },
  });
});

test('under pull_request_target GITHUB_SHA is the base branch, and is not what was tested', () => {
  const facts = describeEvent(runner({ event: { pull_request }, sha: BASE, ref: 'refs/heads/main', refName: 'main' }));
  expect(facts).toMatchObject({ headSha: HEAD, branch: 'feat/x', pullRequest: '7', testsMerge: false });
});

test('a push, to a branch with slashes', () => {
  const head_commit = { message: 'm', author: { name: 'A', email: 'a@x' }, committer: { name: 'C', email: 'c@x' } };
  expect(describeEvent(runner({ event: { head_commit }, ref: 'refs/heads/feat/x', refName: 'feat/x' }))).toEqual({
    headSha: MERGE,
    branch: 'feat/x',
    pullRequest: '',
    baseBranch: '',
    baseSha: '',
    pushedFrom: '',
    testsMerge: false,
    commit: { message: 'm', authorName: 'A', authorEmail: 'a@x', committerName: 'C', committerEmail: 'c@x' },
  });
});

test.each([
  ['only added to the branch', { before: BASE, forced: false }, BASE],
  ['was forced', { before: BASE, forced: true }, ''],
  ['does not say whether it was forced', { before: BASE }, ''],
  ['made the branch', { before: '0'.repeat(40), forced: false }, ''],
])('a push that %s', (_, event, pushedFrom) => {
  expect(describeEvent(runner({ event, ref: 'refs/heads/main', refName: 'main' }))).toMatchObject({
    pushedFrom,
    baseSha: '',
  });
});

test('a tag keeps its full name', () => {
  expect(describeEvent(runner({ ref: 'refs/tags/v1', refName: 'v1' })).branch).toBe('refs/tags/v1');
});

test('a schedule or a dispatch is a push of its branch', () => {
  expect(describeEvent(runner({ ref: 'refs/heads/main', refName: 'main' }))).toMatchObject({
    headSha: MERGE,
    branch: 'main',
    pullRequest: '',
  });
});

test('a merge group is its queue branch', () => {
  const head_ref = 'refs/heads/gh-readonly-queue/main/pr-7-ccc';
  const merge_group = {
    head_sha: HEAD,
    head_ref,
    base_sha: BASE,
    base_ref: 'refs/heads/main',
    head_commit: { message: 'q' },
  };
  expect(describeEvent(runner({ event: { merge_group }, sha: HEAD, ref: head_ref }))).toMatchObject({
    headSha: HEAD,
    branch: 'gh-readonly-queue/main/pr-7-ccc',
    pullRequest: '',
    baseBranch: 'main',
    baseSha: BASE,
    commit: { message: 'q' },
  });
});

test('a run after another workflow is about that workflow’s commit', () => {
  const workflow_run = {
    head_sha: HEAD,
    head_branch: 'feat/x',
    pull_requests: [{ number: 7, base: { ref: 'main', sha: BASE } }],
  };
  const facts = describeEvent(runner({ event: { workflow_run }, ref: 'refs/heads/main', refName: 'main' }));
  expect(facts).toMatchObject({
    headSha: HEAD,
    branch: 'feat/x',
    pullRequest: '7',
    baseBranch: 'main',
    baseSha: BASE,
    testsMerge: false,
  });
  const fork = describeEvent(
    runner({ event: { workflow_run: { ...workflow_run, pull_requests: [] } }, ref: 'refs/heads/main' }),
  );
  expect(fork).toMatchObject({ headSha: HEAD, branch: 'feat/x', pullRequest: '', baseBranch: '' });
});

describe('a run that follows the run', () => {
  const repository = { id: 1, full_name: 'octo/repo' };
  const workflow_run = { head_sha: HEAD, head_branch: 'main', pull_requests: [] };
  const facts = (run: object) =>
    describeEvent(runner({ event: { repository, workflow_run: { ...workflow_run, ...run } }, ref: 'refs/heads/main' }));

  test.each<[string, object]>([
    ['of a fork', { head_repository: { id: 2, full_name: 'eve/repo' } }],
    ['of a fork, whose id is not told', { head_repository: { full_name: 'eve/repo' } }],
    ['of a fork that was removed', { head_repository: null }],
    [
      'of a fork, which has a pull request of its own from there',
      { head_repository: { id: 2 }, pull_requests: [{ number: 3, base: { ref: 'main', repo: { id: 2 } } }] },
    ],
  ])('%s is on no branch, whatever its own is called', (_, run) => {
    expect(facts(run)).toMatchObject({ headSha: HEAD, branch: '', pullRequest: '' });
  });

  test('of the repo itself is on its branch, and of a listed pull request', () => {
    const head_repository = { id: 1, full_name: 'Octo/Repo' };
    expect(facts({ head_repository })).toMatchObject({ branch: 'main', pullRequest: '' });
    const pull_requests = [{ number: 7, base: { ref: 'main', sha: BASE, repo: { id: 1 } } }];
    expect(facts({ head_repository, pull_requests })).toMatchObject({ pullRequest: '7', baseBranch: 'main' });
  });
});

test.each<[string, string, string, boolean]>([
  ['a push of Dependabot', 'push', 'dependabot[bot]', true],
  ['a push of a person', 'push', 'mona', false],
  ['a run that follows one of Dependabot', 'workflow_run', 'dependabot[bot]', false],
])('%s: it gets no secrets: %s by %s, %s', (_, eventName, login, expected) => {
  expect(hasNoSecrets({ event: { sender: { login } }, eventName, repository: 'octo/repo' })).toBe(expected);
});

test('a pull request known by its ref only', () => {
  expect(describeEvent(runner({ ref: 'refs/pull/12/merge', refName: '12/merge' }))).toMatchObject({
    pullRequest: '12',
    branch: '',
  });
});

test.each<[string, object, string, boolean]>([
  ['of the repo itself', { head: { repo: { full_name: 'Octo/Repo' } } }, 'pull_request', false],
  ['of a fork', { head: { repo: { full_name: 'mona/repo' } } }, 'pull_request', true],
  ['of a fork that was removed', { head: { repo: null } }, 'pull_request', true],
  ['of a fork, reviewed', { head: { repo: { full_name: 'mona/repo' } } }, 'pull_request_review', true],
  ['of a fork, as its base', { head: { repo: { full_name: 'mona/repo' } } }, 'pull_request_target', false],
  ['of Dependabot', { user: { login: 'dependabot[bot]' } }, 'pull_request', true],
  ['of Dependabot, as its base', { user: { login: 'dependabot[bot]' } }, 'pull_request_target', false],
  ['of which the event tells no repo', {}, 'pull_request', false],
])('the run of a pull request %s: it gets no secrets', (_, pull, eventName, expected) => {
  const runner = { event: { pull_request: pull }, eventName, repository: 'octo/repo' };
  expect(hasNoSecrets(runner)).toBe(expected);
  expect(hasNoSecrets({ ...runner, event: {} })).toBe(false);
});
