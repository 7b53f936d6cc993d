import type { BuildSummary } from '../../domain/builds/build-summary.ts';
import { normaliseFileName } from '../../domain/coverage/file-name.ts';
import { Failure, quoteValue } from '../../domain/failure.ts';
import { type Caller, mayReadSource } from '../../domain/repo/caller.ts';
import type { BuildStore } from '../../ports/build-store.ts';
import type { FilePart, LinePage, ReportReader } from '../../ports/report-reader.ts';
import type { JobStore } from '../../ports/store.ts';
import type { FindReadableBuild, FoundBuild } from './find-readable.ts';
import { type Paged, type Paging, type Range, toPaged, toRange } from './paging.ts';

/** Some lines of one file of a build's merged report. */
export interface ReadFile extends FoundBuild {
  readonly file: FilePart;
}

export interface FileRequest {
  readonly caller: Caller;
  readonly reference: string;
  /** As sent: `./src\a.ts` is found as `src/a.ts` (rule 6). */
  readonly name: string;
}

export type ReadHits = (asked: FileRequest & Range) => Promise<ReadFile>;

export interface ReadSourceDeps {
  readonly findReadableBuild: FindReadableBuild;
  readonly builds: Pick<BuildStore, 'report'>;
  readonly jobs: Pick<JobStore, 'source'>;
  readonly reader: ReportReader;
}

/**
 * Some of one file's hits. Throws a Failure `not-found` for a build or file that is not there or that the
 * caller may not read.
 */
export function createReadHits(deps: Omit<ReadSourceDeps, 'jobs'>): ReadHits {
  const { findReadableBuild, builds, reader } = deps;
  return async ({ caller: asking, reference, name, ...range }) => {
    const { build, repo, caller } = await findReadableBuild({ caller: asking, reference });
    const report = await builds.report(build.id);
    const file = report && (await reader.readFile({ report, name: normaliseFileName(name), ...range }));
    if (file === undefined) throw fileNotFound(build, name);
    return { build, repo, caller, file };
  };
}

/** Why a file's text is not shown: this caller may not read it (rule 30), or no upload brought it. */
export type NoText = 'withheld' | 'absent';

/** Some lines of a file, with its text where the caller may read it. */
export interface SourcePage extends ReadFile, Paged {
  /** How many lines come before the first one shown. */
  readonly offset: number;
  /** As many as are on this page: the text's, or the hits' where they reach further. */
  readonly count: number;
  readonly text: readonly string[] | NoText;
}

export type ReadSource = (asked: FileRequest & { readonly paging: Paging }) => Promise<SourcePage>;

/** A page of one file. Throws the Failures of ReadHits. */
export function createReadSource(deps: ReadSourceDeps): ReadSource {
  const readHits = createReadHits(deps);
  return async ({ paging, ...asked }) => {
    const range = toRange(paging);
    const read = await readHits({ ...asked, ...range });
    const text = mayReadSource(read.caller, read.repo) ? await readText(deps, read, range) : 'withheld';
    const lines = Math.max(read.file.lines, typeof text === 'string' ? 0 : text.total);
    return {
      ...read,
      ...toPaged(paging, lines),
      offset: range.offset,
      count: Math.max(0, Math.min(range.limit, lines - range.offset)),
      text: typeof text === 'string' ? text : text.lines,
    };
  };
}

async function readText(
  { jobs, reader }: ReadSourceDeps,
  { repo, file }: ReadFile,
  range: Range,
): Promise<LinePage | NoText> {
  const source = file.source === undefined ? undefined : await jobs.source(repo.id, file.source);
  return source === undefined ? 'absent' : reader.readLines({ source: source.bytes, ...range });
}

function fileNotFound(build: BuildSummary, name: string): Failure {
  const why =
    build.result === undefined ? 'it has not been closed yet' : `its report has no file ${quoteValue(name, 200)}`;
  return new Failure(
    'not-found',
    `Build ${quoteValue(build.number).slice(1, -1)} has no such file: ${why}. GET ` +
      `/builds/${build.id}/source_files.json lists its files.`,
  );
}
