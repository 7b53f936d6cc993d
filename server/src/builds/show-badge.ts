import { type RepoRequest, repoNotFound } from '../access/find-administered-repo.ts';
import { type Badge, coverageBadge } from '../core/badge/badge.ts';
import { defaultBranches } from '../core/builds/base-branches.ts';
import type { BuildSummary } from '../core/builds/build-summary.ts';
import { stripBranchPrefix } from '../core/builds/git-ref.ts';
import { type Imported, percentOfBuild } from '../core/builds/imported.ts';
import type { CoverageTotals } from '../core/coverage/totals.ts';
import { type Caller, mayRead } from '../core/repo/caller.ts';
import type { Repo } from '../core/repo/repo.ts';
import type { Services } from '../services/services.ts';
import type { ClosedQuery } from '../storage/build-store.ts';

export interface BadgeRequest extends RepoRequest {
  /** `t=`: the repo's badge token. */
  readonly badgeToken: string | undefined;
  /** Undefined: the default branch. */
  readonly branch: string | undefined;
  readonly flag: string | undefined;
  /** The id of a group of files. */
  readonly group?: string | undefined;
}

export interface ShownBadge {
  readonly badge: Badge;
  /** Whether anybody may see it: else no shared cache keeps it. */
  readonly isPublic: boolean;
}

/** How many of a branch's newest builds are looked at for one with a percentage: nearly always the first has one. */
const LOOKED_AT = [1, 20];

/**
 * Throws a Failure `not-found` also if the caller may not know of the repo (rule 30).
 * The newest percentage on a branch (rules.md "Branches"), or of one flag there; without one what its newest complete
 * build says, `unknown` if there is none.
 */
export async function showBadge(
  services: Pick<Services, 'resolveAccess' | 'repos' | 'secrets' | 'views'>,
  { caller, address, badgeToken, branch, flag, group }: BadgeRequest,
): Promise<ShownBadge> {
  const { repos } = services;
  const repo = await repos.findByName(address.service, address.name);
  if (repo === undefined || !(await maySeeBadge(services, { caller, repo, badgeToken }))) throw repoNotFound(address);
  const branches = branch === undefined ? defaultBranches(repo) : [stripBranchPrefix(branch)];
  const isPublic = repo.settings.visibility === 'public';
  if (group !== undefined) {
    const found = await newestGroup(services, { repo, branches, id: group });
    return { badge: coverageBadge(found?.totals, found?.name ?? group), isPublic };
  }
  const newest = await newestTotals(services, { repo, branches, flag });
  return {
    badge: coverageBadge(newest?.totals, flag, newest?.imported),
    isPublic,
  };
}

async function maySeeBadge(
  { secrets, resolveAccess }: Pick<Services, 'resolveAccess' | 'secrets'>,
  asked: { readonly caller: Caller; readonly repo: Repo; readonly badgeToken: string | undefined },
): Promise<boolean> {
  const { caller, repo, badgeToken } = asked;
  if (badgeToken !== undefined && secrets.isBadgeToken(repo.id, badgeToken)) return true;
  return mayRead(await resolveAccess(caller, [repo]), repo);
}

interface Numbers {
  readonly totals: CoverageTotals;
  readonly imported?: Imported | undefined;
}

/**
 * Among several default branches the first that has a result. Unverified runs are in none of these histories (rule 29).
 */
async function newestTotals(
  services: Pick<Services, 'views'>,
  search: { readonly repo: Repo; readonly branches: readonly string[]; readonly flag: string | undefined },
): Promise<Numbers | undefined> {
  const { repo, branches, flag } = search;
  const { views } = services;
  const totalsOf = async (build: BuildSummary) =>
    flag === undefined ? build.result?.totals : flagTotals(services, build, flag);
  for (const branch of branches) {
    const onBranch = { repoId: repo.id, scope: { branch }, before: undefined };
    let empty: Numbers | undefined;
    for (const limit of LOOKED_AT) {
      const query: ClosedQuery = { ...onBranch, limit };
      const newest = flag === undefined ? await views.closed(query) : await views.withFlag({ ...query, flag });
      for (const build of newest.filter(isComplete)) {
        const totals = await totalsOf(build);
        const numbers = totals && { totals, ...(flag === undefined && { imported: build.imported }) };
        if (numbers !== undefined && percentOfBuild(numbers.totals, numbers.imported) !== undefined) return numbers;
        empty ??= numbers;
      }
    }
    // Behind a long row of builds that are incomplete, or without a percentage (rule 4).
    const old = flag === undefined ? (await views.bases({ ...onBranch, limit: 1 })).find(isComplete) : undefined;
    const numbers = old?.result ? { totals: old.result.totals } : empty;
    if (numbers !== undefined) return numbers;
  }
  return undefined;
}

/** A group of the newest complete build that has it. */
async function newestGroup(
  { views }: Pick<Services, 'views'>,
  search: { readonly repo: Repo; readonly branches: readonly string[]; readonly id: string },
) {
  const { repo, branches, id } = search;
  for (const branch of branches) {
    const closed = await views.closed({
      repoId: repo.id,
      scope: { branch },
      before: undefined,
      limit: GROUP_LOOKED_AT,
    });
    for (const build of closed.filter(isComplete)) {
      const group = (await views.find(build.id))?.result?.groups?.find((one) => one.id === id);
      if (group !== undefined) return group;
    }
  }
  return undefined;
}

/** Builds that are looked through for a group: each is read whole. */
const GROUP_LOOKED_AT = 5;

/** Rule 13: an incomplete build shows less than there is. One that cannot be merged shows what was before. */
function isComplete(build: BuildSummary): boolean {
  return build.result !== undefined && !['incomplete', 'error'].includes(build.result.verdict.state);
}

async function flagTotals({ views }: Pick<Services, 'views'>, build: BuildSummary, name: string) {
  const flag = await views.flag(build.id, name);
  return flag?.kind === 'uploaded' ? flag.totals : undefined;
}
