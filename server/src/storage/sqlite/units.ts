import type { Units } from '../table.ts';
import type { AuditRows } from './audit-log.ts';
import type { Connection } from './connection.ts';
import type { NextId } from './counters.ts';
import { createTables, finish, now } from './table.ts';

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
