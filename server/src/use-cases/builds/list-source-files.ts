import type { Build } from '../../domain/builds/build.ts';
import type { Caller } from '../../domain/repo/caller.ts';
import type { Repo } from '../../domain/repo/repo.ts';
import type { BuildStore } from '../../ports/build-store.ts';
import type { FileSummary, ReportReader } from '../../ports/report-reader.ts';
import { type Paged, type Paging, toPaged, toRange } from './list-builds.ts';
import type { ShowBuild } from './show-build.ts';

export interface ListedFiles extends Paged {
  readonly build: Build;
  readonly repo: Repo;
  /** In order of name. */
  readonly files: readonly FileSummary[];
}

export type ListSourceFiles = (asked: {
  readonly caller: Caller;
  readonly reference: string;
  readonly paging: Paging;
}) => Promise<ListedFiles>;

export interface ListSourceFilesDeps {
  readonly showBuild: ShowBuild;
  readonly builds: Pick<BuildStore, 'report'>;
  readonly reader: Pick<ReportReader, 'listFiles'>;
}

/**
 * The files of a build's merged report, as of its last close; none before the first. Throws the Failures of ShowBuild.
 */
export function createListSourceFiles(deps: ListSourceFilesDeps): ListSourceFiles {
  const { showBuild, builds, reader } = deps;
  return async ({ caller, reference, paging }) => {
    const { build, repo } = await showBuild({ caller, reference });
    const report = await builds.report(build.id);
    const { total, files } =
      report === undefined ? { total: 0, files: [] } : await reader.listFiles({ report, ...toRange(paging) });
    return { build, repo, files, ...toPaged(paging, total) };
  };
}
