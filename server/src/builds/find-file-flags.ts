import type { BuildSummary } from '../core/builds/build-summary.ts';
import { compareNames } from '../core/coverage/merge.ts';
import type { ReportReader } from '../reports/report-reader.ts';
import type { JobStore } from '../storage/store.ts';

/** Which flags' jobs measured a file; none where a build has fewer than two flags, or too many jobs or files. */
export type FindFileFlags = (build: BuildSummary, name: string) => Promise<readonly string[]>;

/** Jobs, and source files of all of them, up to which a page looks. */
const MOST_JOBS = 12;
const MOST_FILES = 12_000;

export function createFindFileFlags(deps: {
  readonly jobs: Pick<JobStore, 'list' | 'reports'>;
  readonly reader: Pick<ReportReader, 'readTotals'>;
}): FindFileFlags {
  const { jobs, reader } = deps;
  return async (build, name) => {
    if (build.jobs < 2 || build.jobs > MOST_JOBS) return [];
    const all = await jobs.list({ buildId: build.id, offset: 0, limit: MOST_JOBS });
    const flagged = all.flatMap(({ id, files, facts: { flag } }) => (flag === undefined ? [] : [{ id, files, flag }]));
    const files = flagged.reduce((sum, job) => sum + job.files, 0);
    if (new Set(flagged.map(({ flag }) => flag)).size < 2 || files > MOST_FILES) return [];
    const reports = await jobs.reports(flagged.map(({ id }) => id));
    const found = await Promise.all(reports.map((report) => reader.readTotals({ report, name })));
    const flags = flagged.filter((_, index) => found[index] !== undefined).map(({ flag }) => flag);
    return [...new Set(flags)].sort(compareNames);
  };
}
