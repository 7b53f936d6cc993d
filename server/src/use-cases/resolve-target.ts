import type { Build } from '../domain/build/build.ts';
import { mergeCommitParents, namesMergeCommit } from '../domain/build/merge-commit.ts';
import type { Repo } from '../domain/repo/repo.ts';
import type { Logger } from '../ports/logger.ts';
import { type Provider, ProviderFailure } from '../ports/provider.ts';

/** How long a look-up may hold a build up (rules.md "Base build", last paragraph). */
const LOOK_UP_LIMIT = 3_000;

export type ResolveTarget = (build: Build, repo: Repo) => Promise<string | undefined>;

/**
 * Rule 21: the commit that a build's statuses go to. What was stored stays; an upload that names the tested commit apart
 * needs no look-up; else, for a pull request, the provider is asked once whether the commit is the pull request's merge commit.
 */
export function createResolveTarget(deps: {
  readonly providerOf: (repo: Repo) => Provider | undefined;
  readonly logger: Logger;
}): ResolveTarget {
  const { providerOf, logger } = deps;
  return async (build, repo) => {
    const { commit, pullRequest, testedCommit } = build;
    if (build.target !== undefined) return build.target;
    const provider = providerOf(repo);
    const mayBeMerge = commit !== undefined && pullRequest !== undefined && !build.mergeQueue && testedCommit === undefined;
    if (!mayBeMerge || provider === undefined) return commit;
    try {
      return await within(LOOK_UP_LIMIT, askProvider(provider, { repo: repo.name, commit, pullRequest }));
    } catch (error) {
      if (!(error instanceof ProviderFailure) && !(error instanceof LookUpTimeout)) throw error;
      logger.warn({ build: build.id, reason: error.message }, 'could not ask whether the commit is a merge commit');
      return mergeCommitParents(build.message ?? '')?.head ?? commit;
    }
  };
}

class LookUpTimeout extends Error {}

async function askProvider(provider: Provider, place: { repo: string; commit: string; pullRequest: number }): Promise<string> {
  const { repo, commit, pullRequest } = place;
  const facts = await provider.describePullRequest({ repo, pullRequest });
  if (facts?.mergeCommit === commit) return facts.headCommit;
  if (facts?.headCommit === commit) return commit;
  const described = await provider.describeCommit({ repo, commit });
  return described && namesMergeCommit(described) ? (described.parents[1] as string) : commit;
}

async function within<T>(limit: number, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new LookUpTimeout(`no answer within ${limit} ms`)), limit);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
    work.catch(() => undefined);
  }
}
