import type { HostAppStore, StoredHostApp } from '../../ports/host-apps.ts';
import type { AuditRows } from './audit-log.ts';
import type { Connection } from './connection.ts';
import { selectRecords, writeRecord } from './records.ts';

export const PUT_HOST_APP = `
  INSERT INTO host_apps (service, revision, record) VALUES (:service, :revision, :record)
  ON CONFLICT (service) DO UPDATE SET revision = excluded.revision, record = excluded.record
  WHERE revision = excluded.revision - 1`;

/** Apps that were made at git hosts, in SQLite. */
export function createHostAppStore(connection: Connection, audits: AuditRows): HostAppStore {
  const { prepare } = connection;
  const put = prepare(PUT_HOST_APP);
  const find = prepare('SELECT 1 FROM host_apps WHERE service = ?');
  return {
    list: selectRecords<StoredHostApp>(connection, "SELECT record FROM host_apps WHERE service > '' ORDER BY service"),
    put: async (app, audit) =>
      audits.write(audit, () => {
        const { service, revision } = app;
        if (revision > 1 && find.get(service) === undefined) return false;
        return put.run({ service, revision, record: writeRecord(app) }).changes > 0;
      }),
  };
}
