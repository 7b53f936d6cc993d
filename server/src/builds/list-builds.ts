import { findReadableRepo, type RepoRequest } from '../access/find-administered-repo.ts';
import { newestBases } from '../core/builds/base-standing.ts';
import type { BuildSummary } from '../core/builds/build-summary.ts';
import { stripBranchPrefix } from '../core/builds/git-ref.ts';
import type { Caller } from '../core/repo/caller.ts';
import type { Repo } from '../core/repo/repo.ts';
import { repoWarnings } from '../core/repo/warnings.ts';
import { type Paged, type Paging, toPaged, toRange } from '../platform/paging.ts';
import type { Services } from '../services/services.ts';
import type { BuildViews } from '../storage/build-views.ts';

export interface ListedBuilds extends Paged {
  readonly repo: Repo;
  /** Who asked, with what they may do in this repo. */
  readonly caller: Caller;
  /** Undefined: all branches, and what is on none. */
  readonly branch: string | undefined;
  /** Newest first; none beyond the last page. */
  readonly builds: readonly BuildSummary[];
  /** The one that stands for them: an unverified one only if no other has closed (rule 29). */
  readonly newest: BuildSummary | undefined;
  /** Ids of those that are the newest base of their branch. */
  readonly bases: ReadonlySet<number>;
  /** What the repo's readers should know. */
  readonly warnings: readonly string[];
}

export interface ListRequest extends RepoRequest {
  readonly branch: string | undefined;
  readonly paging: Paging;
}

/**
 * A repo's builds, or those on one branch, which a pull request's, a tag's and an unverified run's are not (rules.md
 * "Branches", rule 29). Throws a Failure `not-found` also if the caller may not know of the repo.
 */
export async function listBuilds(
  services: Pick<Services, 'hosts' | 'resolveAccess' | 'repos' | 'views'>,
  { branch, paging, ...request }: ListRequest,
): Promise<ListedBuilds> {
  const { views, hosts } = services;
  const { repo, caller } = await findReadableRepo(services, request);
  const name = branch === undefined ? undefined : stripBranchPrefix(branch);
  const { total, builds } = await views.list({ repoId: repo.id, branch: name, ...toRange(paging) });
  const bases = await basesAmong(views, { repo, builds, page: paging.page });
  const warnings = repoWarnings(repo, hosts);
  const newest = await newestAmong(views, repo, builds);
  return { repo, caller, branch: name, builds, newest, bases, warnings, ...toPaged(paging, total) };
}

async function newestAmong(
  views: Pick<BuildViews, 'closed'>,
  { id: repoId }: Repo,
  builds: readonly BuildSummary[],
): Promise<BuildSummary | undefined> {
  const trusted = builds.find(({ trust }) => trust !== 'run');
  if (trusted !== undefined || builds.length === 0) return trusted;
  const [closed] = await views.closed({ repoId, scope: 'repo', before: undefined, limit: 1 });
  return closed ?? builds[0];
}

/** Branches of one page that are asked about. */
const MAX_BRANCHES = 10;

/** The first page holds whatever is newer than what it shows; on a later one the newest base may stand before it. */
async function basesAmong(
  views: Pick<BuildViews, 'bases'>,
  shown: { readonly repo: Repo; readonly builds: readonly BuildSummary[]; readonly page: number },
): Promise<ReadonlySet<number>> {
  const candidates = [...newestBases(shown.builds)];
  if (shown.page === 1) return new Set(candidates.map(([, build]) => build.id));
  const newest = candidates.slice(0, MAX_BRANCHES).map(async ([branch]) => {
    const query = { repoId: shown.repo.id, scope: { branch }, before: undefined, limit: 1 };
    return newestBases(await views.bases(query)).get(branch)?.id;
  });
  const ids = new Set(await Promise.all(newest));
  return new Set(candidates.map(([, build]) => build.id).filter((id) => ids.has(id)));
}
