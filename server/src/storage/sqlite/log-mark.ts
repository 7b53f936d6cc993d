import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, openSync, realpathSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { Failure } from '../../core/failure.ts';
import { readFrames, readSalts } from './log-file.ts';

/**
 * How it is known that a database file and the write-ahead log beside it belong together. Whenever the log begins
 * again, a mark with a new id is written into it, which names the ids that the file itself may hold in the meantime.
 */
interface Mark {
  readonly id: string;
  /** Ids that the file may hold while this mark is in the log alone; null: no mark at all. */
  readonly after: readonly (string | null)[];
}

/** Puts the marks into the log of one connection. */
export interface LogMarks {
  /** Whether the log will begin again with the next transaction: to be asked before it. */
  isDue(): boolean;
  /** Pages that were in the log and not in the file when that was asked. */
  pages(): number;
  /** Within that transaction. */
  put(): void;
  /** To be called after each transaction: another process may have made the log begin again. */
  keep(): void;
  /** Idempotent. */
  close(): void;
}

/** What the text of a mark begins with, in its row and so in its page. */
const BEGINNING = 'coverage-log ';
/** A row of a small table: bytes from its start to its first text, at most. */
const ROW_HEADER = 8;
/** The type of a page with rows of a table. */
const LEAF = 0x0d;

export function createLogMarks(db: DatabaseSync, databasePath: string): LogMarks {
  const path = realpathSync(databasePath);
  let file: number | undefined;
  /** The log that has a mark. */
  let marked = '';
  let hasPut = false;
  let pages = 0;
  const progress = db.prepare('PRAGMA wal_checkpoint(NOOP)');
  return {
    isDue() {
      hasPut = false;
      const { log, checkpointed } = progress.get() ?? {};
      pages = Number(log ?? 0) - Number(checkpointed ?? 0);
      return log === checkpointed;
    },
    pages: () => pages,
    put() {
      writeMark(db, path);
      hasPut = true;
    },
    keep() {
      if (file === undefined && !existsSync(logOf(path))) return;
      file ??= openSync(logOf(path), 'r');
      const salts = readSalts(file);
      const isMarked = salts === marked || hasPut;
      hasPut = false;
      try {
        if (!isMarked) addMark(db, path);
        marked = salts;
      } catch {
        // What was written is stored anyway. The next write tries again.
        if (db.isTransaction) db.exec('ROLLBACK');
      }
    },
    close() {
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
}

function addMark(db: DatabaseSync, path: string): void {
  db.exec('BEGIN IMMEDIATE');
  writeMark(db, path);
  db.exec('COMMIT');
}

/** What the file holds is asked: until the log was copied into it, it may be an id before the last one. */
function writeMark(db: DatabaseSync, path: string): void {
  const last = readMark(db);
  const lastId = last?.id ?? null;
  const earlier = readIdOfFile(path) === lastId ? [] : (last?.after ?? []);
  putMark(db, { id: randomUUID(), after: [...earlier, lastId] });
}

/** A copy of a database becomes one of its own: no log of the other continues it. */
export function markAsOwn(db: DatabaseSync): void {
  if (hasMarks(db)) putMark(db, { id: randomUUID(), after: [] });
}

/** Throws a Failure if the log beside a database file continues another file, or another state of this one. */
export function refuseForeignLog(databasePath: string): void {
  const path = realpathSync(databasePath);
  for (;;) {
    const log = findMark(logOf(path));
    if (log === undefined) return;
    const id = readIdOfFile(path);
    if (id === undefined || id === log.id || log.after.includes(id)) return;
    // Somebody else may have written in the meantime: then the log has another mark by now.
    if (findMark(logOf(path))?.id === log.id) throw new Failure('unavailable', foreignSentence(databasePath));
  }
}

function foreignSentence(path: string): string {
  return (
    `${path} and ${path}-wal do not belong together: the log belongs to another database, or to another state of ` +
    'this one, for example because a copy replaced the file. Nothing was changed. Run npm run restore -- --from ' +
    '<backup>, ' +
    `which moves both aside. If ${path} is complete by itself, move ${path}-wal away instead.`
  );
}

const logOf = (path: string): string => `${path}-wal`;

/** The last mark that was committed to a log. */
function findMark(log: string): Mark | undefined {
  let [committed, last]: (Mark | undefined)[] = [];
  for (const { page, isCommit } of readFrames(log)) {
    last = markOfPage(page) ?? last;
    if (isCommit) committed = last;
  }
  return committed;
}

/** The one row of a page. If another table has one row, its first column that is stored is no text of ours. */
function markOfPage(page: Buffer): Mark | undefined {
  if (page[0] !== LEAF || page.readUInt16BE(3) !== 1) return undefined;
  const row = page.readUInt16BE(8);
  const at = page.subarray(row, row + ROW_HEADER + BEGINNING.length).indexOf(BEGINNING);
  if (at === -1) return undefined;
  const end = page.indexOf('}', row + at) + 1;
  return parseMark(page.toString('latin1', row + at, end));
}

/** The id of the file without its log; null: it has none; undefined: that cannot be told. */
function readIdOfFile(path: string): string | null | undefined {
  const url = pathToFileURL(path);
  url.searchParams.set('immutable', '1');
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(url, { readOnly: true });
    return hasMarks(db) ? (readMark(db)?.id ?? null) : null;
  } catch {
    // A checkpoint was cut off, or it is no database: the next to open it with its log finds out.
    return undefined;
  } finally {
    if (db?.isOpen) db.close();
  }
}

function hasMarks(db: DatabaseSync): boolean {
  return db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'log_mark'").get() !== undefined;
}

/** Undefined: no mark was ever made. */
function readMark(db: DatabaseSync): Mark | undefined {
  const text = db.prepare('SELECT mark FROM log_mark').get()?.mark;
  return text === undefined ? undefined : parseMark(String(text));
}

function putMark(db: DatabaseSync, mark: Mark): void {
  const put = db.prepare('INSERT OR REPLACE INTO log_mark (id, mark) VALUES (1, ?)');
  put.run(BEGINNING + JSON.stringify(mark));
}

/** Throws if it is none. */
function parseMark(text: string): Mark {
  return JSON.parse(text.slice(BEGINNING.length)) as Mark;
}
