import { describe, expect, test } from 'vitest';
import { GITHUB } from '../../../../test/support/hosts.ts';
import { readGitRef, readPullRequest } from './git-ref.ts';

const COMMIT = '470f5a0c1d2e3f405162738495a6b7c8d9e0f1a2';
const NO_REF = { branch: undefined, tag: false, pullRequest: undefined, queue: undefined };

describe('readGitRef', () => {
  test.each([
    ['empty', ''],
    ['blank', '  \n'],
    ['a detached HEAD', 'HEAD'],
    ['detached in parentheses (goveralls)', '(HEAD detached at 470f5a0)'],
    ['a whole listing (goveralls)', '(HEAD detached at 470f5a0)\nfeat/x\nmain'],
    ['a listing that begins with a branch', 'feat/x\nmain'],
    ["the commit's own sha (maven, gradle, sbt)", COMMIT],
    ["the commit's own sha in capitals", COMMIT.toUpperCase()],
    ['undefined', undefined],
  ])('%s is no branch', (_, raw) => {
    expect(readGitRef(raw, COMMIT, [GITHUB])).toEqual(NO_REF);
  });

  test.each([
    ['main\n', 'main'],
    ['refs/heads/feat/x', 'feat/x'],
    ['origin/feat/x', 'feat/x'],
    ['refs/remotes/origin/main', 'main'],
    ['refs/heads/origin/main', 'main'],
    ['12/merged', '12/merged'],
  ])('%j is the branch %s', (raw, branch) => {
    expect(readGitRef(raw, COMMIT, [GITHUB])).toEqual({ ...NO_REF, branch });
  });

  test('a tag is marked before its prefix goes', () => {
    expect(readGitRef('refs/tags/v1.2.3', COMMIT, [GITHUB])).toEqual({ ...NO_REF, branch: 'v1.2.3', tag: true });
  });

  test.each(['refs/pull/7/merge', 'refs/pull/7/head', '7/merge'])('%s is pull request 7 and no branch', (raw) => {
    expect(readGitRef(raw, COMMIT, [GITHUB])).toEqual({ ...NO_REF, pullRequest: 7 });
  });

  test('a merge queue names its pull request, its base and the commit it stands on', () => {
    expect(readGitRef('refs/heads/gh-readonly-queue/release/2.x/pr-31-abcdef0123456789', COMMIT, [GITHUB])).toEqual({
      branch: 'gh-readonly-queue/release/2.x/pr-31-abcdef0123456789',
      tag: false,
      pullRequest: 31,
      queue: { baseBranch: 'release/2.x', baseCommit: 'abcdef0123456789' },
    });
  });
});

test.each([
  ['12', 12],
  [' 12 ', 12],
  ['https://github.com/o/r/pull/34', 34],
  ['http://host/pulls/34/', 34],
  ['', undefined],
  ['0', undefined],
  ['false', undefined],
  ['FALSE', undefined],
  ['feature-12', undefined],
  ['7d4f5a0c-1d2e-3f40-5162-738495a6b7c8', undefined],
  ['99999999999999999999', undefined],
  [undefined, undefined],
  ['https://host/pulls/34//', undefined],
  ['https://host', undefined],
])('service_pull_request %j means %j', (raw, expected) => {
  expect(readPullRequest(raw)).toBe(expected);
});

test('hostile names cost no more than others of their length', () => {
  const digits = '0'.repeat(200_000);
  expect(readPullRequest(`https://host/pulls/${digits}x`)).toBeUndefined();
  expect(readPullRequest(`https://host/pulls/${digits}34/`)).toBe(34);
  const queue = `gh-readonly-queue/main${'/pr-0-bbbbbbbb'.repeat(20_000)}`;
  expect(readGitRef(`${queue}x`, COMMIT, [GITHUB])).toEqual({ ...NO_REF, branch: `${queue}x` });
  expect(readGitRef(queue, COMMIT, [GITHUB])).toMatchObject({ pullRequest: 0, queue: { baseCommit: 'bbbbbbbb' } });
});

test.each(['gh-readonly-queue/pr-1-abcdef0', 'gh-readonly-queue//pr-1-abcdef0', 'gh-readonly-queue/main/pr-1-abcdefg'])(
  '%s is of no merge queue',
  (branch) => {
    expect(readGitRef(branch, COMMIT, [GITHUB])).toEqual({ ...NO_REF, branch });
  },
);
