import type { AuditEntry, AuditRecord } from '../../core/repo/audit.ts';
import type { OnAudit } from '../audit-log.ts';
import type { Units } from '../table.ts';
import { AUDIT } from '../tables/audit.ts';
import type { Connection } from './connection.ts';
import type { NextId } from './counters.ts';
import { createTable, createTables, drive, wait } from './declared-table.ts';

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
  const entries = createTable(connection, AUDIT);
  const insert = async (entry: AuditEntry & Pick<AuditRecord, 'unconfirmed'>): Promise<number> => {
    const id = await connection.run(() => nextId('audit'));
    await drive(entries.insert({ id, ...entry }));
    return id;
  };
  return {
    async insert(entry) {
      await insert(entry);
      onAudit(entry);
    },
    async write(audit, work) {
      if (audit === undefined) return work();
      const id = await insert({ ...audit, unconfirmed: true });
      const done = await work();
      // The change is made: that it could not be confirmed is no reason to say otherwise.
      const isChange = done !== undefined && done !== false;
      if (isChange) onAudit(audit);
      const settled: Promise<unknown> = drive(
        isChange ? entries.set({ id }, { unconfirmed: undefined }) : entries.remove({ id }),
      );
      await settled.catch(() => undefined);
      return done;
    },
  };
}

/** What this store offers to those that are the same in both. */
export function createUnits(connection: Connection, audits: AuditRows, nextId: NextId): Units {
  return {
    ...createTables(connection),
    nextId: (counter) => wait(() => connection.run(() => nextId(counter))),
    note: (entry) => wait(() => audits.insert(entry)),
    audited: (audit, change) => wait(() => audits.write(audit, () => drive(change()))),
    write: (work) => drive(work()),
  };
}
