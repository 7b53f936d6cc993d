import { findReadableRepo, type RepoRequest } from '../access/find-administered-repo.ts';
import { diffKey } from '../closing/compare-commits.ts';
import type { FileChange, FlagResult } from '../core/builds/build.ts';
import type { BuildSummary } from '../core/builds/build-summary.ts';
import { testedCommitOf } from '../core/builds/merge-commit.ts';
import { compareNames } from '../core/coverage/merge.ts';
import type { CoverageTotals } from '../core/coverage/totals.ts';
import type { Diff } from '../core/diff/file-diff.ts';
import { Failure, quoteValue } from '../core/failure.ts';
import type { Caller } from '../core/repo/caller.ts';
import type { Repo } from '../core/repo/repo.ts';
import type { RepoAddress } from '../core/repo/repo-name.ts';
import type { ChangeSums } from '../core/verdict/split-change.ts';
import type { TreePage } from '../reports/report-reader.ts';
import type { Services } from '../services/services.ts';
import { findBranchHead } from '../storage/branch-head.ts';
import type { BuildViews } from '../storage/build-views.ts';
import { renamesOf } from './browse-files.ts';
import { findKnownDiffs } from './find-changed-lines.ts';
import { AmbiguousCommit, findBuildInRepo } from './find-in-repo.ts';
import { type FoundBuild, isId, notInRepo } from './find-readable.ts';

/** One side: a build with a result. */
export interface ComparedSide {
  /** As it was asked for. */
  readonly name: string;
  readonly build: BuildSummary;
  readonly totals: CoverageTotals;
}

/** The totals of a flag or a group on either side; undefined if it is not part of that build. */
export interface ComparedFlag {
  readonly name: string;
  readonly totals: CoverageTotals | undefined;
  readonly baseTotals: CoverageTotals | undefined;
}

export interface ComparedBuilds {
  readonly repo: Repo;
  readonly caller: Caller;
  readonly base: ComparedSide;
  readonly head: ComparedSide;
  /** Whether it is known which lines changed between the two; else texts with equal digests are taken as the same. */
  readonly isDiffKnown: boolean;
  readonly diff: Diff | undefined;
  readonly split: ChangeSums | undefined;
  /** By name; the first of all flags of both. */
  readonly flags: readonly ComparedFlag[];
  /** In the order of the compared build, then those that the base alone has. */
  readonly groups: readonly ComparedFlag[];
  /** Worst first; at most MAX_FILE_CHANGES. */
  readonly files: readonly FileChange[];
  readonly fileCount: number;
  /** Files of both with more, or with less, missed than before. */
  readonly lost: Pick<TreePage, 'rows' | 'total'>;
  readonly gained: Pick<TreePage, 'rows' | 'total'>;
}

const MAX_FILES = 50;
const MAX_FLAGS = 100;

/** What moved from one build of a repo to another. Throws the Failures of findNamedBuild. */
export async function compareBuilds(
  services: Services,
  asked: { readonly caller: Caller; readonly address: RepoAddress; readonly base: string; readonly head: string },
): Promise<ComparedBuilds> {
  const { comparisons } = services;
  const { base: baseName, head: headName, ...request } = asked;
  const before = await findNamedBuild(services, { ...request, name: baseName });
  const { build, repo, caller } = await findNamedBuild(services, { ...request, name: headName });
  const base = sideOf(repo, baseName, before.build);
  const head = sideOf(repo, headName, build);
  const diff = await findDiff(services, repo, { base: before.build, head: build });
  await comparisons.take();
  try {
    const moved = await compareReports(services, repo, { base: before.build, head: build, diff });
    const [flags, groups] = await Promise.all([
      compareFlags(services, { base: before.build, head: build }),
      compareGroups(services, { base: before.build, head: build }),
    ]);
    return { repo, caller, base, head, isDiffKnown: diff?.complete === true, diff, flags, groups, ...moved };
  } finally {
    comparisons.give();
  }
}

interface Pair {
  readonly base: BuildSummary;
  readonly head: BuildSummary;
}

function sideOf({ service, name: repoName }: Repo, name: string, build: BuildSummary): ComparedSide {
  if (build.result !== undefined) return { name, build, totals: build.result.totals };
  throw new Failure('not-found', `The build of ${quoteValue(name)} has no result yet: compare it once it is closed.`, {
    repo: { service, name: repoName },
  });
}

/** As far as a close learned it: no git host is asked for a page. */
async function findDiff(
  services: Pick<Services, 'engine' | 'facts' | 'jobs' | 'views'>,
  repo: Repo,
  { base, head }: Pair,
): Promise<Diff | undefined> {
  const { facts } = services;
  if (head.result?.base?.buildId === base.id) return (await findKnownDiffs(services, { build: head, repo })).base;
  const [from, to] = [testedCommitOf(base), testedCommitOf(head)];
  if (from === undefined || to === undefined) return undefined;
  if (from === to) return { files: [], complete: true };
  return (await facts.find(repo.id, diffKey(from, to))) as Diff | undefined;
}

/** Says nothing of any file: their digests decide. */
const UNKNOWN: Diff = { files: [], complete: false };

async function compareReports(
  { builds, engine, reader }: Pick<Services, 'builds' | 'engine' | 'reader'>,
  repo: Repo,
  { base, head, diff }: Pair & { readonly diff: Diff | undefined },
): Promise<Pick<ComparedBuilds, 'split' | 'files' | 'fileCount' | 'lost' | 'gained'>> {
  const [report, before] = await Promise.all([builds.report(head.id), builds.report(base.id)]);
  if (report === undefined || before === undefined) return NOTHING;
  const list = (show: 'lost' | 'gained') => {
    const choice = { folder: '', query: '', show, among: undefined, sort: show === 'lost' ? 'drop' : 'gain' } as const;
    return reader.browse({ report, base: before, renames: renamesOf(diff), choice, offset: 0, limit: MAX_FILES });
  };
  const [lost, gained] = await Promise.all([list('lost'), list('gained')]);
  const { split, fileChanges, fileChangeCount } = await engine.merge(repo.id, (merger) =>
    merger.compose({
      jobs: [{ flag: undefined, report }],
      carried: [],
      base: before,
      diffs: { base: diff ?? UNKNOWN },
    }),
  );
  return { split, files: fileChanges, fileCount: fileChangeCount, lost, gained };
}

const NO_ROWS = { rows: [], total: 0 };
const NOTHING = { split: undefined, files: [], fileCount: 0, lost: NO_ROWS, gained: NO_ROWS };

async function compareFlags(
  { views }: Pick<Services, 'views'>,
  { base, head }: Pair,
): Promise<readonly ComparedFlag[]> {
  const list = async ({ id: buildId }: BuildSummary): Promise<readonly FlagResult[]> =>
    (await views.flags({ buildId, failingFirst: false, offset: 0, limit: MAX_FLAGS })).flags;
  const [before, after] = await Promise.all([list(base), list(head)]);
  const names = [...new Set([...after, ...before].map(({ name }) => name))].sort(compareNames);
  const totalsIn = (flags: readonly FlagResult[], name: string) => flags.find((flag) => flag.name === name)?.totals;
  return names.map((name) => ({ name, totals: totalsIn(after, name), baseTotals: totalsIn(before, name) }));
}

/** Each by its id; it may have another name by now. */
async function compareGroups(
  { views }: Pick<Services, 'views'>,
  { base, head }: Pair,
): Promise<readonly ComparedFlag[]> {
  const [before, after] = await Promise.all([base, head].map(async ({ id }) => (await views.find(id))?.result?.groups));
  const earlier = new Map((before ?? []).map((group) => [group.id, group]));
  const known = new Set((after ?? []).map(({ id }) => id));
  return [
    ...(after ?? []).map(({ id, name, totals }) => ({ name, totals, baseTotals: earlier.get(id)?.totals })),
    ...(before ?? [])
      .filter(({ id }) => !known.has(id))
      .map(({ name, totals }) => ({ name, totals: undefined, baseTotals: totals })),
  ];
}

const COMMIT = /^[0-9a-f]{7,64}$/i;

/**
 * A build by what people call it: its id, its commit or the beginning of that, a branch, or a tag.
 * Throws a Failure `not-found` also if the caller may not know of the repo.
 */
async function findNamedBuild(
  services: Pick<Services, 'resolveAccess' | 'repos' | 'views'>,
  asked: RepoRequest & { readonly name: string },
): Promise<FoundBuild> {
  const { views } = services;
  const { name, ...request } = asked;
  const { repo, caller } = await findReadableRepo(services, request);
  // A name of digits may be an id as well as the beginning of a commit.
  const ways = [...(isId(name) ? [{ id: name }] : []), ...(COMMIT.test(name) ? [{ commit: name }] : [])];
  let ambiguous: AmbiguousCommit | undefined;
  for (const way of ways) {
    try {
      return await findBuildInRepo(services, { ...request, build: way });
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'not-found') throw error;
      if (error instanceof AmbiguousCommit) ambiguous = error;
    }
  }
  const build = await newestOf(views, repo, name);
  if (build === undefined) throw ambiguous ?? notInRepo(repo, 'build, commit, branch or tag', name);
  return { build, repo, caller };
}

/** The newest closed build of a branch, else of a tag. */
async function newestOf(
  views: Pick<BuildViews, 'closed'>,
  repo: Repo,
  name: string,
): Promise<BuildSummary | undefined> {
  const { newest } = await findBranchHead(views, { repo, branch: name });
  if (newest !== undefined) return newest;
  return (await views.closed({ repoId: repo.id, scope: { tag: name }, before: undefined, limit: 1 }))[0];
}
