import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { Failure } from '../../core/failure.ts';
import type { OnUpgrade } from '../store-inspection.ts';
import { type Checkpoints, LOG_PAGES, MAX_LOG_PAGES, startCheckpoints } from './checkpoints.ts';
import { toFailure } from './errors.ts';
import { createLogMarks, refuseForeignLog } from './log-mark.ts';
import { checkOwner, migrate, refuseHalfCopied, refuseHalfRestored } from './migrate.ts';
import { backUpBeforeUpgrade, type UpgradeOptions } from './upgrade-backup.ts';

/** One open database. Everything the adapter does to it goes through here, so that every error is translated. */
export interface Connection {
  /** Prepares a statement once, at start. */
  prepare(sql: string): StatementSync;
  /** Every SQL text that was prepared. */
  readonly prepared: ReadonlySet<string>;
  /** Runs statements that only read. */
  read<T>(work: () => T): T;
  /**
   * Runs `work` in one transaction that holds the write lock from its start; whatever it throws, nothing of it stays.
   */
  write<T>(work: () => T): T;
  /** At once if no checkpoints are made apart. Idempotent. */
  close(): Promise<void>;
}

export interface ConnectionOptions {
  /** A file's path, or `:memory:`. */
  readonly path: string;
  /** How long a statement waits for another program's lock, in milliseconds; it blocks the process in the meantime. */
  readonly busyTimeout: number;
  /** For a server: the log is brought into the file by a thread. */
  readonly checkpointsApart?: boolean;
  /** For copy-store: it has the file to itself, and may open a half-copied one to continue it. */
  readonly copies?: 'from' | 'to';
  readonly upgrade?: UpgradeOptions | undefined;
  readonly onUpgrade?: OnUpgrade | undefined;
}

/** The path of a database that is in no file. */
export const MEMORY = ':memory:';

/**
 * Opens the database, makes it where it is missing and brings its schema up to date. Throws a Failure that says what to
 * do.
 */
export function connect(options: ConnectionOptions): Connection {
  const { path, busyTimeout, copies, checkpointsApart = false, upgrade, onUpgrade } = options;
  let db: DatabaseSync | undefined;
  try {
    if (path !== MEMORY) {
      makeFile(path);
      refuseHalfRestored(path);
      refuseForeignLog(path);
      backUpBeforeUpgrade(path, upgrade);
    }
    db = new DatabaseSync(path, { timeout: busyTimeout, enableForeignKeyConstraints: true });
    // Before the file is touched: then it is refused while any other process has it open, idle ones too, and none can
    // open it later.
    if (copies !== undefined) db.exec('PRAGMA locking_mode = EXCLUSIVE');
    prepareFile(db, path, onUpgrade);
    if (copies !== 'to') refuseHalfCopied(db, path);
    return wrap(db, path, checkpointsApart ? checkpointApart(db, path) : undefined);
  } catch (error) {
    if (db?.isOpen) db.close();
    const failure = toFailure(error);
    if (!(failure instanceof Failure) || failure === error) throw failure;
    throw new Failure('unavailable', `Cannot open ${path}: ${failure.message}`, { cause: error });
  }
}

/**
 * Made by us before SQLite does, because it holds source texts and sealed tokens: no other user may read it or its WAL.
 */
export function makeFile(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    closeSync(openSync(path, 'a', 0o600));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Failure('unavailable', `Cannot open or create the database file ${path}: ${reason}.`, { cause: error });
  }
}

function prepareFile(db: DatabaseSync, path: string, onUpgrade: OnUpgrade | undefined): void {
  // Only a file without a table takes it. An accept changes eleven pages beside its report's: with 8 KiB each it
  // writes about 290 KB for a report of 200 KB, with 16 KiB 394 KB: 2.2 ms instead of 2.9 on a busy machine.
  db.exec('PRAGMA page_size = 8192');
  // Before anything is written: a foreign file must stay as it is.
  checkOwner(db, path);
  const { journal_mode: mode } = db.prepare('PRAGMA journal_mode = WAL').get() as { journal_mode: string };
  if (mode !== 'wal' && path !== MEMORY) {
    throw new Failure('unavailable', `${path} cannot use a write-ahead log (${mode}); put it on a local disk.`);
  }
  // FULL: with NORMAL a power cut takes back jobs that were answered 200. The limit gives the disk back after a burst.
  db.exec('PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 67108864; PRAGMA trusted_schema = OFF');
  migrate(db, path, onUpgrade);
}

function checkpointApart(db: DatabaseSync, path: string): Checkpoints {
  const leaveToWriter = (pages: number): void => {
    if (db.isOpen) db.exec(`PRAGMA wal_autocheckpoint = ${pages}`);
  };
  leaveToWriter(MAX_LOG_PAGES);
  return startCheckpoints(path, () => leaveToWriter(LOG_PAGES));
}

function wrap(db: DatabaseSync, path: string, checkpoints?: Checkpoints): Connection {
  const marks = path === MEMORY ? undefined : createLogMarks(db, path);
  const prepared = new Set<string>();
  const prepare = (sql: string): StatementSync => {
    prepared.add(sql);
    return db.prepare(sql);
  };
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');
  const rollback = db.prepare('ROLLBACK');
  const read = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw toFailure(error);
    }
  };
  const write = <T>(work: () => T): T =>
    read(() => {
      const isNewLog = marks?.isDue() === true;
      begin.run();
      try {
        const value = work();
        if (isNewLog) marks?.put();
        commit.run();
        marks?.keep();
        checkpoints?.note(marks?.pages() ?? 0);
        return value;
      } catch (error) {
        // SQLite has rolled back by itself after some errors (a full disk).
        if (db.isOpen && db.isTransaction) rollback.run();
        throw error;
      }
    });
  const close = async (): Promise<void> => {
    // The last connection that is closed takes the log away: that is to be this one.
    if (checkpoints !== undefined) await checkpoints.close();
    marks?.close();
    if (db.isOpen) db.close();
  };
  return { prepare, prepared, read, write, close };
}
