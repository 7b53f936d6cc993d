import { branchOf, tagOf } from '../core/builds/base-build.ts';
import type { Build } from '../core/builds/build.ts';
import { missingBasesMet } from '../core/builds/short-commit.ts';
import type { Clock } from '../platform/clock.ts';
import type { Services } from '../services/services.ts';
import type { BuildStore } from '../storage/build-store.ts';

/** More dependents than this are rare; the others find the base at their next close. */
const MAX_DEPENDENTS = 200;

/**
 * Rule 20: a build that was closed may be the base that others waited for, or have already. Those of them that are the
 * newest of their pull request, or the newest on their branch, are evaluated again.
 */
export async function reevaluateDependents(
  { builds, clock }: Pick<Services, 'builds' | 'clock'>,
  base: Build,
): Promise<void> {
  const { id, repoId } = base;
  const [waiting, dependent] = await Promise.all([
    builds.withMissingBase({ repoId, missingBases: missingBasesMetBy(base), limit: MAX_DEPENDENTS }),
    builds.basedOn({ repoId, buildId: id, limit: MAX_DEPENDENTS }),
  ]);
  await revisitNewest(
    { builds, clock },
    [...waiting, ...dependent].filter((build) => build.id !== id),
  );
  await builds.revise({ buildId: id, revision: { kind: 'backfilled', closeCount: base.result?.closeCount ?? 0 } });
}

/** How many bases are looked for at once. */
const KEYS_AT_ONCE = 500;

/** Rule 20, once a whole history is there: those that waited for any of these bases. */
export async function revisitWaiting(
  services: Pick<Services, 'builds' | 'clock'>,
  { repoId, missingBases }: { readonly repoId: number; readonly missingBases: ReadonlySet<string> },
): Promise<void> {
  const all = [...missingBases];
  const waiting: Build[] = [];
  for (let at = 0; at < all.length; at += KEYS_AT_ONCE) {
    const some = all.slice(at, at + KEYS_AT_ONCE);
    waiting.push(...(await services.builds.withMissingBase({ repoId, missingBases: some, limit: MAX_DEPENDENTS })));
  }
  await revisitNewest(services, waiting);
}

async function revisitNewest(
  { builds, clock }: { readonly builds: BuildStore; readonly clock: Clock },
  found: readonly Build[],
): Promise<void> {
  const isNewest = createIsNewest(builds);
  for (const build of new Map(found.map((one) => [one.id, one])).values()) {
    if (await isNewest(build))
      await builds.revise({ buildId: build.id, revision: { kind: 'revisit', at: clock.now() } });
  }
}

/** What a build may have been looked for by. */
function missingBasesMetBy(base: Build): readonly string[] {
  const commits = [base.commit, base.testedCommit, base.target, base.landed?.commit].filter(
    (commit) => commit !== undefined,
  );
  return [...missingBasesMet({ commits, branch: branchOf(base), tag: tagOf(base) }), `build:${base.id}`];
}

/**
 * Whether it was built for the newest commit of its pull request, or on its branch: two workflows of one commit are as
 * new as each other. Each pull request and branch is asked once, since a list counts all builds of its branch.
 */
function createIsNewest(builds: Pick<BuildStore, 'ofPullRequest' | 'list'>): (build: Build) => Promise<boolean> {
  const known = new Map<number | string, Promise<Build | undefined>>();
  const once = (key: number | string, ask: () => Promise<Build | undefined>): Promise<Build | undefined> => {
    const newest = known.get(key) ?? ask();
    known.set(key, newest);
    return newest;
  };
  return async (build) => {
    const { repoId, pullRequest } = build;
    const branch = branchOf(build);
    if (pullRequest !== undefined && build.landed === undefined) {
      // Rule 29: an unverified build is no newer one of a trusted build.
      const isSame = (other: Build): boolean => (other.trust === 'run') === (build.trust === 'run');
      const ask = async () => (await builds.ofPullRequest(repoId, pullRequest, 1)).find(isSame);
      return isAsNew(build, await once(pullRequest, ask));
    }
    if (branch === undefined) return true;
    const ask = async () => (await builds.list({ repoId, branch, offset: 0, limit: 1 })).builds[0];
    return isAsNew(build, await once(branch, ask));
  };
}

function isAsNew(build: Build, newest: Build | undefined): boolean {
  if (newest === undefined || newest.id === build.id) return true;
  const commit = build.target ?? build.commit;
  return commit !== undefined && commit === (newest.target ?? newest.commit);
}
