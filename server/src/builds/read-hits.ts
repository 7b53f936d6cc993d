import type { BuildSummary } from '../core/builds/build-summary.ts';
import { normalizeFileName } from '../core/coverage/file-name.ts';
import { Failure, quoteValue } from '../core/failure.ts';
import type { Caller } from '../core/repo/caller.ts';
import type { Range } from '../platform/paging.ts';
import type { FilePart } from '../reports/report-reader.ts';
import type { Services } from '../services/services.ts';
import { type FoundBuild, findReadableBuild } from './find-readable.ts';

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

/**
 * Some of one file's hits. Throws a Failure `not-found` for a build or file that is not there or that the
 * caller may not read.
 */
export async function readHits(
  services: Pick<Services, 'builds' | 'resolveAccess' | 'reader' | 'repos' | 'views'>,
  { caller, reference, name, ...range }: FileRequest & Range,
): Promise<ReadFile> {
  const { builds, reader } = services;
  const found = await findReadableBuild(services, { caller, reference });
  const { build } = found;
  const report = await builds.report(build.id);
  const file = report && (await reader.readFile({ report, name: normalizeFileName(name), ...range }));
  if (file === undefined) throw fileNotFound(build, name);
  return { ...found, file };
}

/** The build has no such file, or no result yet. */
export function fileNotFound(build: BuildSummary, name: string): Failure {
  const why =
    build.result === undefined ? 'it has not been closed yet' : `its report has no file ${quoteValue(name, 200)}`;
  return new Failure(
    'not-found',
    `Build ${quoteValue(build.number).slice(1, -1)} has no such file: ${why}. GET ` +
      `/builds/${build.id}/source_files.json lists its files.`,
  );
}
