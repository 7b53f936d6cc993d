import type { JobFacts, Trust } from '../core/builds/job.ts';
import { isShortCommit } from '../core/builds/short-commit.ts';
import { quoteValue } from '../core/failure.ts';
import type { BuildStore } from '../storage/build-store.ts';

export interface CompletedCommit {
  readonly facts: JobFacts;
  /** Why the commit stays short; undefined if it is whole. */
  readonly warning: string | undefined;
}

/** Two whole ones are too many; a third row may be an earlier upload's own short one. */
const MAX_COMMITS = 3;

/**
 * A job's shortened commit, completed from the builds of its repo: no status can be given to part of a sha. Only for
 * who holds the repo's secret, since a run vouches for whole commits.
 */
export async function completeJobCommit(
  builds: Pick<BuildStore, 'commitsStarting'>,
  { repoId, facts, trust }: { readonly repoId: number; readonly facts: JobFacts; readonly trust: Trust },
): Promise<CompletedCommit> {
  const { commit } = facts;
  if (commit === undefined || trust !== 'secret' || !isShortCommit(commit)) return { facts, warning: undefined };
  const known = await builds.commitsStarting({ repoId, digits: commit, limit: MAX_COMMITS });
  const [whole, ...others] = known.filter((one) => !isShortCommit(one));
  if (whole !== undefined && others.length === 0) return { facts: withCommit(facts, whole), warning: undefined };
  return { facts, warning: shortCommit(quoteValue(commit), { isKnown: whole !== undefined }) };
}

function withCommit(facts: JobFacts, commit: string): JobFacts {
  return { ...facts, commit, testedCommit: facts.testedCommit === commit ? undefined : facts.testedCommit };
}

/** `isKnown`: several commits begin so. */
function shortCommit(commit: string, { isKnown }: { readonly isKnown: boolean }): string {
  const why = isKnown ? 'several commits of this repo begin so' : 'no build of this repo is of a commit that begins so';
  return `The commit ${commit} is shortened, and ${why}. Can’t post a commit status. Send all its digits.`;
}
