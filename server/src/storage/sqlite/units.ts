import type { AuditEntry } from '../../core/repo/audit.ts';
import type { OnAudit } from '../audit-log.ts';
import type { Units } from '../table.ts';
import { AUDIT } from '../tables/audit.ts';
import type { Connection } from './connection.ts';
import type { NextId } from './counters.ts';
import { createTable, createTables, finish, now } from './table.ts';

/** A connection that tells of the entries of each write once that is done. */
export interface AuditedConnection extends Connection {
  /** Only inside a write. */
  tell(entry: AuditEntry): void;
}

export function auditConnection(connection: Connection, onAudit: OnAudit): AuditedConnection {
  let written: AuditEntry[] = [];
  return {
    ...connection,
    write(work) {
      written = [];
      const done = connection.write(work);
      for (const entry of written) onAudit(entry);
      return done;
    },
    tell: (entry) => void written.push(entry),
  };
}

/** Where the adapter's other stores write entries. */
export interface AuditRows {
  /** Only inside a write. */
  insert(entry: AuditEntry): void;
  /** A change whose entry is written with it, unless it answers undefined or false, which is none. Inside a write. */
  within<T>(audit: AuditEntry | undefined, change: () => T): T;
  /** The same as a write of its own. */
  write<T>(audit: AuditEntry | undefined, change: () => T): T;
}

export function createAuditRows(connection: AuditedConnection, nextId: NextId): AuditRows {
  const entries = createTable(connection, AUDIT);
  const insert = (entry: AuditEntry): void => {
    finish(entries.insert({ id: nextId('audit'), ...entry }));
    connection.tell(entry);
  };
  const within: AuditRows['within'] = (audit, change) => {
    const done = change();
    if (audit !== undefined && done !== undefined && done !== false) insert(audit);
    return done;
  };
  return { insert, within, write: (audit, change) => connection.write(() => within(audit, change)) };
}

/** What this store offers to those that are the same in both. */
export function createUnits(connection: Connection, audits: AuditRows, nextId: NextId): Units {
  return {
    ...createTables(connection),
    nextId: (counter) => now(() => nextId(counter)),
    note: (entry) => now(() => audits.insert(entry)),
    audited: (audit, change) => now(() => audits.within(audit, () => finish(change()))),
    write: async (work) => connection.write(() => finish(work())),
  };
}
