import { RecentMap } from '../../core/recent-map.ts';
import { mergedKey } from '../merged-key.ts';
import type { MergedReports } from '../merged-reports.ts';
import { BYTES_LIMIT, joinBytes, splitBytes } from './bytes.ts';
import type { Connection } from './connection.ts';
import { tablesOf } from './table.ts';

/** Reports of a build's jobs that were merged before somebody asked, in MongoDB. The first part names the jobs. */
export function createMergedReports(connection: Connection): MergedReports {
  const { collections, run } = connection;
  const { mergedReports, builds } = tablesOf(connection);
  /** Repos of builds whose jobs are merged, which never change. */
  const recent = new RecentMap<number>({ max: 1_000 });
  const findRepo = async (_id: number): Promise<number | undefined> => {
    const found = await builds.one({ _id, record: { $exists: true } }, { projection: { repoId: 1 } });
    if (found === undefined) recent.delete(String(_id));
    else recent.set(String(_id), found.repoId);
    return found?.repoId;
  };
  return {
    async ofBuild(buildId) {
      const named = { buildId, jobs: { $exists: true } };
      const found = await mergedReports.list(named, { projection: { key: 1, flag: 1, jobs: 1 } });
      return found.map(({ key, flag, jobs = [] }) => ({ key, flag, jobs }));
    },
    async read(buildId, keys) {
      const asked = collections.mergedReports.find({ buildId, key: { $in: [...keys] } }, { sort: { key: 1, part: 1 } });
      const found = await run(() => asked.toArray(), BYTES_LIMIT);
      const byKey = Map.groupBy(found, ({ key }) => key);
      const reports = keys.map((key) => {
        const parts = byKey.get(key) ?? [];
        return parts.length > 0 && parts.length === parts[0]?.parts ? joinBytes(parts.map(({ bytes }) => bytes)) : [];
      });
      return reports.every((report) => report instanceof Uint8Array) ? reports : undefined;
    },
    async put({ buildId, flag, jobs, report }) {
      const repoId = recent.get(String(buildId)) ?? (await findRepo(buildId));
      if (repoId === undefined) return;
      const key = mergedKey(jobs);
      const pieces = splitBytes(report);
      // The first part last: a reader that finds it finds all of them.
      for (const [part, bytes] of [...pieces.entries()].reverse()) {
        const names = part > 0 ? {} : { jobs, ...(flag === undefined ? {} : { flag }) };
        const document = { repoId, buildId, key, part, parts: pieces.length, bytes, ...names };
        const place = { _id: `${buildId}/${key}/${part}` };
        const write = () => collections.mergedReports.updateOne(place, { $set: document }, { upsert: true });
        await run(write, BYTES_LIMIT);
      }
      // Removed in the meantime: nobody else would take it away.
      if ((await findRepo(buildId)) === undefined) await mergedReports.remove({ buildId });
    },
    async remove(buildId, keys) {
      if (keys.length > 0) await mergedReports.remove({ buildId, key: { $in: [...keys] } });
    },
  };
}
