import { createHash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';

/** Each table of a database file, with a digest of all its rows. */
export function readTables(path: string): Readonly<Record<string, string>> {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    const tables = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").all();
    return Object.fromEntries(tables.map(({ name }) => [String(name), digestOf(db, String(name))]));
  } finally {
    db.close();
  }
}

function digestOf(db: DatabaseSync, table: string): string {
  const rows = db.prepare(`SELECT * FROM "${table}"`).all();
  const text = JSON.stringify(rows, (_, value) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value,
  );
  return `${rows.length} rows, ${createHash('sha256').update(text).digest('hex')}`;
}
