import { describe, expect, test } from 'vitest';
import { aRepo } from '../../../test/support/build-history.ts';
import { GITHUB } from '../../../test/support/hosts.ts';
import { createLogbook } from '../../../test/support/logbook.ts';
import { aBuild, sha } from '../../../test/support/records.ts';
import type { Build } from '../core/builds/build.ts';
import type { BuildFacts } from '../core/builds/build-facts.ts';
import { reviseBuild } from '../core/builds/revise-build.ts';
import { listHosts } from '../core/repo/git-host.ts';
import { createAskProvider } from '../hosts/facts/ask-provider.ts';
import { createDeadline } from '../hosts/facts/deadline.ts';
import { systemTimers } from '../platform/timers/system-timers.ts';
import { type CommitFacts, type Provider, ProviderFailure, type PullRequestFacts } from '../ports/provider.ts';
import { prepareBuild } from './prepare-build.ts';

const [HEAD, BASE, MERGE, OTHER] = [sha('a'), sha('b'), sha('c'), sha('d')];
const pullRequest: PullRequestFacts = {
  headCommit: HEAD,
  headBranch: 'topic',
  baseBranch: 'main',
  baseCommit: BASE,
  mergeCommit: MERGE,
  state: 'open',
  title: 'Take coupons',
  openedAt: 1_000,
  merged: false,
  landedCommit: undefined,
  headRepoId: '17',
  fromFork: false,
};
const merging: CommitFacts = { parents: [BASE, HEAD], message: `Merge ${HEAD} into ${BASE}`, tree: sha('e') };

const ANSWERED: BuildFacts = {
  askedAt: 1,
  complete: true,
  pull: undefined,
  tree: undefined,
  mergeParent: BASE,
  mergeBase: undefined,
  ancestorsOf: BASE,
};

/** The target of a build, and how many questions the provider was asked. */
async function prepare(
  build: Partial<Build>,
  answers: {
    readonly pull?: PullRequestFacts | undefined;
    readonly commit?: CommitFacts | undefined;
    readonly mergeBase?: string | undefined;
    readonly failure?: Error;
  },
): Promise<{ readonly built: Build; readonly asked: number }> {
  let asked = 0;
  const answer = async <T>(value: T): Promise<T> => {
    asked += 1;
    if (answers.failure) throw answers.failure;
    return value;
  };
  const provider: Pick<Provider, 'describePullRequest' | 'describeCommit' | 'findMergeBase'> = {
    describePullRequest: () => answer(answers.pull),
    describeCommit: () => answer(answers.commit),
    findMergeBase: () =>
      answer(answers.mergeBase === undefined ? undefined : { commit: answers.mergeBase, ahead: 1, behind: 0 }),
  };
  const clock = { now: () => 5 };
  const facts = new Map<string, unknown>();
  const askProvider = createAskProvider({
    facts: { find: async (_, key) => facts.get(key), put: async ({ key, value }) => void facts.set(key, value) },
    providerOf: () => provider as Provider,
    clock,
    logger: createLogbook(),
  });
  const stored = aBuild({ commit: MERGE, pullRequest: 7, ...build });
  const services: Parameters<typeof prepareBuild>[0] = {
    facts: { put: async ({ key, value }) => void facts.set(key, value) },
    builds: { revise: async ({ revision }) => reviseBuild(stored, revision) },
    askProvider,
    hosts: listHosts([{ ...GITHUB, provider: provider as Provider }]),
    clock,
  };
  const { build: built } = await prepareBuild(services, {
    build: stored,
    repo: aRepo(),
    deadline: createDeadline(systemTimers, 1_000),
  });
  return { built, asked };
}

const resolve = async (...input: Parameters<typeof prepare>): Promise<string | undefined> =>
  (await prepare(...input)).built.target;

test('the title of a pull request is kept, in one line of some length', async () => {
  const titleOf = async (title: string) =>
    (await prepare({}, { pull: { ...pullRequest, title } })).built.facts?.pull?.title;
  expect(await titleOf('Take\ncoupons')).toBe('Take\\ncoupons');
  expect(await titleOf('x'.repeat(900))).toHaveLength(300);
  expect(await titleOf('')).toBeUndefined();
});

describe('rule 21: the commit that statuses go to', () => {
  test.each<[string, Partial<Build>, Parameters<typeof prepare>[1], string | undefined]>([
    ['the pull request’s merge commit: its head', {}, { pull: pullRequest }, HEAD],
    ['the pull request’s head: itself', { commit: HEAD }, { pull: pullRequest }, HEAD],
    [
      'an older merge commit, by its parents and message',
      {},
      { pull: { ...pullRequest, mergeCommit: OTHER }, commit: merging },
      HEAD,
    ],
    [
      'a commit with two parents and another message',
      {},
      { pull: { ...pullRequest, mergeCommit: OTHER }, commit: { ...merging, message: 'Merge main' } },
      MERGE,
    ],
    ['a commit that the provider does not know', {}, { pull: { ...pullRequest, mergeCommit: OTHER } }, MERGE],
    ['a pull request that the provider does not know', {}, { commit: merging }, HEAD],
    ['what was fixed before stays', { target: OTHER }, { pull: pullRequest }, OTHER],
    ['a push', { pullRequest: undefined }, { pull: pullRequest }, MERGE],
    ['a merge queue: the queue’s commit', { mergeQueue: true }, { pull: pullRequest }, MERGE],
    [
      'an upload that names the tested commit apart',
      { commit: HEAD, testedCommit: MERGE },
      { pull: pullRequest },
      HEAD,
    ],
    ['no commit', { commit: undefined }, { pull: pullRequest }, undefined],
    [
      'no answer: the commit, whose message is no merge’s',
      { message: 'Fix' },
      { failure: new ProviderFailure('transient', 'away') },
      MERGE,
    ],
    [
      'no answer: not said yet, since it would be fixed for good',
      {},
      { failure: new ProviderFailure('transient', 'away') },
      undefined,
    ],
    [
      'no answer: the head that the message names',
      { message: merging.message },
      { failure: new ProviderFailure('transient', 'away') },
      HEAD,
    ],
  ])('%s', async (_, build, answers, expected) => {
    expect(await resolve(build, answers)).toEqual(expected);
  });

  test('a fault of ours is not taken for an answer', async () => {
    await expect(resolve({}, { failure: new TypeError('bug') })).rejects.toThrow('bug');
  });
});

describe('what a build’s base is looked for by', () => {
  const pull = { ...pullRequest, mergeCommit: OTHER };
  test.each<[string, Partial<Build>, Parameters<typeof prepare>[1], Partial<BuildFacts>, number]>([
    [
      'a merge commit: its first parent',
      {},
      { pull: pullRequest, commit: merging },
      { mergeParent: BASE, tree: sha('e') },
      2,
    ],
    [
      'a head: the merge base',
      { commit: HEAD },
      { pull, mergeBase: BASE },
      { mergeBase: BASE, mergeParent: undefined },
      2,
    ],
    [
      'a tested commit apart: its first parent',
      { commit: HEAD, testedCommit: OTHER },
      { pull, commit: merging },
      { mergeParent: BASE },
      2,
    ],
    [
      'a merge queue: its commit’s first parent',
      { mergeQueue: true },
      { commit: { ...merging, parents: [BASE] } },
      { mergeParent: BASE },
      1,
    ],
    ['a push: nothing is asked', { pullRequest: undefined }, {}, { complete: true, ancestorsOf: MERGE }, 0],
    ['what was answered is not asked again', { facts: ANSWERED }, {}, ANSWERED, 0],
    ['no such pull request: a definite answer', { commit: HEAD }, {}, { complete: true, pull: undefined }, 2],
  ])('%s', async (_, build, answers, expected, calls) => {
    const { built, asked } = await prepare(build, answers);
    expect(built.facts).toMatchObject(expected);
    expect(asked).toBe(calls);
  });

  test('no answer leaves the facts incomplete, and the build as it is stored', async () => {
    const { built } = await prepare({}, { failure: new ProviderFailure('transient', 'away') });
    expect(built.facts?.complete).toBe(false);
    expect(built.revision).toBe(1);
  });
});
