import type { Repo } from '../../domain/repo/repo.ts';
import type { Store } from '../../ports/store.ts';
import { type ExpiredBuild, type ExpiredDeps, expiredBuilds } from './expired-builds.ts';

/** Of one repo. */
export interface RemovedBuilds {
  readonly repo: Repo;
  readonly builds: number;
  /** When the last of them was made. */
  readonly until: number;
}

export interface RemoveExpiredDeps extends ExpiredDeps {
  readonly store: Pick<Store, 'builds' | 'views' | 'repos'>;
}

/** At most so many builds of one repo in a round: another repo's turn comes, and the rest goes in the next. */
const ROUND = 500;
const REPOS = 100;

/**
 * Removes every repo's builds that are beyond its retention, and tells of each repo that had some. `isTrial`: nothing
 * is removed, and all are told.
 */
export async function* removeExpired(
  deps: RemoveExpiredDeps,
  { isTrial }: { readonly isTrial: boolean },
): AsyncGenerator<RemovedBuilds> {
  const { repos } = deps.store;
  for (let after: Repo | undefined; ; ) {
    const some = await repos.list({ after, limit: REPOS });
    for (const repo of some) {
      const removed = await removeOf(deps, repo, isTrial);
      if (removed !== undefined) yield removed;
    }
    after = some.at(-1);
    if (after === undefined) return;
  }
}

async function removeOf(deps: RemoveExpiredDeps, repo: Repo, isTrial: boolean): Promise<RemovedBuilds | undefined> {
  const expired: ExpiredBuild[] = [];
  for await (const build of expiredBuilds(deps, repo)) {
    expired.push(build);
    if (!isTrial && expired.length >= ROUND) break;
  }
  if (expired.length === 0) return undefined;
  if (!isTrial) for (const { id } of expired) await deps.store.builds.remove(id);
  return { repo, builds: expired.length, until: expired.reduce((latest, { createdAt }) => Math.max(latest, createdAt), 0) };
}
