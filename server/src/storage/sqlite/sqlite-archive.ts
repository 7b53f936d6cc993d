import { existsSync } from 'node:fs';
import { Failure } from '../../core/failure.ts';
import {
  type ArchiveReader,
  type ArchiveWriter,
  CHECK_COUNTER,
  type CopyNote,
  type Holding,
  type KindProgress,
} from '../archive.ts';
import { countDeclared } from '../tables/copied.ts';
import { createArchiveReads } from './archive-reads.ts';
import { createArchiveWrites } from './archive-writes.ts';
import { type Connection, connect } from './connection.ts';
import { isLocked } from './errors.ts';
import { COPY_TABLE } from './migrate.ts';
import { IMPORTING } from './repo-rows.ts';
import { createTables } from './table.ts';

export interface SqliteArchive {
  readonly path: string;
  /** What people see of it. */
  readonly name: string;
}

/** How long another program may still hold the file, in milliseconds. */
const BUSY_TIMEOUT = 2_000;

/**
 * A file to be copied, which no other process can open until it is closed. Throws a Failure when it is not there, or
 * open elsewhere.
 */
export function openSqliteReader({ path, name }: SqliteArchive): ArchiveReader {
  if (!existsSync(path))
    throw new Failure('not-found', `There is no file ${path} to copy: check the URL after --from.`);
  const connection = connectAlone(path, 'from');
  // The file is this process's alone: an import that is in it was cut off.
  connection.write(() => void connection.prepare(`DELETE FROM repos WHERE service = '${IMPORTING}'`).run());
  return readerOf(connection, name);
}

/** A file to be filled, made where it is missing, which no other process can open until it is closed. */
export function openSqliteWriter({ path, name }: SqliteArchive): ArchiveWriter {
  const connection = connectAlone(path, 'to');
  const { prepare, read, write } = connection;
  const writes = createArchiveWrites(connection);
  const isMarked = prepare('SELECT 1 FROM sqlite_schema WHERE name = ?');
  return {
    ...readerOf(connection, name),
    contents: () => readContents(connection),
    findNote: async () => read(() => (isMarked.get(COPY_TABLE) === undefined ? undefined : readNote(connection))),
    begin: async (from) =>
      write(() => {
        prepare(`CREATE TABLE ${COPY_TABLE} (part TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT`).run();
        prepare(`INSERT INTO ${COPY_TABLE} (part, value) VALUES ('from', ?)`).run(from);
      }),
    write: async ({ kind, entries, progress }) =>
      write(() => {
        for (const entry of entries) writes[kind](entry);
        prepare(`INSERT OR REPLACE INTO ${COPY_TABLE} (part, value) VALUES (?, ?)`).run(kind, JSON.stringify(progress));
      }),
    finish: async () => write(() => void prepare(`DROP TABLE ${COPY_TABLE}`).run()),
  };
}

function readerOf(connection: Connection, name: string): ArchiveReader {
  const reads = createArchiveReads(connection);
  return { name, read: (kind, after) => reads[kind](after), close: async () => connection.close() };
}

function connectAlone(path: string, copies: 'from' | 'to'): Connection {
  try {
    return connect({ path, busyTimeout: BUSY_TIMEOUT, copies });
  } catch (error) {
    const cause = error instanceof Failure ? error.cause : undefined;
    if (!isLocked(cause)) throw error;
    throw new Failure('unavailable', `${path} is open in another process: stop the server, then run this again.`, {
      cause,
    });
  }
}

/** What is not declared (tables/), with what a row of each is. */
const TABLES = ['builds', 'jobs', 'sources', 'facts', 'deliveries', 'counters'] as const;

async function readContents(connection: Connection): Promise<readonly Holding[]> {
  const count = (table: string): number =>
    connection.read(() => Number(connection.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n));
  const ofCounters = `counters WHERE name <> '${CHECK_COUNTER}'`;
  const all = [
    { what: 'repos', count: count('repos') },
    ...(await countDeclared(createTables(connection))),
    ...TABLES.map((what) => ({ what, count: count(what === 'counters' ? ofCounters : what) })),
  ];
  return all.filter((holding) => holding.count > 0);
}

function readNote({ prepare }: Connection): CopyNote {
  const rows = prepare(`SELECT part, value FROM ${COPY_TABLE}`).all();
  const values = new Map(rows.map(({ part, value }) => [String(part), String(value)]));
  const from = values.get('from') ?? '';
  values.delete('from');
  const progress = [...values].map(([kind, value]) => [kind, JSON.parse(value) as KindProgress]);
  return { from, progress: Object.fromEntries(progress) };
}
