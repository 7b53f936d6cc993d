import type { HostAppStore } from '../../ports/host-apps.ts';
import type { AuditRows } from './audit-log.ts';
import type { Connection } from './connection.ts';
import { tablesOf } from './table.ts';

/** Apps that were made at git hosts, in MongoDB. */
export function createHostAppStore(connection: Connection, audits: AuditRows): HostAppStore {
  const { hostApps } = tablesOf(connection);
  return {
    list: async () => (await hostApps.list({}, { sort: { _id: 1 } })).map(({ record }) => record),
    async put(app, audit) {
      const { service, revision } = app;
      const isNext = { $eq: [{ $ifNull: ['$record.revision', 0] }, revision - 1] };
      const record = { $cond: [isNext, { $literal: app }, { $ifNull: ['$record', '$$REMOVE'] }] };
      // Made by the first alone: an upsert of any other would leave an empty document.
      const options = revision === 1 ? ({ upsert: true } as const) : {};
      return audits.write(audit, async () => {
        const left = await hostApps.change({ _id: service }, [{ $set: { record } }], options);
        return left?.record.revision === revision && left.record.sealed === app.sealed;
      });
    },
  };
}
