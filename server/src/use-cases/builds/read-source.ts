import type { Build } from '../../domain/builds/build.ts';
import type { FileCoverage } from '../../domain/coverage/file-coverage.ts';
import { normaliseFileName } from '../../domain/coverage/file-name.ts';
import { Failure, quoteValue } from '../../domain/failure.ts';
import { type Caller, mayRead } from '../../domain/repo/caller.ts';
import type { Repo } from '../../domain/repo/repo.ts';
import type { BuildStore } from '../../ports/build-store.ts';
import type { LinePage, ReportReader } from '../../ports/report-reader.ts';
import type { JobStore } from '../../ports/store.ts';
import { type Paged, type Paging, toPaged, toRange } from './list-builds.ts';
import type { ShowBuild } from './show-build.ts';

/** One file of a build's merged report. */
export interface ReadFile {
  readonly build: Build;
  readonly repo: Repo;
  readonly file: FileCoverage;
}

export type ReadHits = (asked: {
  readonly caller: Caller;
  readonly reference: string;
  /** As sent: `./src\a.ts` is found as `src/a.ts` (rule 6). */
  readonly name: string;
}) => Promise<ReadFile>;

export interface ReadSourceDeps {
  readonly showBuild: ShowBuild;
  readonly builds: Pick<BuildStore, 'report'>;
  readonly jobs: Pick<JobStore, 'source'>;
  readonly reader: ReportReader;
}

/**
 * One file's hits. Throws a Failure `not-found` for a build or file that is not there or that the caller may not read.
 */
export function createReadHits(deps: Omit<ReadSourceDeps, 'jobs'>): ReadHits {
  const { showBuild, builds, reader } = deps;
  return async ({ caller, reference, name }) => {
    const { build, repo } = await showBuild({ caller, reference });
    const report = await builds.report(build.id);
    const file = report && (await reader.readFile({ report, name: normaliseFileName(name) }));
    if (file === undefined) throw fileNotFound(build, name);
    return { build, repo, file };
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

export type ReadSource = (asked: Parameters<ReadHits>[0] & { readonly paging: Paging }) => Promise<SourcePage>;

/** A page of one file. Throws the Failures of ReadHits. */
export function createReadSource(deps: ReadSourceDeps): ReadSource {
  const readHits = createReadHits(deps);
  return async ({ paging, ...asked }) => {
    const read = await readHits(asked);
    const range = toRange(paging);
    const text = mayReadSource(asked.caller, read.repo) ? await readText(deps, read, range) : 'withheld';
    const lines = Math.max(read.file.hits.length, typeof text === 'string' ? 0 : text.total);
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
  range: { readonly offset: number; readonly limit: number },
): Promise<LinePage | NoText> {
  const source = file.source === undefined ? undefined : await jobs.source(repo.id, file.source);
  return source === undefined ? 'absent' : reader.readLines({ source: source.bytes, ...range });
}

/** Rule 30: whoever may read the repo, but for its repo token, which reads numbers and never source. */
function mayReadSource(caller: Caller, repo: Repo): boolean {
  return caller.kind !== 'repo' && mayRead(caller, repo);
}

function fileNotFound(build: Build, name: string): Failure {
  const why =
    build.result === undefined ? 'it has not been closed yet' : `its report has no file ${quoteValue(name, 200)}`;
  return new Failure(
    'not-found',
    `Build ${quoteValue(build.number).slice(1, -1)} has no such file: ${why}. GET ` +
      `/builds/${build.id}/source_files.json lists its files.`,
  );
}
