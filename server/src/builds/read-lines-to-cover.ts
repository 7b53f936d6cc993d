import { hasTextOf } from '../core/builds/base-build.ts';
import type { PatchResult } from '../core/builds/build-facts.ts';
import type { BuildView } from '../core/builds/build-summary.ts';
import { testedCommitOf } from '../core/builds/merge-commit.ts';
import { normalizeFileName } from '../core/coverage/file-name.ts';
import type { Highlights } from '../core/coverage/highlights.ts';
import type { LineRange } from '../core/coverage/line-ranges.ts';
import { missedBranches, missedLines } from '../core/coverage/totals.ts';
import { type Excerpt, makeExcerpt } from '../core/diff/excerpt.ts';
import { type FileDiff, indexDiffs } from '../core/diff/file-diff.ts';
import { Failure } from '../core/failure.ts';
import type { Repo } from '../core/repo/repo.ts';
import type { ReportBytes } from '../reports/report-bytes.ts';
import type { FilePart } from '../reports/report-reader.ts';
import type { Services } from '../services/services.ts';
import { findChange, type KnownChange } from './find-change.ts';
import type { FlagChange } from './read-flag-change.ts';
import { readText } from './read-text.ts';

type PatchFile = PatchResult['files'][number];
/** Some lines of a file. */
type ReadPart = Pick<FilePart, 'source' | 'hits' | 'branches'>;

/** What is to be covered in one file of the change, or all that the change is there. */
export interface FileToCover extends Excerpt {
  readonly file: PatchFile;
  /** For its lines; undefined: the build's report does not have it, or could not be read. */
  readonly part?: ReadPart | undefined;
  readonly isNew: boolean;
  /** By line number, of all lines of its rows; undefined: the reader may not see them, or nobody brought them. */
  readonly texts: ReadonlyMap<number, string> | undefined;
  /** For the flag whose lines these are; undefined: of the build. */
  readonly flag?: string | undefined;
  /** For the whole file. */
  readonly highlights: Highlights | 'pending';
  /** The same of the lines that the change removed, by their old numbers; empty if they are not known. */
  readonly removedTexts: ReadonlyMap<number, string>;
}

export interface LinesToCover {
  readonly files: readonly FileToCover[];
  /** Files with something to cover that are not shown, as far as the build knows them. */
  readonly left: number;
  /** Rule 30: these credentials read numbers and never source. */
  readonly withheld: boolean;
  /** The build's report cannot be read now: its files have no rows. */
  readonly unreadable: boolean;
}

interface ChangeOf {
  readonly build: BuildView;
  readonly repo: Repo;
  readonly mayReadSource: boolean;
  /** Also what only the git host has. */
  readonly mayReadHostSource: boolean;
}

interface Choice {
  readonly some: readonly PatchFile[];
  /** Rows of all of them. */
  readonly max: number;
  /** Covered lines of the change too, and files of it that no report has. */
  readonly whole?: boolean;
  /** What to read instead of the build's own report. */
  readonly of?: FlagChange | undefined;
  /** What changed, if it is not what the build changed. */
  readonly change?: KnownChange;
  /** By names of files: lines that did not change and lost their coverage. */
  readonly lost?: ReadonlyMap<string, readonly LineRange[]>;
}

export const MAX_FILES = 10;
export const MAX_ROWS = 400;
/** Lines of one file that are looked at, from the first that changed on. */
const MAX_LINES = 5_000;

/** Changed files by one report: of a flag, or of the build. */
export interface ChangeSource {
  readonly of: FlagChange | undefined;
  readonly files: readonly PatchFile[];
}

/** `sources`: by default all of the build. The changed lines that are not covered; undefined if there is none. */
export async function readLinesToCover(
  services: Services,
  wanted: ChangeOf & { readonly sources?: readonly ChangeSource[] },
): Promise<LinesToCover | undefined> {
  const { sources = [{ of: undefined, files: patchFiles(wanted) }], ...asked } = wanted;
  const found: FileToCover[] = [];
  let all = 0;
  let unreadable = false;
  for (const { of, files } of sources) {
    const toCover = files.filter(hasToCover);
    all += toCover.length;
    const some = toCover.slice(0, MAX_FILES - found.length);
    const max = MAX_ROWS - found.reduce((sum, { rows }) => sum + rows.length, 0);
    const part = some.length === 0 ? undefined : await readExcerpts(services, { ...asked, some, max, of });
    found.push(...(part?.files ?? []).map((file) => ({ ...file, flag: of?.flag })));
    unreadable ||= part?.unreadable === true;
  }
  if (all === 0) return undefined;
  return { files: found, left: all - found.length, withheld: !asked.mayReadSource, unreadable };
}

/** The changed files of a build that are measured, most missed first. */
export function patchFiles({ build }: Pick<ChangeOf, 'build'>): readonly PatchFile[] {
  return build.result?.patch?.files ?? [];
}

export function hasToCover({ totals }: Pick<PatchFile, 'totals'>): boolean {
  return missedLines(totals) + missedBranches(totals) > 0;
}

/** Some files of a build's change, as much of each as fits. */
export async function readExcerpts(
  services: Services,
  { build, repo, mayReadSource, mayReadHostSource: askHost, ...choice }: ChangeOf & Choice,
): Promise<Pick<LinesToCover, 'files' | 'unreadable'>> {
  const excerpts = await unlessUnreadable(() => makeExcerpts(services, build, choice));
  const [found, unreadable] = [excerpts ?? choice.some.map(withoutLines), excerpts === undefined];
  const files = mayReadSource && !unreadable ? await readTexts(services, { build, repo, found, askHost }) : found;
  return { files, unreadable };
}

/** A report that cannot be read now, or at all, takes no page with it. */
async function unlessUnreadable<Value>(read: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

interface FoundFile extends FileToCover {
  readonly diff?: FileDiff | undefined;
  readonly start?: string | undefined;
  readonly offset?: number;
}

const NO_TEXTS: ReadonlyMap<number, string> = new Map();

function withoutLines(file: PatchFile): FoundFile {
  return { file, isNew: false, rows: [], cut: false, texts: undefined, highlights: 'pending', removedTexts: NO_TEXTS };
}

/** For as many files as fit, what is to be covered in them, without any text. */
async function makeExcerpts(
  services: Pick<Services, 'builds' | 'engine' | 'facts' | 'jobs' | 'reader'>,
  build: BuildView,
  { some, max: maxRows, whole = false, of, change, lost: lostLines }: Choice,
): Promise<readonly FoundFile[] | undefined> {
  const { builds, reader } = services;
  const report = of === undefined ? await builds.report(build.id) : undefined;
  if (report === undefined && of === undefined) return undefined;
  const { diff, start } = change ?? (await findChange(services, build));
  const diffs = indexDiffs(diff?.files ?? []).byName;
  const asked = some.map((file) => {
    const offset = firstLine(file, diffs.get(file.name)) - 1;
    return { name: file.name, offset, limit: MAX_LINES };
  });
  const parts =
    of === undefined ? await reader.readFiles({ report: report as ReportBytes, files: asked }) : partsOf(of, asked);
  const found: FoundFile[] = [];
  let max = maxRows;
  for (const [index, file] of some.entries()) {
    const [part, offset = 0] = [parts[index], asked[index]?.offset];
    const fileDiff = diffs.get(file.name);
    const isNew = fileDiff?.kind === 'added';
    if (part === undefined || max <= 0) {
      if (whole) found.push({ ...withoutLines(file), part, isNew, cut: part !== undefined });
      continue;
    }
    const lost = lostLines && (lostLines.get(file.name) ?? []);
    const missed = lost === undefined ? file.uncovered : [];
    const excerpt = makeExcerpt({ ...part, offset, diff: fileDiff, missed, lost, max, whole });
    found.push({ ...withoutLines(file), ...excerpt, isNew, part, diff: fileDiff, start, offset });
    max -= excerpt.rows.length;
  }
  return found;
}

/** The lines of a flag's own report, which are read already. */
function partsOf(
  { report }: FlagChange,
  asked: readonly { readonly name: string; readonly offset: number; readonly limit: number }[],
): readonly (ReadPart | undefined)[] {
  const files = new Map(report.files.map((file) => [file.name, file]));
  return asked.map(({ name, offset, limit }) => {
    const file = files.get(name);
    return file && { ...file, hits: file.hits.slice(offset, offset + limit) };
  });
}

/** A little before the first change, or at the first missed line where that is far below. */
function firstLine({ uncovered }: PatchFile, diff: FileDiff | undefined): number {
  const missed = uncovered[0]?.[0] ?? 1;
  const changed = diff?.hunks[0]?.newStart ?? (diff === undefined ? missed : 1);
  const first = missed - changed > MAX_LINES / 2 ? missed : changed;
  return first <= MAX_LINES / 2 ? 1 : first - 1;
}

interface Found {
  readonly build: BuildView;
  readonly repo: Repo;
  readonly found: readonly FoundFile[];
  readonly askHost: boolean;
}

/** The same with the texts that can be had. */
async function readTexts(
  services: Pick<Services, 'builds' | 'fetchSource' | 'highlighter' | 'jobs' | 'reader' | 'views'>,
  of: Found,
): Promise<readonly FileToCover[]> {
  const sources = await unlessUnreadable(() => readOldSources(services, of));
  return Promise.all(of.found.map((one) => readTextsOf(services, of, { one, sources })));
}

async function readTextsOf(
  services: Pick<Services, 'fetchSource' | 'highlighter' | 'jobs' | 'reader'>,
  { build, repo, askHost }: Found,
  { one, sources }: OldText,
): Promise<FileToCover> {
  const { file, part, offset = 0, rows } = one;
  if (rows.length === 0) return one;
  const at = { repo, commit: testedCommitOf(build), name: file.name, source: part?.source, askHost };
  const text = await unlessUnreadable(() => readText(services, { ...at, offset, limit: MAX_LINES }));
  if (text === undefined) return one;
  const highlights = services.highlighter.highlight({ repoId: repo.id, name: file.name, source: text.source });
  const removedTexts = await readRemoved(services, { repo, askHost }, { one, sources });
  return {
    ...one,
    texts: numbered(text.lines, offset + 1),
    highlights: await highlights,
    removedTexts: removedTexts ?? NO_TEXTS,
  };
}

interface OldText {
  readonly one: FoundFile;
  readonly sources: OldSources | undefined;
}

/** Where the texts are stored that the change begins with, by the names that files had. */
type OldSources = ReadonlyMap<string, string | undefined>;

/** Undefined if the base was measured at another commit: its lines have other numbers. */
async function readOldSources(
  { builds, views, reader }: Pick<Services, 'builds' | 'reader' | 'views'>,
  { build, found }: Found,
): Promise<OldSources | undefined> {
  const changed = found.filter(({ rows }) => rows.some(({ kind }) => kind === 'removed'));
  const start = changed[0]?.start;
  const base = build.result?.base && start !== undefined ? await views.summary(build.result.base.buildId) : undefined;
  if (base === undefined || start === undefined || !hasTextOf(base, start)) return undefined;
  const report = await builds.report(base.id);
  if (report === undefined) return undefined;
  const names = changed.map(oldName);
  const files = await reader.readFiles({ report, files: names.map((name) => ({ name, offset: 0, limit: 0 })) });
  return new Map(names.map((name, index) => [name, files[index]?.source]));
}

function oldName({ file, diff }: FoundFile): string {
  return normalizeFileName(diff?.previousName ?? file.name);
}

async function readRemoved(
  services: Pick<Services, 'fetchSource' | 'jobs' | 'reader'>,
  asked: Pick<Found, 'repo' | 'askHost'>,
  { one, sources }: OldText,
): Promise<ReadonlyMap<number, string> | undefined> {
  const removed = one.rows.filter((row) => row.kind === 'removed');
  const [first, last] = [removed[0], removed.at(-1)];
  if (first === undefined || last === undefined || sources === undefined) return undefined;
  const range = { offset: first.first - 1, limit: Math.min(MAX_LINES, last.first + last.count - first.first) };
  const at = { ...asked, commit: one.start, name: oldName(one), source: sources.get(oldName(one)) };
  const text = await unlessUnreadable(() => readText(services, { ...at, ...range }));
  return text && numbered(text.lines, first.first);
}

function numbered(lines: readonly string[], first: number): ReadonlyMap<number, string> {
  return new Map(lines.map((text, index) => [first + index, text]));
}
