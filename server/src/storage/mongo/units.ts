import type { Units } from '../table.ts';
import type { AuditRows } from './audit-log.ts';
import type { Connection } from './connection.ts';
import type { NextId } from './counters.ts';
import { createTables, drive, wait } from './declared-table.ts';

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
