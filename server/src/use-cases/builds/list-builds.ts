import { newestBases } from '../../domain/builds/base-standing.ts';
import type { Build } from '../../domain/builds/build.ts';
import { stripBranchPrefix } from '../../domain/builds/git-ref.ts';
import { mayRead } from '../../domain/repo/caller.ts';
import type { GitHosts } from '../../domain/repo/git-host.ts';
import type { Repo } from '../../domain/repo/repo.ts';
import { repoWarnings } from '../../domain/repo/warnings.ts';
import type { BuildStore } from '../../ports/build-store.ts';
import type { RepoStore } from '../../ports/store.ts';
import { type RepoRequest, repoNotFound } from '../repos/find-administered-repo.ts';

/** Which part of a list is asked for. */
export interface Paging {
  /** From 1. */
  readonly page: number;
  /** Entries on a page, 1 or more. */
  readonly size: number;
}

/** Where a part stands in its list. */
export interface Paged {
  readonly page: number;
  /** How many pages there are; 0 when there are no entries. */
  readonly pages: number;
  /** How many entries there are on all pages. */
  readonly total: number;
}

export interface ListedBuilds extends Paged {
  readonly repo: Repo;
  /** Undefined: all branches, and what is on none. */
  readonly branch: string | undefined;
  /** Newest first; none beyond the last page. */
  readonly builds: readonly Build[];
  /** Ids of those that are the newest base of their branch. */
  readonly bases: ReadonlySet<number>;
  /** What the repo's readers should know. */
  readonly warnings: readonly string[];
}

export type ListBuilds = (
  asked: RepoRequest & { readonly branch: string | undefined; readonly paging: Paging },
) => Promise<ListedBuilds>;

/**
 * A repo's builds, or those on one branch, which a pull request's, a tag's and an unverified run's are not (rules.md
 * "Branches", rule 29). Throws a Failure `not-found` also where the caller may not know of the repo.
 */
export function createListBuilds(deps: {
  readonly repos: Pick<RepoStore, 'findByName'>;
  readonly builds: Pick<BuildStore, 'list' | 'bases'>;
  readonly hosts: GitHosts;
}): ListBuilds {
  const { repos, builds, hosts } = deps;
  return async ({ caller, address, branch, paging }) => {
    const repo = await repos.findByName(address.service, address.name);
    if (repo === undefined || !mayRead(caller, repo)) throw repoNotFound(address);
    const name = branch === undefined ? undefined : stripBranchPrefix(branch);
    const found = await builds.list({ repoId: repo.id, branch: name, ...toRange(paging) });
    const bases = await basesAmong(builds, { repo, builds: found.builds, page: paging.page });
    const warnings = repoWarnings(repo, hosts);
    return { repo, branch: name, builds: found.builds, bases, warnings, ...toPaged(paging, found.total) };
  };
}

/** Branches of one page that are asked about. */
const MOST_BRANCHES = 10;

/** The first page holds whatever is newer than what it shows; on a later one the newest base may stand before it. */
async function basesAmong(
  builds: Pick<BuildStore, 'bases'>,
  shown: { readonly repo: Repo; readonly builds: readonly Build[]; readonly page: number },
): Promise<ReadonlySet<number>> {
  const candidates = [...newestBases(shown.builds)];
  if (shown.page === 1) return new Set(candidates.map(([, build]) => build.id));
  const newest = candidates.slice(0, MOST_BRANCHES).map(async ([branch]) => {
    const query = { repoId: shown.repo.id, scope: { branch }, before: undefined, limit: 1 };
    return newestBases(await builds.bases(query)).get(branch)?.id;
  });
  const ids = new Set(await Promise.all(newest));
  return new Set(candidates.map(([, build]) => build.id).filter((id) => ids.has(id)));
}

/** What a store or a report is asked for. */
export function toRange({ page, size }: Paging): { readonly offset: number; readonly limit: number } {
  return { offset: (page - 1) * size, limit: size };
}

export function toPaged({ page, size }: Paging, total: number): Paged {
  return { page, pages: Math.ceil(total / size), total };
}
