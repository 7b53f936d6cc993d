import type { ReportBytes } from '../../reports/report-bytes.ts';
import { mergedKey } from '../merged-key.ts';
import type { MergedReports } from '../merged-reports.ts';
import type { Connection } from './connection.ts';

/** Reports of a build's jobs that were merged before somebody asked, in SQLite. */
export function createMergedReports({ prepare, read, write }: Connection): MergedReports {
  const list = prepare('SELECT key, flag, jobs FROM merged_reports WHERE build_id = ?');
  const find = prepare('SELECT report FROM merged_reports WHERE build_id = ? AND key = ?');
  const put = prepare(`
    INSERT INTO merged_reports (build_id, key, flag, jobs, report)
    SELECT :buildId, :key, :flag, :jobs, :report WHERE EXISTS (SELECT 1 FROM builds WHERE id = :buildId)
    ON CONFLICT DO NOTHING`);
  const remove = prepare('DELETE FROM merged_reports WHERE build_id = ? AND key = ?');
  return {
    ofBuild: async (buildId) =>
      read(() => list.all(buildId)).map(({ key, flag, jobs }) => ({
        key: key as string,
        flag: (flag as string | null) ?? undefined,
        jobs: JSON.parse(jobs as string) as number[],
      })),
    read: async (buildId, keys) =>
      read(() => {
        const found = keys.map((key) => find.get(buildId, key)?.report as ReportBytes | undefined);
        const reports = found.filter((report) => report !== undefined);
        return reports.length === keys.length ? reports : undefined;
      }),
    put: async ({ buildId, flag = null, jobs, report }) =>
      write(() => void put.run({ buildId, key: mergedKey(jobs), flag, jobs: JSON.stringify(jobs), report })),
    remove: async (buildId, keys) =>
      write(() => {
        for (const key of keys) remove.run(buildId, key);
      }),
  };
}
