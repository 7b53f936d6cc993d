import { compareRefSteps } from '../core/builds/base-build.ts';
import type { BaseRule, Build, UnmetComparison } from '../core/builds/build.ts';
import type { JobFacts, Trust } from '../core/builds/job.ts';
import { namesNoBase } from '../core/builds/run-origin.ts';
import { isShortCommit } from '../core/builds/short-commit.ts';
import { quoteValue } from '../core/failure.ts';
import type { BuildStore } from '../storage/build-store.ts';

interface CompletedCommit {
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

type Builds = Pick<BuildStore, 'ofCommit' | 'commitsStarting' | 'closed'>;

/** The commits that a named one may be: itself, unless it is shortened (rule 18). Two: there are several. */
export async function completeCommit(builds: Builds, repoId: number, named: string): Promise<readonly string[]> {
  if (!isShortCommit(named) || (await builds.ofCommit(repoId, named)).length > 0) return [named];
  return builds.commitsStarting({ repoId, digits: named, limit: 2 });
}

/** What a build asked to be compared with and is not, where its base was found by `rule`; undefined: it has none. */
export async function findUnmet(
  builds: Builds,
  build: Pick<Build, 'repoId' | 'compareCommit' | 'compareRef' | 'trust' | 'runCheck'>,
  rule?: BaseRule,
): Promise<readonly UnmetComparison[]> {
  const { repoId, compareCommit, compareRef } = build;
  const unmet: UnmetComparison[] = [];
  const add = (field: UnmetComparison['field'], value: string, why: UnmetComparison['why']): void => {
    unmet.push({ field, value, why: namesNoBase(build) ? 'unverified' : why });
  };
  if (rule === 'compare-sha') return unmet;
  if (compareCommit !== undefined) add('compare_sha', compareCommit, await whyNotCommit(builds, repoId, compareCommit));
  if (compareRef !== undefined && rule !== 'compare-ref')
    add('compare_ref', compareRef, await whyNotRef(builds, repoId, compareRef));
  return unmet;
}

async function whyNotCommit(builds: Builds, repoId: number, named: string): Promise<UnmetComparison['why']> {
  const [commit, ...others] = await completeCommit(builds, repoId, named);
  if (others.length > 0) return 'ambiguous';
  return commit === undefined || (await builds.ofCommit(repoId, commit)).length === 0 ? 'unknown' : 'no-base';
}

async function whyNotRef(builds: Builds, repoId: number, compareRef: string): Promise<UnmetComparison['why']> {
  for (const { look } of compareRefSteps(compareRef)) {
    if (!('branch' in look || 'tag' in look)) continue;
    const closed = await builds.closed({ repoId, scope: look, before: undefined, limit: 1 });
    if (closed.length > 0) return 'no-base';
  }
  return 'unknown';
}
