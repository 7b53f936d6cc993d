import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { Failure } from '../../core/failure.ts';
import { toFailure } from './errors.ts';
import { markAsOwn, refuseForeignLog } from './log-mark.ts';
import { checkOwner } from './migrate.ts';

/** Where a backup holds the digest of each of its tables; one without it was cut off. */
const DIGEST_TABLE = 'backup_digests';

/** How long a read waits for another program's lock, in ms. */
const BUSY_TIMEOUT = 10_000;

/** The tables of a backup with their rows, in order of name. */
export type BackupContents = readonly { readonly table: string; readonly rows: number }[];

/**
 * Writes a backup of the database file `from`, which a server may use in the meantime, to a new file `to` that only its
 * owner can read: one moment of the database, compacted and verified. Throws a Failure, and leaves no file then.
 */
export function writeBackup(from: string, to: string): BackupContents {
  makeBackupFile(to);
  try {
    // Both together would look sound and hold what never was.
    if (existsSync(from)) refuseForeignLog(from);
    withDatabase(from, { readOnly: true }, (db) => {
      checkOwner(db, from);
      db.prepare('VACUUM INTO ?').run(to);
    });
    return finishBackup(to);
  } catch (error) {
    rmSync(to, { force: true });
    throw error;
  }
}

/** Makes a backup of a whole database that no one else knows: adds the digests, and verifies it. */
export function finishBackup(path: string): BackupContents {
  withDatabase(path, {}, (db) => {
    // One file alone, which can be read where nothing may be written.
    db.exec('PRAGMA journal_mode = DELETE');
    markAsOwn(db);
    // This write syncs the whole file: what VACUUM wrote is not.
    addDigests(db);
  });
  return verifyBackup(path);
}

/** Reads all of a backup. Throws a Failure when it is none, cut off, damaged, or of a newer version of this program. */
export function verifyBackup(path: string): BackupContents {
  return withDatabase(path, { readOnly: true }, (db) => {
    checkOwner(db, path);
    if (!tablesOf(db).includes(DIGEST_TABLE)) {
      throw new Failure('unavailable', `${path} is not a backup, or an incomplete one: it has no digests.`);
    }
    const damages = db
      .prepare('PRAGMA integrity_check(1)')
      .all()
      .map(({ integrity_check: found }) => found);
    if (damages.some((found) => found !== 'ok')) throw damaged(path);
    const noted = db.prepare(`SELECT name, digest, rows FROM ${DIGEST_TABLE} ORDER BY name`).all();
    const found = digestTables(db);
    if (JSON.stringify(noted) !== JSON.stringify(found)) throw damaged(path);
    return found.map(({ name, rows }) => ({ table: name, rows }));
  });
}

/** Makes a database of a copy of a backup. */
export function dropDigests(path: string): void {
  withDatabase(path, {}, (db) => db.exec(`DROP TABLE ${DIGEST_TABLE}`));
}

function addDigests(db: DatabaseSync): void {
  db.exec('BEGIN IMMEDIATE');
  const digests = digestTables(db);
  db.exec(`CREATE TABLE ${DIGEST_TABLE} (name TEXT PRIMARY KEY, digest TEXT NOT NULL, rows INTEGER NOT NULL) STRICT`);
  const add = db.prepare(`INSERT INTO ${DIGEST_TABLE} (name, digest, rows) VALUES (?, ?, ?)`);
  for (const { name, digest, rows } of digests) add.run(name, digest, rows);
  db.exec('COMMIT');
}

interface TableDigest {
  readonly name: string;
  /** Hex SHA-256 over every value, in the order in which the table is stored. */
  readonly digest: string;
  readonly rows: number;
}

/** SQLite's own check does not see a changed byte of a report. */
function digestTables(db: DatabaseSync): readonly TableDigest[] {
  const names = tablesOf(db).filter((name) => name !== DIGEST_TABLE);
  return names.map((name) => {
    const hash = createHash('sha256');
    let rows = 0;
    for (const row of db.prepare(`SELECT * FROM ${name}`).iterate()) {
      rows += 1;
      for (const value of Object.values(row)) {
        const bytes = value instanceof Uint8Array ? value : Buffer.from(String(value));
        hash.update(`${typeof value} ${bytes.length}\n`).update(bytes);
      }
    }
    return { name, digest: hash.digest('hex'), rows };
  });
}

function tablesOf(db: DatabaseSync): readonly string[] {
  const tables = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name";
  return db
    .prepare(tables)
    .all()
    .map(({ name }) => String(name));
}

/** Opens a file that is there for `work`. */
function withDatabase<T>(path: string, { readOnly = false }, work: (db: DatabaseSync) => T): T {
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(path, { readOnly, timeout: BUSY_TIMEOUT, enableForeignKeyConstraints: true });
    return work(db);
  } catch (error) {
    const failure = toFailure(error);
    if (!(failure instanceof Failure) || failure === error) throw failure;
    throw new Failure('unavailable', `${path}: ${failure.message}`, { cause: error });
  } finally {
    if (db?.isOpen) db.close();
  }
}

/** By us, so that nobody else can read it, and never over a file that is there. */
export function makeBackupFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    const reason = code === 'EEXIST' ? 'it is there already; name a new file' : String(code);
    throw new Failure('unavailable', `Cannot create the file ${path}: ${reason}.`, { cause });
  }
}

function damaged(path: string): Failure {
  return new Failure('unavailable', `${path} is damaged: it differs from what was backed up. Use another backup.`);
}
