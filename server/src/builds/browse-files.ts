import type { RepoRequest } from '../access/find-administered-repo.ts';
import { type FileChange, MAX_FILE_CHANGES } from '../core/builds/build.ts';
import { normalizeFileName } from '../core/coverage/file-name.ts';
import { NO_TOTALS } from '../core/coverage/totals.ts';
import type { Diff } from '../core/diff/file-diff.ts';
import { type Paged, type Paging, toPaged, toRange } from '../platform/paging.ts';
import type { ReportBytes } from '../reports/report-bytes.ts';
import type { Rename, ReportReader, TreeChoice, TreePage } from '../reports/report-reader.ts';
import type { Services } from '../services/services.ts';
import { findKnownDiffs } from './find-changed-lines.ts';
import { type BuildInRepo, findBuildInRepo } from './find-in-repo.ts';
import { type FoundBuild, notInRepo } from './find-readable.ts';

/** `changed`: files that the build's change changed or added. */
export const FILE_CHOICES = ['all', 'changed', 'missed', 'lost', 'gained'] as const;

/** Jobs that are looked at for those of a flag, and reports of a flag that are read. */
const MAX_JOBS = 500;
const MAX_REPORTS = 20;
const MAX_FLAGS = 100;
export type FileChoice = (typeof FILE_CHOICES)[number];

export interface BrowseRequest extends RepoRequest, Pick<TreeChoice, 'folder' | 'query' | 'sort'> {
  readonly build: BuildInRepo;
  readonly show: FileChoice;
  /** Only files that its jobs measured; undefined: any. */
  readonly flag: string | undefined;
  readonly paging: Paging;
}

export interface BrowsedFiles extends FoundBuild, Paged, Pick<TreePage, 'rows' | 'files' | 'sums'> {
  /** What happened to files, by name; at most MAX_FILE_CHANGES. */
  readonly kinds: ReadonlyMap<string, FileChange['kind']>;
  /** For the newest close; the first of them, and the one that was asked for. */
  readonly flags: readonly string[];
  /** For `changed` files, or for those of a flag, only the first are known. */
  readonly cut: boolean;
}

/** The files of a build's merged report, as of its last close. Throws the Failures of findBuildInRepo. */
export async function browseFiles(
  services: Services,
  { show, flag, paging, folder, query, sort, ...asked }: BrowseRequest,
): Promise<BrowsedFiles> {
  const { builds, views, reader } = services;
  const found = await findBuildInRepo(services, asked);
  const { build } = found;
  const pick = build.result?.base;
  const [changes, report, base, renames, ofFlag, flags] = await Promise.all([
    views.fileKinds(build.id),
    builds.report(build.id),
    pick && builds.report(pick.buildId),
    pick && findRenames(services, found),
    flag === undefined ? undefined : readFlagReports(services, build.id, flag),
    views.flagNames(build.id, MAX_FLAGS),
  ]);
  const kinds = new Map(changes.map(({ name, kind }) => [name, kind]));
  const among = changes.filter(({ kind }) => kind === 'changed' || kind === 'added').map(({ name }) => name);
  const choice: TreeChoice = {
    folder,
    query,
    fuzzy: true,
    sort,
    show: show === 'changed' ? 'all' : show,
    among: show === 'changed' ? among : undefined,
  };
  const page =
    report &&
    (await reader.browse({
      report,
      base,
      renames: renames ?? [],
      within: ofFlag?.reports,
      choice,
      ...toRange(paging),
    }));
  const { rows, files, sums, total } = page ?? NO_FILES;
  if (files === 0 && folder !== '' && !(await hasFolder(reader, report, folder)))
    throw notInRepo(found.repo, `folder in build ${build.id} called`, folder);
  const cut = (show === 'changed' && changes.length >= MAX_FILE_CHANGES) || ofFlag?.cut === true;
  const names = [...new Set([...flags, ...(flag === undefined ? [] : [flag])])];
  return { ...found, kinds, flags: names, cut, rows, files, sums, ...toPaged(paging, total) };
}

async function findRenames(services: Services, { build, repo }: FoundBuild): Promise<readonly Rename[]> {
  return renamesOf((await findKnownDiffs(services, { build, repo })).base);
}

/** Whether there is any file below it, whatever was asked to be shown. */
async function hasFolder(
  reader: Pick<ReportReader, 'browse'>,
  report: ReportBytes | undefined,
  folder: string,
): Promise<boolean> {
  const choice = { folder, query: '', show: 'all', among: undefined, sort: 'path' } as const;
  return (
    report !== undefined && (await reader.browse({ report, base: undefined, choice, offset: 0, limit: 1 })).files > 0
  );
}

/** What the jobs of a flag reported; of a carried one those of the build that it comes from. */
export async function readFlagReports(
  { views, jobs }: Pick<Services, 'jobs' | 'views'>,
  buildId: number,
  name: string,
): Promise<{ readonly reports: readonly ReportBytes[]; readonly cut: boolean }> {
  const origin = (await views.flag(buildId, name))?.carried?.buildId ?? buildId;
  const listed = await jobs.list({ buildId: origin, offset: 0, limit: MAX_JOBS });
  const own = listed.filter(({ facts }) => facts.flag === name);
  const reports = await jobs.reports(own.slice(0, MAX_REPORTS).map(({ id }) => id));
  return { reports, cut: listed.length === MAX_JOBS || own.length > MAX_REPORTS };
}

/** By their names in reports. */
export function renamesOf(diff: Diff | undefined): readonly Rename[] {
  return (diff?.files ?? []).flatMap(({ kind, name, previousName }) =>
    kind === 'renamed' && previousName !== undefined
      ? [[normalizeFileName(name), normalizeFileName(previousName)] as const]
      : [],
  );
}

const NO_FILES: TreePage = { rows: [], files: 0, sums: { totals: NO_TOTALS, base: undefined }, total: 0 };
