import type { Collection, Document, Filter } from 'mongodb';
import {
  type ArchiveBatch,
  type ArchiveKind,
  type ArchiveReader,
  type ArchiveWriter,
  CHECK_COUNTER,
  type CopyNote,
  type Holding,
  type KindProgress,
} from '../archive.ts';
import { prepareArchive } from './archive-preparation.ts';
import { createArchiveReads } from './archive-reads.ts';
import { createArchiveWrites } from './archive-writes.ts';
import { connect } from './connect.ts';
import type { Connection } from './connection.ts';

export interface MongoArchive {
  readonly url: string;
  /** What people see of it. */
  readonly name: string;
}

/** Counting a large collection takes long, in ms. */
const COUNT_LIMIT = 10 * 60_000;

/** A database to be copied. Throws a Failure when it is not there, half copied itself, or a server works on it. */
export async function openMongoReader({ url, name }: MongoArchive): Promise<ArchiveReader> {
  const connection = await connect({ url, copies: 'from' });
  try {
    await prepareArchive(connection);
    return readerOf(connection, name);
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** A database to be filled, made where it is missing, with its indexes. */
export async function openMongoWriter({ url, name }: MongoArchive): Promise<ArchiveWriter> {
  const connection = await connect({ url, copies: 'to' });
  const { collections, run } = connection;
  const { notes } = collections;
  const writes = createArchiveWrites(connection);
  return {
    ...readerOf(connection, name),
    contents: () => readContents(connection),
    findNote: () => readNote(connection),
    begin: async (from) => {
      await run(() => notes.insertOne({ _id: 'copy', from, progress: {} }));
    },
    async write<K extends ArchiveKind>({ kind, entries, progress }: ArchiveBatch<K>) {
      await writes[kind](entries);
      await run(() => notes.updateOne({ _id: 'copy' }, { $set: { [`progress.${kind}`]: JSON.stringify(progress) } }));
    },
    finish: async () => {
      await run(() => notes.deleteOne({ _id: 'copy' }));
    },
  };
}

function readerOf(connection: Connection, name: string): ArchiveReader {
  const reads = createArchiveReads(connection);
  return { name, read: (kind, after) => reads[kind](after), close: () => connection.close() };
}

async function readContents({ collections, run }: Connection): Promise<readonly Holding[]> {
  const { repos, personalTokens, builds, jobs, parts, sources, facts, deliveries, counters } = collections;
  const count = async <T extends Document>(
    what: string,
    collection: Collection<T>,
    filter: Filter<T> = {},
  ): Promise<Holding> => ({
    what,
    count: await run(() => collection.countDocuments(filter), COUNT_LIMIT),
  });
  const all = await Promise.all([
    count('repos', repos),
    count('personal tokens', personalTokens),
    count('builds', builds),
    count('jobs', jobs),
    count('parts of reports', parts),
    count('sources', sources),
    count('facts', facts),
    count('deliveries', deliveries),
    count('counters', counters, { _id: { $ne: CHECK_COUNTER } }),
  ]);
  return all.filter((holding) => holding.count > 0);
}

async function readNote({ collections: { notes }, run }: Connection): Promise<CopyNote | undefined> {
  const note = await run(() => notes.findOne({ _id: 'copy' }));
  if (note === null) return undefined;
  const progress = Object.entries(note.progress ?? {}).map(([kind, text]) => [kind, JSON.parse(text) as KindProgress]);
  return { from: note.from ?? '', progress: Object.fromEntries(progress) };
}
