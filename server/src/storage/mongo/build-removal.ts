import type { BuildStore } from '../build-store.ts';
import { partIds } from './bytes.ts';
import { chunksOf } from './chunks.ts';
import type { Connection } from './connection.ts';
import type { DeliveryRows } from './delivery-rows.ts';
import type { PendingEffects } from './pending-effects.ts';
import type { RecentReports } from './recent-reports.ts';
import { type Table, tablesOf } from './table.ts';
import type { AuditRows } from './units.ts';

const AT_ONCE = 500;

interface Rows {
  readonly deliveries: DeliveryRows;
  readonly pendingEffects: PendingEffects;
  readonly audits: AuditRows;
  readonly recentReports: RecentReports;
}

/**
 * One write removes the build. What hangs on it follows; before that write it loses the mark by which the sweep passes
 * it over, so that the sweep takes what a process that dies leaves behind.
 */
export function createBuildRemoval(connection: Connection, rows: Rows): BuildStore['remove'] {
  const { builds, jobs, parts, mergedReports, deliveries, repos } = tablesOf(connection);
  return async (buildId, audit) => {
    // What closes have ordered is written first, so that its records are found.
    await rows.pendingEffects.settle(buildId);
    const found = await builds.one({ _id: buildId }, { projection: { record: 1, jobs: 1, report: 1 } });
    if (found?.record === undefined) return false;
    const documents = (found.jobs ?? []).map(({ document }) => document);
    const reports = found.report === undefined ? [] : [found.report];
    for (const some of chunksOf(documents, AT_ONCE)) {
      const uploads = await jobs.list({ _id: { $in: [...some] } }, { projection: { report: 1 } });
      reports.push(...uploads.map(({ report }) => report));
    }
    const pieces = reports.flatMap(partIds);
    await changeEach(jobs, documents, (table, _id) => table.updateAll({ _id }, [{ $unset: 'kept' }]));
    await changeEach(parts, pieces, (table, _id) => table.updateAll({ _id }, [{ $unset: 'kept' }]));
    const owned = (await rows.deliveries.ofBuild(found.record)).filter(
      ({ statusOwner }) => statusOwner.buildId === buildId,
    );
    const remove = async (): Promise<boolean> => (await builds.remove({ _id: buildId })) > 0;
    if (!(await rows.audits.write(audit, remove))) return false;
    if (found.report !== undefined) rows.recentReports.forget(found.report.id);
    await repos.update({ _id: found.record.repoId }, { $inc: { removedBuilds: 1 } });
    await deliveries.remove({ _id: { $in: owned.map(({ id }) => id) } });
    await mergedReports.remove({ buildId });
    await changeEach(jobs, documents, (table, _id) => table.remove({ _id }));
    await changeEach(parts, pieces, (table, _id) => table.remove({ _id }));
    return true;
  };
}

/** Few at a time: no operation takes longer than a connection may be silent. */
async function changeEach<T extends { readonly _id: string }>(
  table: Table<T>,
  ids: readonly string[],
  change: (table: Table<{ readonly _id: string }>, _id: { readonly $in: string[] }) => Promise<unknown>,
): Promise<void> {
  for (const some of chunksOf(ids, AT_ONCE)) {
    await change(table as unknown as Table<{ readonly _id: string }>, { $in: [...some] });
  }
}
