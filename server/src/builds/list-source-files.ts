import type { Caller } from '../core/repo/caller.ts';
import { type Paged, type Paging, toPaged, toRange } from '../platform/paging.ts';
import type { FileSummary, ReportReader } from '../reports/report-reader.ts';
import type { BuildStore } from '../storage/build-store.ts';
import type { FindReadableBuild, FoundBuild } from './find-readable.ts';

export interface ListedFiles extends FoundBuild, Paged {
  /** In order of name. */
  readonly files: readonly FileSummary[];
}

export type ListSourceFiles = (asked: {
  readonly caller: Caller;
  readonly reference: string;
  readonly paging: Paging;
}) => Promise<ListedFiles>;

export interface ListSourceFilesDeps {
  readonly findReadableBuild: FindReadableBuild;
  readonly builds: Pick<BuildStore, 'report'>;
  readonly reader: Pick<ReportReader, 'listFiles'>;
}

/**
 * The files of a build's merged report, as of its last close; none before the first. Throws the Failures of
 * FindReadableBuild.
 */
export function createListSourceFiles(deps: ListSourceFilesDeps): ListSourceFiles {
  const { findReadableBuild, builds, reader } = deps;
  return async ({ paging, ...asked }) => {
    const { build, repo, caller } = await findReadableBuild(asked);
    const report = await builds.report(build.id);
    const { total, files } =
      report === undefined ? { total: 0, files: [] } : await reader.listFiles({ report, ...toRange(paging) });
    return { build, repo, caller, files, ...toPaged(paging, total) };
  };
}
