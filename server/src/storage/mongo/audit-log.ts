import type { Filter } from 'mongodb';
import type { AuditEntry, AuditRecord } from '../../core/repo/audit.ts';
import type { AuditLog, OnAudit } from '../audit-log.ts';
import { RECORD } from './build-rows.ts';
import type { Connection } from './connection.ts';
import type { NextId } from './counters.ts';
import type { AuditDocument } from './documents.ts';
import { tablesOf } from './table.ts';

/** Where the adapter's other stores write entries. */
export interface AuditRows {
  insert(entry: AuditEntry): Promise<void>;
  /**
   * Writes the entry before the change. One that answers undefined or false was no change, and its entry goes; that of
   * a change without an answer stays unconfirmed.
   */
  write<T>(audit: AuditEntry | undefined, work: () => Promise<T>): Promise<T>;
}

export function createAuditRows(connection: Connection, nextId: NextId, onAudit: OnAudit): AuditRows {
  const { collections, run } = connection;
  const { audit: table } = tablesOf(connection);
  const insert = async (entry: AuditEntry & Pick<AuditRecord, 'unconfirmed'>): Promise<number> => {
    const record = { id: await run(() => nextId('audit')), ...entry };
    await run(() => collections.audit.insertOne({ _id: record.id, ...auditFields(record) }));
    return record.id;
  };
  return {
    async insert(entry) {
      await insert(entry);
      onAudit(entry);
    },
    async write(audit, work) {
      if (audit === undefined) return work();
      const _id = await insert({ ...audit, unconfirmed: true });
      const done = await work();
      // The change is made: that it could not be confirmed is no reason to say otherwise.
      const isChange = done !== undefined && done !== false;
      if (isChange) onAudit(audit);
      const settled = !isChange
        ? table.remove({ _id })
        : table.update({ _id }, { $unset: { 'record.unconfirmed': '' } });
      await settled.catch(() => undefined);
      return done;
    },
  };
}

/** The audit log, in MongoDB. */
export function createAuditLog(connection: Connection, rows: AuditRows): AuditLog {
  const { audit: table } = tablesOf(connection);
  return {
    record: rows.insert,
    async list({ repo, action, since = 0, until = Number.MAX_SAFE_INTEGER, newestFirst, beyond, limit }) {
      const named =
        repo === undefined
          ? []
          : await table.list(
              { repoKey: repo.toLowerCase() },
              { projection: { _id: 0, repoId: 1 }, sort: { repoKey: 1 } },
            );
      const filter = {
        ...(beyond !== undefined && { _id: newestFirst ? { $lt: beyond } : { $gt: beyond } }),
        ...(repo !== undefined && { repoId: { $in: [...new Set(named.map(({ repoId }) => repoId))] } }),
        ...(action !== undefined && { action }),
        at: { $gte: since, $lt: until },
      } as Filter<AuditDocument>;
      const order = { ...RECORD, sort: { _id: newestFirst ? -1 : 1 }, limit } as const;
      return (await table.list(filter, order)).map(({ record }) => record);
    },
    sweep: (at) => table.remove({ at: { $lt: at } }),
  };
}

/** What an entry is found by, and the entry. */
export function auditFields(record: AuditRecord): Omit<AuditDocument, '_id'> {
  const { at, action, repo } = record;
  return { at, action, ...(repo !== undefined && { repoId: repo.id, repoKey: repo.name.toLowerCase() }), record };
}
