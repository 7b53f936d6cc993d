import { existsSync, realpathSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { Failure } from '../../core/failure.ts';
import type { OnUpgrade } from '../store-inspection.ts';
import { MIGRATIONS } from './schema.ts';

/** `COVR`: marks the file as ours in its header, so that no other program's database is taken for it. */
export const APPLICATION_ID = 0x434f5652;

/** Where a copy notes its progress; there only until it is finished. */
export const COPY_TABLE = 'unfinished_copy';

/**
 * Whether the file is ours or still empty; throws a Failure when it is another program's, or from a newer version of
 * this one.
 */
export function checkOwner(db: DatabaseSync, name: string): void {
  const owner = readPragma(db, 'application_id');
  const version = readPragma(db, 'user_version');
  const { tables } = db.prepare('SELECT count(*) AS tables FROM sqlite_schema').get() as { tables: number };
  const isEmpty = owner === 0 && version === 0 && tables === 0;
  if (!isEmpty && owner !== APPLICATION_ID) {
    throw new Failure(
      'unavailable',
      `${name} is an SQLite database of another program; ` +
        'set DATABASE_URL to a file of its own, which is created if it does not exist.',
    );
  }
  if (version > MIGRATIONS.length) {
    throw new Failure(
      'unavailable',
      `${name} was written by a newer version of this program ` +
        `(schema ${version}; this one knows up to ${MIGRATIONS.length}); ` +
        'start that version, or restore a backup made before the upgrade.',
    );
  }
}

/** Brings the schema up to date in one transaction: after a crash the file is at the old version or at the new one. */
export function migrate(db: DatabaseSync, name: string, onUpgrade: OnUpgrade = () => undefined): void {
  if (readPragma(db, 'user_version') === MIGRATIONS.length) return;
  db.exec('BEGIN IMMEDIATE');
  try {
    // Again, now that no other process writes: one may have been starting too.
    checkOwner(db, name);
    const from = readPragma(db, 'user_version');
    if (from > 0 && from < MIGRATIONS.length) onUpgrade({ from, to: MIGRATIONS.length });
    for (const step of MIGRATIONS.slice(from)) {
      if (typeof step === 'string') db.exec(step);
      else step(db);
    }
    db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${MIGRATIONS.length}`);
    db.exec('COMMIT');
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

/** A server on half a store would close builds before their jobs are copied. */
export function refuseHalfCopied(db: DatabaseSync, name: string): void {
  if (db.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(COPY_TABLE) === undefined) return;
  throw new Failure(
    'unavailable',
    `a copy into ${name} is not finished; run npm run copy-store again with the same --from and --to.`,
  );
}

/** The name of a restored database before it has replaced the one that was there. */
export function unfinishedRestore(path: string): string {
  return `${path}.restored`;
}

/** What was there may have been moved away already: a server would make an empty database. */
export function refuseHalfRestored(path: string): void {
  if (!existsSync(unfinishedRestore(realpathSync(path)))) return;
  throw new Failure('unavailable', `a restore into ${path} is not finished; run npm run restore again.`);
}

function readPragma(db: DatabaseSync, name: 'application_id' | 'user_version'): number {
  return Number(db.prepare(`PRAGMA ${name}`).get()?.[name]);
}
