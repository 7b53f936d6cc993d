import { describe, expect, test } from 'vitest';
import { aRepo } from '../../../test/support/build-history.ts';
import { aBuild, sha } from '../../../test/support/records.ts';
import type { Build } from '../domain/build/build.ts';
import type { Logger } from '../ports/logger.ts';
import { type CommitFacts, type Provider, ProviderFailure, type PullRequestFacts } from '../ports/provider.ts';
import { createResolveTarget } from './resolve-target.ts';

const [HEAD, BASE, MERGE, OTHER] = [sha('a'), sha('b'), sha('c'), sha('d')];
const pullRequest: PullRequestFacts = {
  headCommit: HEAD,
  headBranch: 'topic',
  baseBranch: 'main',
  baseCommit: BASE,
  mergeCommit: MERGE,
  state: 'open',
  merged: false,
  landedCommit: undefined,
  fromFork: false,
};
const merging: CommitFacts = { parents: [BASE, HEAD], message: `Merge ${HEAD} into ${BASE}`, tree: sha('e') };

/** The target of a build, and how many questions the provider was asked. */
async function resolve(
  build: Partial<Build>,
  answers: { readonly pull?: PullRequestFacts | undefined; readonly commit?: CommitFacts | undefined; readonly failure?: Error },
): Promise<readonly [string | undefined, number]> {
  let asked = 0;
  const answer = async <T>(value: T): Promise<T> => {
    asked += 1;
    if (answers.failure) throw answers.failure;
    return value;
  };
  const provider: Pick<Provider, 'describePullRequest' | 'describeCommit'> = {
    describePullRequest: () => answer(answers.pull),
    describeCommit: () => answer(answers.commit),
  };
  const logger = { warn: () => undefined } as unknown as Logger;
  const resolveTarget = createResolveTarget({ providerOf: () => provider as Provider, logger });
  return [await resolveTarget(aBuild({ commit: MERGE, pullRequest: 7, ...build }), aRepo()), asked];
}

describe('rule 21: the commit that statuses go to', () => {
  test.each<[string, Partial<Build>, Parameters<typeof resolve>[1], readonly [string | undefined, number]]>([
    ['the pull request’s merge commit: its head', {}, { pull: pullRequest }, [HEAD, 1]],
    ['the pull request’s head: itself', { commit: HEAD }, { pull: pullRequest }, [HEAD, 1]],
    [
      'an older merge commit, by its parents and message',
      {},
      { pull: { ...pullRequest, mergeCommit: OTHER }, commit: merging },
      [HEAD, 2],
    ],
    [
      'a commit with two parents and another message',
      {},
      { pull: { ...pullRequest, mergeCommit: OTHER }, commit: { ...merging, message: 'Merge main' } },
      [MERGE, 2],
    ],
    ['a commit that the provider does not know', {}, { pull: { ...pullRequest, mergeCommit: OTHER } }, [MERGE, 2]],
    ['a pull request that the provider does not know', {}, { commit: merging }, [HEAD, 2]],
    ['what was fixed before stays', { target: OTHER }, { pull: pullRequest }, [OTHER, 0]],
    ['a push', { pullRequest: undefined }, { pull: pullRequest }, [MERGE, 0]],
    ['a merge queue: the queue’s commit', { mergeQueue: true }, { pull: pullRequest }, [MERGE, 0]],
    ['an upload that names the tested commit apart', { commit: HEAD, testedCommit: MERGE }, { pull: pullRequest }, [HEAD, 0]],
    ['no commit', { commit: undefined }, { pull: pullRequest }, [undefined, 0]],
    ['no answer: the commit', {}, { failure: new ProviderFailure('transient', 'away') }, [MERGE, 1]],
    [
      'no answer: the head that the message names',
      { message: merging.message },
      { failure: new ProviderFailure('transient', 'away') },
      [HEAD, 1],
    ],
  ])('%s', async (_, build, answers, expected) => {
    expect(await resolve(build, answers)).toEqual(expected);
  });

  test('a fault of ours is not taken for an answer', async () => {
    await expect(resolve({}, { failure: new TypeError('bug') })).rejects.toThrow('bug');
  });
});
