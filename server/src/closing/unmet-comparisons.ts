import { compareRefSteps } from '../core/builds/base-build.ts';
import type { BaseRule, Build, UnmetComparison } from '../core/builds/build.ts';
import { namesNoBase } from '../core/builds/run-origin.ts';
import { isShortCommit } from '../core/builds/short-commit.ts';
import type { BuildStore } from '../storage/build-store.ts';

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
