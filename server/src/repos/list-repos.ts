import { type Caller, mayRead } from '../core/repo/caller.ts';
import type { Repo } from '../core/repo/repo.ts';
import { type Paged, type Paging, toPaged, toRange } from '../platform/paging.ts';
import type { Services } from '../services/services.ts';

export interface ListedRepos extends Paged {
  /** By service and name; none beyond the last page. */
  readonly repos: readonly Repo[];
}

/** Read at a time. */
const BATCH = 500;

/**
 * The repos that the caller may read.
 * Who may read a repo follows from several of its settings and from its host, so all are looked at, in batches.
 */
export async function listRepos(
  services: Pick<Services, 'resolveAccess' | 'repos'>,
  asked: { readonly caller: Caller; readonly paging: Paging },
): Promise<ListedRepos> {
  const { repos, resolveAccess } = services;
  const { caller: asking, paging } = asked;
  const { offset, limit } = toRange(paging);
  const shown: Repo[] = [];
  let total = 0;
  for (let after: Repo | undefined; ; ) {
    const batch = await repos.list({ after, limit: BATCH });
    const caller = await resolveAccess(asking, batch);
    for (const repo of batch.filter((one) => mayRead(caller, one))) {
      if (total >= offset && shown.length < limit) shown.push(repo);
      total += 1;
    }
    after = batch.at(-1);
    if (batch.length < BATCH) return { repos: shown, ...toPaged(paging, total) };
  }
}
