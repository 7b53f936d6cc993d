import type { HistoryRemarks, HistorySource } from '../../core/builds/imported.ts';
import { Failure } from '../../core/failure.ts';
import { isRepoService, type RepoAddress } from '../../core/repo/repo-name.ts';
import { COUNTS_DIFFER, inWords, recordsOf } from './check-export.ts';
import { BUILDS, jobReportPath } from './folder-form.ts';
import { type HistoryBuild, readHistory } from './history-forms.ts';
import type { FolderReader } from './read-folder.ts';
import { type ReadReport, readReportLines } from './report-lines.ts';
import { fileDamaged } from './sentences.ts';

/** As many builds, and builds with lines, as are imported at once. */
export const HISTORY_LIMITS = { builds: 20_000, withLines: 200 } as const;

/** A history of which every record and every report can be read. */
export interface CheckedHistory extends HistoryRemarks {
  readonly from: HistorySource;
  /** Where it was read: a repo of the other service, or a folder. */
  readonly address: string;
  /** The repo that it belongs to, by its name here. */
  readonly repo: string;
  readonly builds: number;
  readonly withLines: number;
  readonly withCounts: number;
  readonly branches: readonly string[];
  readonly flags: readonly string[];
  /** Undefined: it has no builds. */
  readonly oldest: HistoryBuild | undefined;
  readonly newest: HistoryBuild | undefined;
}

/** Whether a folder is a history, rather than a repo that another server exported. */
export function isHistory({ manifest }: Pick<FolderReader, 'manifest'>): boolean {
  return manifest.history !== undefined;
}

/** The repo that a folder is for. */
export function addressOf(repo: string): RepoAddress {
  const slash = repo.indexOf('/');
  const [service, name] = [repo.slice(0, slash), repo.slice(slash + 1)];
  if (!isRepoService(service)) throw new Failure('payload-invalid', fileDamaged('manifest.json'));
  return { service, name };
}

/** The builds of a history, newest first. */
export function historyOf(folder: FolderReader): AsyncGenerator<HistoryBuild> {
  return recordsOf(folder, BUILDS, readHistory);
}

/** The report of one of its jobs. */
export function readHistoryReport(folder: FolderReader, id: number): Promise<ReadReport> {
  const path = jobReportPath(id);
  return inWords(path, () => readReportLines(folder.lines(path)));
}

/** Reads everything. Throws a Failure that names the file that cannot be imported. */
export async function checkHistory(folder: FolderReader): Promise<CheckedHistory> {
  const { history, repo, counts } = folder.manifest;
  if (history === undefined) throw new Failure('payload-invalid', fileDamaged('manifest.json'));
  const [branches, flags, commits, jobs] = [new Set<string>(), new Set<string>(), new Set<string>(), new Set<number>()];
  const found = { builds: 0, withLines: 0, withCounts: 0 };
  let [newest, oldest]: (HistoryBuild | undefined)[] = [];
  for await (const build of historyOf(folder)) {
    const isBefore = oldest === undefined || build.at <= oldest.at;
    if (!isBefore || commits.has(build.commit)) throw new Failure('payload-invalid', fileDamaged(BUILDS));
    commits.add(build.commit);
    branches.add(build.branch);
    found.builds += 1;
    if (build.reports.length > 0) found.withLines += 1;
    else if (build.totals !== undefined) found.withCounts += 1;
    if (found.builds > HISTORY_LIMITS.builds || found.withLines > HISTORY_LIMITS.withLines)
      throw new Failure('payload-too-large', tooMuch());
    for (const { id, flag } of build.reports) {
      if (jobs.has(id)) throw new Failure('payload-invalid', fileDamaged(BUILDS));
      jobs.add(id);
      if (flag !== undefined) flags.add(flag);
      await readHistoryReport(folder, id);
    }
    newest ??= build;
    oldest = build;
  }
  if (counts.builds !== found.builds || counts.jobs !== jobs.size) throw new Failure('payload-invalid', COUNTS_DIFFER);
  return { ...history, repo, ...found, branches: [...branches], flags: [...flags].sort(), oldest, newest };
}

function tooMuch(): string {
  const { builds, withLines } = HISTORY_LIMITS;
  return (
    `The history has more than ${builds} builds, or more than ${withLines} with lines. Nothing was imported. ` +
    'Write a smaller one: coverage import-history takes --since and --lines.'
  );
}
