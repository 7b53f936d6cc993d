import { overallOf } from '../core/builds/build-checks.ts';
import type { BuildSummary } from '../core/builds/build-summary.ts';
import { stripBranchPrefix } from '../core/builds/git-ref.ts';
import { sizeOf } from '../core/verdict/checks.ts';
import type { Paging } from '../platform/paging.ts';
import type { BuildViews } from '../storage/build-views.ts';

/** What a reader types to find builds: a branch, `#n`, the beginning of a commit, or a part of what a row shows. */
export interface BuildFilter {
  readonly text: string | undefined;
  readonly verdict: BuildState | undefined;
}

/** Whether anything is sought. */
export function isFiltered({ text, verdict }: BuildFilter): boolean {
  return text !== undefined || verdict !== undefined;
}

export const BUILD_STATES = ['failed', 'would fail', 'passed', 'incomplete', 'pending'] as const;
export type BuildState = (typeof BUILD_STATES)[number];

/** How many of the newest are looked at for one page of what a filter finds. */
export const LOOKED_THROUGH = 200;

export interface FoundBuilds {
  readonly builds: readonly BuildSummary[];
  /** Whether older builds are still to be looked at. */
  readonly hasOlder: boolean;
  /** How many were looked at one by one; undefined: an index found them. */
  readonly looked: number | undefined;
}

/** Whether a list's row of a build shows the text, in whatever case: in its title, its branch or its author's name. */
export function showsText({ message, branch, authors, facts }: BuildSummary, text: string): boolean {
  const sought = text.toLowerCase();
  const shown = [facts?.pull?.title, message, branch, authors.authorName];
  return shown.some((one) => one?.toLowerCase().includes(sought));
}

/** What a text means; undefined: it is looked for in titles. */
export function readSearch(text: string): { readonly pullRequest: number } | { readonly commit: string } | undefined {
  if (/^#[1-9]\d{0,8}$/.test(text)) return { pullRequest: Number(text.slice(1)) };
  return /^[0-9a-f]{6,64}$/i.test(text) ? { commit: text.toLowerCase() } : undefined;
}

/** The state by which lists name a build: what all its checks amount to. */
export function stateOf({ state, result }: BuildSummary): BuildState {
  if (result === undefined || state === 'open') return 'pending';
  const overall = overallOf(result);
  if (overall.state === 'success') return sizeOf(overall.wouldFail) > 0 ? 'would fail' : 'passed';
  return overall.state === 'incomplete' ? 'incomplete' : 'failed';
}

/** The builds of one repo that a filter means; titles and verdicts are looked for in some of the newest at a time. */
export async function findBuilds(
  views: Pick<BuildViews, 'search' | 'list'>,
  asked: { readonly repoId: number; readonly filter: BuildFilter; readonly paging: Pick<Paging, 'page'> },
): Promise<FoundBuilds> {
  const { repoId, filter, paging } = asked;
  const { text = '', verdict } = filter;
  const isMeant = (build: BuildSummary): boolean => verdict === undefined || stateOf(build) === verdict;
  const by = readSearch(text);
  const named = by && (await views.search({ repoIds: [repoId], by, limit: LOOKED_THROUGH }));
  if (named !== undefined && (named.length > 0 || 'pullRequest' in (by ?? {})))
    return { builds: paging.page === 1 ? named.filter(isMeant) : [], hasOlder: false, looked: undefined };
  const range = { offset: (paging.page - 1) * LOOKED_THROUGH, limit: LOOKED_THROUGH };
  const list = (branch: string | undefined) => views.list({ repoId, branch, ...range });
  const [{ total, builds }, onBranch] = await Promise.all([
    list(undefined),
    text === '' ? undefined : list(stripBranchPrefix(text)),
  ]);
  const shown = text === '' ? builds : builds.filter((build) => showsText(build, text));
  const isBranch = onBranch !== undefined && onBranch.total > 0;
  // Its own builds go further back than the newest of all branches.
  const all = isBranch ? new Map([...onBranch.builds, ...shown].map((build) => [build.id, build])).values() : shown;
  return {
    builds: [...all].filter(isMeant).toSorted((a, b) => b.sequence - a.sequence),
    hasOlder: range.offset + LOOKED_THROUGH < total,
    looked: isBranch ? undefined : builds.length,
  };
}
