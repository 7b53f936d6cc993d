import { type FileChange, MAX_FILE_CHANGES } from '../../domain/builds/build.ts';
import type { BuildView } from '../../domain/builds/build-summary.ts';
import { NO_TOTALS } from '../../domain/coverage/totals.ts';
import type { BuildStore } from '../../ports/build-store.ts';
import type { BuildViews } from '../../ports/build-views.ts';
import type { ReportReader, TreeChoice, TreePage } from '../../ports/report-reader.ts';
import type { RepoRequest } from '../repos/find-administered-repo.ts';
import type { BuildInRepo, FindBuildInRepo } from './find-in-repo.ts';
import { type FoundBuild, notFound } from './find-readable.ts';
import { type Paged, type Paging, toPaged, toRange } from './paging.ts';

/** `changed`: files that the build's change changed or added. */
export const FILE_CHOICES = ['all', 'changed', 'missed', 'lost'] as const;
export type FileChoice = (typeof FILE_CHOICES)[number];

export interface BrowseRequest extends RepoRequest, Pick<TreeChoice, 'folder' | 'query' | 'sort'> {
  readonly build: BuildInRepo;
  readonly show: FileChoice;
  readonly paging: Paging;
}

export interface BrowsedFiles extends FoundBuild, Paged, Pick<TreePage, 'rows' | 'files' | 'sums'> {
  readonly build: BuildView;
  /** What happened to files, by name; at most MAX_FILE_CHANGES. */
  readonly kinds: ReadonlyMap<string, FileChange['kind']>;
  /** Of `changed` files only the first are known. */
  readonly cut: boolean;
}

export type BrowseFiles = (asked: BrowseRequest) => Promise<BrowsedFiles>;

/** The files of a build's merged report, as of its last close. Throws the Failures of FindBuildInRepo. */
export function createBrowseFiles(deps: {
  readonly findBuild: FindBuildInRepo;
  readonly builds: Pick<BuildStore, 'report'>;
  readonly views: Pick<BuildViews, 'find'>;
  readonly reader: Pick<ReportReader, 'browse'>;
}): BrowseFiles {
  const { findBuild, builds, views, reader } = deps;
  return async ({ show, paging, folder, query, sort, ...asked }) => {
    const found = await findBuild(asked);
    const build = await views.find(found.build.id);
    if (build === undefined) throw notFound('build', String(found.build.id));
    const changes = build.result?.fileChanges ?? [];
    const kinds = new Map(changes.map(({ name, kind }) => [name, kind]));
    const among = changes.filter(({ kind }) => kind === 'changed' || kind === 'added').map(({ name }) => name);
    const choice: TreeChoice = {
      folder,
      query,
      sort,
      show: show === 'changed' ? 'all' : show,
      among: show === 'changed' ? among : undefined,
    };
    const report = await builds.report(build.id);
    const base = build.result?.base && (await builds.report(build.result.base.buildId));
    const page = report && (await reader.browse({ report, base, choice, ...toRange(paging) }));
    const { rows, files, sums, total } = page ?? NO_FILES;
    const cut = show === 'changed' && changes.length >= MAX_FILE_CHANGES;
    return { ...found, build, kinds, cut, rows, files, sums, ...toPaged(paging, total) };
  };
}

const NO_FILES: TreePage = { rows: [], files: 0, sums: { totals: NO_TOTALS, base: undefined }, total: 0 };
