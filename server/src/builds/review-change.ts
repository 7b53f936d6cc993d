import { findReadableRepo, type RepoRequest } from '../access/find-administered-repo.ts';
import type { PatchResult } from '../core/builds/build-facts.ts';
import type { BuildView } from '../core/builds/build-summary.ts';
import { normalizeFileName } from '../core/coverage/file-name.ts';
import { compareNames } from '../core/coverage/merge.ts';
import { NO_TOTALS } from '../core/coverage/totals.ts';
import type { Diff } from '../core/diff/file-diff.ts';
import type { Caller } from '../core/repo/caller.ts';
import type { Repo } from '../core/repo/repo.ts';
import { whatMayBeRead } from '../core/repo/source-access.ts';
import { type Paged, type Paging, toPaged, toRange } from '../platform/paging.ts';
import type { Services } from '../services/services.ts';
import { findChange } from './find-change.ts';
import { notFound } from './find-readable.ts';
import type { FlagChange } from './read-flag-change.ts';
import { type ChosenChange, chooseChange } from './read-lines-of-checks.ts';
import { type ChangeSource, type FileToCover, hasToCover, patchFiles, readExcerpts } from './read-lines-to-cover.ts';
import { findNewestPush, readPullRequest } from './show-pull.ts';

/** The whole change of a pull request, as its newest build measured it. */
export interface ReviewedChange extends Paged {
  readonly repo: Repo;
  readonly caller: Caller;
  readonly pullRequest: number;
  readonly build: BuildView;
  /** Those of the page, in order of path. */
  readonly files: readonly ReviewedFile[];
  readonly changed: number;
  /** Whose files these are: readLinesOfChecks. */
  readonly chosen: Omit<ChosenChange, 'sources'>;
  /** For these checks: how many files changed, and how many of them have something to cover. */
  readonly all: number;
  readonly missed: number;
  /** Whether it is known which files changed; else those alone are here whose changed lines count. */
  readonly isDiffKnown: boolean;
  /** Rule 30: these credentials read numbers and never source. */
  readonly withheld: boolean;
}

export interface ReviewedFile extends FileToCover {
  /** Undefined: no changed line of it counts. */
  readonly counted: PatchResult['files'][number] | undefined;
  readonly isRemoved: boolean;
}

export const REVIEWED_FILES = 20;
/** For all files on a page. */
const MAX_ROWS = 3_000;
/** Flags whose checks can be chosen: those that fail come first. */
const MAX_FLAGS = 100;

/** Throws the Failures of showPull. */
export async function reviewChange(
  services: Services,
  asked: RepoRequest & {
    readonly pullRequest: string;
    readonly check: string | undefined;
    readonly show: 'all' | 'missed';
    readonly query: string;
    readonly paging: Paging;
  },
): Promise<ReviewedChange> {
  const { views } = services;
  const { pullRequest: stated, check = 'all', show, query, paging, ...request } = asked;
  const { repo, caller } = await findReadableRepo(services, request);
  const pullRequest = readPullRequest(repo, stated);
  const newest = await findNewestPush(services, repo, pullRequest);
  const build = await views.find(newest.id);
  if (build === undefined) throw notFound('build', String(newest.id));
  const { flags } = await views.flags({ buildId: build.id, failingFirst: true, offset: 0, limit: MAX_FLAGS });
  const { sources, ...chosen } = await chooseChange(services, { build, repo, flags }, check);
  const { diff } = await findChange(services, build);
  const removed = new Set(diff?.files.flatMap(({ kind, name }) => (kind === 'removed' ? name : [])));
  const change = wholeChange(build, diff);
  const all = sources === undefined ? change : sources.flatMap(entriesOf).toSorted(byName);
  const missed = all.filter(({ file }) => hasToCover(file));
  const sought = query.toLowerCase();
  const fitting = (show === 'missed' ? missed : all).filter(({ file }) => file.name.toLowerCase().includes(sought));
  const { offset, limit } = toRange(paging);
  const reading = whatMayBeRead(caller, repo);
  const files = await readEntries(services, { build, repo, ...reading }, fitting.slice(offset, offset + limit));
  return {
    repo,
    caller,
    pullRequest,
    build,
    files: files.map((one) => ({ ...one, isRemoved: removed.has(one.file.name) })),
    changed: change.length,
    chosen,
    all: all.length,
    missed: missed.length,
    isDiffKnown: diff !== undefined,
    withheld: !reading.mayReadSource,
    ...toPaged(paging, fitting.length),
  };
}

/** A changed file, by the report of a flag or of the build. */
interface Entry {
  readonly of: FlagChange | undefined;
  readonly file: FileToCover['file'];
  readonly counted: ReviewedFile['counted'];
}

/** Files that no report has among them, in order of path. */
function wholeChange(build: BuildView, diff: Diff | undefined): readonly Entry[] {
  const counted = new Map(patchFiles({ build }).map((file) => [file.name, file]));
  const names = new Set([...(diff?.files ?? []).map(({ name }) => normalizeFileName(name)), ...counted.keys()]);
  return [...names].sort(compareNames).map((name) => {
    const file = counted.get(name);
    const nothing = { name, totals: NO_TOTALS, uncovered: [], uncoveredRanges: 0 };
    return { of: undefined, file: file ?? nothing, counted: file };
  });
}

function entriesOf({ of, files }: ChangeSource): readonly Entry[] {
  return files.map((file) => ({ of, file, counted: file }));
}

function byName(a: Entry, b: Entry): number {
  return compareNames(a.file.name, b.file.name);
}

/** Each report is read once. */
async function readEntries(
  services: Services,
  asked: Omit<Parameters<typeof readExcerpts>[1], 'some' | 'max'>,
  entries: readonly Entry[],
): Promise<readonly Omit<ReviewedFile, 'isRemoved'>[]> {
  const read = new Map<Entry, Omit<ReviewedFile, 'isRemoved'>>();
  let max = MAX_ROWS;
  for (const [of, own] of Map.groupBy(entries, (entry) => entry.of)) {
    const some = own.map(({ file }) => file);
    const { files } = await readExcerpts(services, { ...asked, some, max, whole: true, of });
    max -= files.reduce((sum, { rows }) => sum + rows.length, 0);
    for (const [at, entry] of own.entries()) {
      const file = files[at];
      if (file !== undefined) read.set(entry, { ...file, flag: of?.flag, counted: entry.counted });
    }
  }
  return entries.flatMap((entry) => read.get(entry) ?? []);
}
