import type { BuildSummary } from '../core/builds/build-summary.ts';
import { compareNames } from '../core/coverage/merge.ts';
import type { Services } from '../services/services.ts';

/** Jobs, and source files of all of them, up to which a page looks. */
const MAX_JOBS = 12;
const MAX_FILES = 12_000;

/** Which flags' jobs measured a file; none where a build has fewer than two flags, or too many jobs or files. */
export async function findFileFlags(
  services: Pick<Services, 'jobs' | 'reader'>,
  build: BuildSummary,
  name: string,
): Promise<readonly string[]> {
  const { jobs, reader } = services;
  if (build.jobs < 2 || build.jobs > MAX_JOBS) return [];
  const all = await jobs.list({ buildId: build.id, offset: 0, limit: MAX_JOBS });
  const flagged = all.flatMap(({ id, files, facts: { flag } }) => (flag === undefined ? [] : [{ id, files, flag }]));
  const files = flagged.reduce((sum, job) => sum + job.files, 0);
  if (new Set(flagged.map(({ flag }) => flag)).size < 2 || files > MAX_FILES) return [];
  const reports = await jobs.reports(flagged.map(({ id }) => id));
  const found = await Promise.all(reports.map((report) => reader.readTotals({ report, name })));
  const flags = flagged.filter((_, index) => found[index] !== undefined).map(({ flag }) => flag);
  return [...new Set(flags)].sort(compareNames);
}
