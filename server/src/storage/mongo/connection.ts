import type { Db, Document, MongoClient } from 'mongodb';
import { Failure } from '../../core/failure.ts';
import { STORE_CLOSED } from '../sentences.ts';
import { DECLARED, type DeclaredName } from '../tables/all.ts';
import { type BulkWrites, createBulkWrites, type OnWarning } from './bulk-writes.ts';
import type { Collections } from './documents.ts';
import { TimeLimitExceeded, toFailure } from './errors.ts';
import type { ServerTime } from './server-time.ts';
import { openSnapshot } from './snapshot.ts';

/**
 * One open database. Everything the adapter does to it goes through `run`, so that every error is translated and every
 * wait ends.
 */
export interface Connection {
  readonly collections: Collections;
  /** Known once the clock was read. */
  readonly bulkWrites: BulkWrites;
  /** Names of all that there are, others' too. */
  listCollections(): Promise<readonly string[]>;
  readonly serverTime: ServerTime;
  /**
   * For what is written plainly: this process's clock, set by what the server's said last. It may be off, so what holds
   * by it is compared with the server's own before anything depends on it.
   */
  guessTime(): Date;
  /** The server's clock, ms since 1970. */
  readClock(): Promise<number>;
  /** Bytes that it takes on its disks, as the driver names them. */
  readSize(): Promise<{ readonly storageSize: number; readonly indexSize: number }>;
  /** Runs operations within a time limit in ms; throws Failures if an operator or time can fix it. */
  run<T>(work: () => Promise<T>, limit?: number): Promise<T>;
  /**
   * The same database as of one moment, to be read only; closing it leaves this connection open. Undefined: a lone
   * server has no snapshots.
   */
  snapshot(): Promise<Connection | undefined>;
  /** Is called with every command that is sent, where the client's option `monitorCommands` is set. */
  onCommand(listener: (command: Document) => void): void;
  /** Idempotent. */
  close(): Promise<void>;
}

/** An election and a second try fit into this, in ms. */
export const TIME_LIMIT = 15_000;

/** What is not declared (tables/) has a name of its own here. */
export const COLLECTION_NAMES: Readonly<Record<keyof Collections, string>> = {
  ...(Object.fromEntries(DECLARED.map(({ name }) => [name, name])) as Record<DeclaredName, string>),
  notes: 'notes',
  counters: 'counters',
  repos: 'repos',
  builds: 'builds',
  jobs: 'jobs',
  parts: 'report_parts',
  sources: 'sources',
  deliveries: 'deliveries',
  providerSources: 'provider_sources',
  mergedReports: 'merged_reports',
  unverifiedUsage: 'unverified_usage',
};

function collectionsOf(db: Pick<Db, 'collection'>): Collections {
  const all = Object.entries(COLLECTION_NAMES).map(([key, name]) => [key, db.collection(name)]);
  return Object.fromEntries(all) as Collections;
}

/** The connection of a client that may not be connected yet. */
export function wrapClient(
  client: Pick<MongoClient, 'on' | 'close'>,
  db: Db,
  { serverTime, onWarning = () => undefined }: { readonly serverTime: ServerTime; readonly onWarning?: OnWarning },
): Connection {
  let closing: Promise<void> | undefined;
  /** Milliseconds that the server's clock is ahead. */
  let ahead = 0;
  const bulkWrites = createBulkWrites(db, onWarning);
  const connection: Connection = {
    collections: collectionsOf(db),
    bulkWrites,
    listCollections: async () => (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name),
    serverTime,
    guessTime() {
      const time = serverTime();
      return typeof time === 'string' ? new Date(Date.now() + ahead) : time.$literal;
    },
    async readClock() {
      const hello = await db.command({ hello: 1 });
      bulkWrites.learn(hello);
      const now = (hello.localTime as Date).getTime();
      ahead = now - Date.now();
      return now;
    },
    async readSize() {
      const { storageSize, indexSize } = await db.command({ dbStats: 1 });
      return { storageSize, indexSize };
    },
    async run(work, limit = TIME_LIMIT) {
      if (closing !== undefined) throw new Failure('unavailable', STORE_CLOSED);
      try {
        return await within(limit, work());
      } catch (error) {
        throw toFailure(error);
      }
    },
    async snapshot() {
      const found = await connection.run(() => openSnapshot(db));
      return found && { ...connection, collections: collectionsOf(found.db), close: found.end };
    },
    onCommand: (listener) => void client.on('commandStarted', ({ command }) => listener(command)),
    close: () => (closing ??= client.close()),
  };
  return connection;
}

/** The driver's own limits end a lost connection; this one ends what a server that runs never answers. */
async function within<T>(limit: number, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new TimeLimitExceeded(limit)), limit);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
    work.catch(() => undefined);
  }
}
