import type { Caller } from '../core/repo/caller.ts';
import { type Paged, type Paging, toPaged, toRange } from '../platform/paging.ts';
import type { FileSummary } from '../reports/report-reader.ts';
import type { Services } from '../services/services.ts';
import { type FoundBuild, findReadableBuild } from './find-readable.ts';

export interface ListedFiles extends FoundBuild, Paged {
  /** In order of name. */
  readonly files: readonly FileSummary[];
}

/**
 * The files of a build's merged report, as of its last close; none before the first. Throws the Failures of
 * findReadableBuild.
 */
export async function listSourceFiles(
  services: Pick<Services, 'builds' | 'resolveAccess' | 'reader' | 'repos' | 'views'>,
  wanted: { readonly caller: Caller; readonly reference: string; readonly paging: Paging },
): Promise<ListedFiles> {
  const { builds, reader } = services;
  const { paging, ...asked } = wanted;
  const { build, repo, caller } = await findReadableBuild(services, asked);
  const report = await builds.report(build.id);
  const { total, files } =
    report === undefined ? { total: 0, files: [] } : await reader.listFiles({ report, ...toRange(paging) });
  return { build, repo, caller, files, ...toPaged(paging, total) };
}
