import { hasTextOf } from '../../domain/builds/base-build.ts';
import type { PatchResult } from '../../domain/builds/build-facts.ts';
import type { BuildView } from '../../domain/builds/build-summary.ts';
import { testedCommitOf } from '../../domain/builds/merge-commit.ts';
import { missedBranches, missedLines } from '../../domain/coverage/totals.ts';
import { type Excerpt, makeExcerpt } from '../../domain/diff/excerpt.ts';
import { type FileDiff, indexDiffs } from '../../domain/diff/file-diff.ts';
import type { Repo } from '../../domain/repo/repo.ts';
import type { BuildStore } from '../../ports/build-store.ts';
import type { BuildViews } from '../../ports/build-views.ts';
import type { ReportBytes } from '../../ports/report-bytes.ts';
import type { FilePart, ReportReader } from '../../ports/report-reader.ts';
import type { ChangeOfBuild } from './find-change.ts';
import type { ReadText } from './read-text.ts';

type PatchFile = PatchResult['files'][number];

/** What is to be covered in one file of the change. */
export interface FileToCover extends Excerpt {
  readonly file: PatchFile;
  readonly isNew: boolean;
  /** By line number, of all lines of its rows; undefined: the reader may not see them, or nobody brought them. */
  readonly texts: ReadonlyMap<number, string> | undefined;
  /** The same of the lines that the change removed, by their old numbers; empty where they are not known. */
  readonly removedTexts: ReadonlyMap<number, string>;
}

export interface LinesToCover {
  readonly files: readonly FileToCover[];
  /** Files with something to cover that are not shown, as far as the build knows them. */
  readonly left: number;
  /** Rule 30: these credentials read numbers and never source. */
  readonly withheld: boolean;
}

export type ReadLinesToCover = (asked: {
  readonly build: BuildView;
  readonly repo: Repo;
  readonly mayReadSource: boolean;
}) => Promise<LinesToCover | undefined>;

export interface LinesToCoverDeps {
  readonly builds: Pick<BuildStore, 'report'>;
  readonly views: Pick<BuildViews, 'summary'>;
  readonly reader: Pick<ReportReader, 'readFile'>;
  readonly findChange: ChangeOfBuild;
  readonly readText: ReadText;
}

const MOST_FILES = 10;
const MOST_ROWS = 400;
/** Lines of one file that are looked at, from the first that changed on. */
const MOST_LINES = 5_000;

/** The changed lines that are not covered, most missed first. Undefined where there is none. */
export function createReadLinesToCover(deps: LinesToCoverDeps): ReadLinesToCover {
  return async ({ build, repo, mayReadSource }) => {
    const toCover = (build.result?.patch?.files ?? []).filter(
      ({ totals }) => missedLines(totals) + missedBranches(totals) > 0,
    );
    if (toCover.length === 0) return undefined;
    const report = await deps.builds.report(build.id);
    if (report === undefined) return undefined;
    const { diff, start } = await deps.findChange(build);
    const before = mayReadSource ? await findBefore(deps, build, start) : undefined;
    const scene: Scene = { build, repo, report, before, diffs: indexDiffs(diff?.files ?? []).byName, mayReadSource };
    const files: FileToCover[] = [];
    let rows = 0;
    for (const file of toCover.slice(0, MOST_FILES)) {
      if (rows >= MOST_ROWS) break;
      const shown = await readFileToCover(deps, scene, { file, most: MOST_ROWS - rows });
      if (shown === undefined) continue;
      files.push(shown);
      rows += shown.rows.length;
    }
    return { files, left: toCover.length - files.length, withheld: !mayReadSource };
  };
}

/** The report of the text that the change begins with. */
interface Before {
  readonly commit: string;
  readonly report: ReportBytes;
}

interface Scene {
  readonly build: BuildView;
  readonly repo: Repo;
  readonly report: ReportBytes;
  readonly before: Before | undefined;
  readonly diffs: ReadonlyMap<string, FileDiff>;
  readonly mayReadSource: boolean;
}

/** Undefined where the base was measured at another commit: its lines have other numbers. */
async function findBefore(
  { builds, views }: LinesToCoverDeps,
  { result }: BuildView,
  start: string | undefined,
): Promise<Before | undefined> {
  const base = result?.base && (await views.summary(result.base.buildId));
  if (base === undefined || start === undefined || !hasTextOf(base, start)) return undefined;
  const report = await builds.report(base.id);
  return report && { commit: start, report };
}

async function readFileToCover(
  deps: LinesToCoverDeps,
  scene: Scene,
  { file, most }: { readonly file: PatchFile; readonly most: number },
): Promise<FileToCover | undefined> {
  const { build, repo, report, mayReadSource } = scene;
  const diff = scene.diffs.get(file.name);
  const offset = firstLine(file, diff) - 1;
  const range = { offset, limit: MOST_LINES };
  const part = await deps.reader.readFile({ report, name: file.name, ...range });
  if (part === undefined) return undefined;
  const excerpt = makeExcerpt({ ...part, offset, diff, missed: file.uncovered, most });
  const { name } = file;
  const asked = { repo, commit: testedCommitOf(build), name, source: part.source, ...range };
  const lines = mayReadSource && excerpt.rows.length > 0 ? await deps.readText(asked) : undefined;
  return {
    file,
    isNew: diff?.kind === 'added',
    ...excerpt,
    texts: lines && new Map(lines.map((text, index) => [offset + index + 1, text])),
    removedTexts:
      lines === undefined ? NO_TEXTS : await readRemoved(deps, scene, { excerpt, name: diff?.previousName ?? name }),
  };
}

const NO_TEXTS: ReadonlyMap<number, string> = new Map();

/** A little before the first change, or at the first missed line where that is far below. */
function firstLine({ uncovered }: PatchFile, diff: FileDiff | undefined): number {
  const missed = uncovered[0]?.[0] ?? 1;
  const changed = diff?.hunks[0]?.newStart ?? (diff === undefined ? missed : 1);
  const first = missed - changed > MOST_LINES / 2 ? missed : changed;
  return first <= MOST_LINES / 2 ? 1 : first - 1;
}

async function readRemoved(
  { reader, readText }: LinesToCoverDeps,
  { repo, before }: Scene,
  { excerpt, name }: { readonly excerpt: Excerpt; readonly name: string },
): Promise<ReadonlyMap<number, string>> {
  const removed = excerpt.rows.filter((row) => row.kind === 'removed');
  const [first, last] = [removed[0], removed.at(-1)];
  if (before === undefined || first === undefined || last === undefined) return NO_TEXTS;
  const old: FilePart | undefined = await reader.readFile({ report: before.report, name, offset: 0, limit: 0 });
  const range = { offset: first.first - 1, limit: Math.min(MOST_LINES, last.first + last.count - first.first) };
  const lines = await readText({ repo, commit: before.commit, name, source: old?.source, ...range });
  return new Map(lines?.map((text, index) => [first.first + index, text]));
}
