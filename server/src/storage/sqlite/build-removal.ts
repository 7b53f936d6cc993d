import type { BuildStore } from '../build-store.ts';
import type { BuildRows } from './build-rows.ts';
import type { Connection } from './connection.ts';
import type { DeliveryRows } from './delivery-rows.ts';
import type { AuditRows } from './units.ts';

/** Its jobs, reports and rows of the index go with a build's row. */
export function createBuildRemoval(
  { prepare }: Connection,
  {
    builds,
    deliveries,
    audits,
  }: {
    readonly builds: BuildRows;
    readonly deliveries: DeliveryRows;
    readonly audits: AuditRows;
  },
): BuildStore['remove'] {
  const remove = prepare('DELETE FROM builds WHERE id = ?');
  const note = prepare(`
    INSERT INTO source_looks (repo_id, removed_builds) VALUES (?, 1)
    ON CONFLICT DO UPDATE SET removed_builds = removed_builds + 1`);
  return async (buildId, audit) =>
    audits.write(audit, () => {
      const build = builds.find(buildId);
      if (build === undefined) return false;
      for (const { id, statusOwner } of deliveries.ofBuild(build)) {
        if (statusOwner.buildId === buildId) deliveries.remove(id);
      }
      remove.run(buildId);
      note.run(build.repoId);
      return true;
    });
}
