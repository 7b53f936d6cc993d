import type { DatabaseSync } from 'node:sqlite';
import { dueAt } from '../../core/builds/due-tasks.ts';
import { upgradeBuild, upgradeOwner } from '../upgrade-records.ts';

/** Step 4: one list of due tasks in a build, and the owner of a status by that name. */
export function upgradeRecords(db: DatabaseSync): void {
  const setBuild = db.prepare('UPDATE builds SET due_at = :dueAt, record = :record WHERE id = :id');
  rewrite(db, 'builds', (id, stored) => {
    const build = upgradeBuild(stored);
    setBuild.run({ id, dueAt: dueAt(build) ?? null, record: JSON.stringify(build) });
  });
  const setDelivery = db.prepare('UPDATE deliveries SET record = :record WHERE id = :id');
  rewrite(db, 'deliveries', (id, stored) => setDelivery.run({ id, record: JSON.stringify(upgradeOwner(stored)) }));
}

/** By id, some at a time: a statement must not read what it writes, and a database may hold a million rows. */
function rewrite(db: DatabaseSync, table: 'builds' | 'deliveries', write: (id: number, stored: object) => void): void {
  const page = db.prepare(`SELECT id, record FROM ${table} WHERE id > ? ORDER BY id LIMIT 500`);
  for (let last = 0; ; ) {
    const rows = page.all(last);
    for (const { id, record } of rows) {
      last = Number(id);
      write(last, JSON.parse(String(record)) as object);
    }
    if (rows.length === 0) return;
  }
}
