import type { Collection, Document } from 'mongodb';
import { Failure } from '../../core/failure.ts';
import type { ArchiveBatch, ArchiveKind, ArchiveReader, ArchiveWriter, Holding, KindProgress } from '../archive.ts';
import { CHECK_COUNTER } from '../archive.ts';
import { countDeclared } from '../tables/copied.ts';
import { isSettled, prepareArchive, settleArchive } from './archive-preparation.ts';
import { createArchiveReads } from './archive-reads.ts';
import { createArchiveWrites } from './archive-writes.ts';
import { connect } from './connect.ts';
import type { Connection } from './connection.ts';
import { COUNT_LIMIT, createTables } from './declared-table.ts';
import { tablesOf } from './table.ts';

const PARTS_OF_REPORTS = 'parts of reports';

export interface MongoArchive {
  readonly url: string;
  /** What people see of it. */
  readonly name: string;
}

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

/** How often a moment is looked for in which nothing is half done. */
const MOMENTS = 100;

/**
 * A database to be backed up while servers run: one moment of it. A lone server has no moments: there it is read as it
 * is, as for a copy, and `isOneMoment` is false.
 */
export async function openMongoMoment({
  url,
  name,
}: MongoArchive): Promise<{ readonly reader: ArchiveReader; readonly isOneMoment: boolean }> {
  const connection = await connect({ url, copies: 'from' });
  try {
    for (let moments = 0; moments < MOMENTS; moments += 1) {
      const snapshot = await connection.snapshot();
      if (snapshot === undefined) {
        await prepareArchive(connection);
        return { reader: readerOf(connection, name), isOneMoment: false };
      }
      if (await isSettled(snapshot)) {
        const close = (): Promise<void> => snapshot.close().finally(connection.close);
        return { reader: { ...readerOf(snapshot, name), close }, isOneMoment: true };
      }
      await snapshot.close();
      await settleArchive(connection);
    }
    throw new Failure('unavailable', 'The servers are too busy for a consistent backup: try again later.');
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** A database to be filled, made where it is missing, with its indexes. */
export async function openMongoWriter({ url, name }: MongoArchive): Promise<ArchiveWriter> {
  const connection = await connect({ url, copies: 'to' });
  const { notes } = tablesOf(connection);
  const writes = createArchiveWrites(connection);
  return {
    ...readerOf(connection, name),
    contents: () => readContents(connection),
    async findNote() {
      const note = await notes.one({ _id: 'copy' });
      const progress = Object.entries(note?.progress ?? {}).map(([kind, text]) => [kind, JSON.parse(text)]);
      const known: Readonly<Partial<Record<ArchiveKind, KindProgress>>> = Object.fromEntries(progress);
      return note && { from: note.from ?? '', progress: known };
    },
    begin: async (from) => {
      await connection.run(() => connection.collections.notes.insertOne({ _id: 'copy', from, progress: {} }));
    },
    async write<K extends ArchiveKind>({ kind, entries, progress }: ArchiveBatch<K>) {
      await writes[kind](entries);
      await notes.update({ _id: 'copy' }, { $set: { [`progress.${kind}`]: JSON.stringify(progress) } });
    },
    finish: async () => void (await notes.remove({ _id: 'copy' })),
  };
}

function readerOf(connection: Connection, name: string): ArchiveReader {
  const reads = createArchiveReads(connection);
  return { name, read: (kind, after) => reads[kind](after), close: () => connection.close() };
}

async function readContents(connection: Connection): Promise<readonly Holding[]> {
  const { collections, run } = connection;
  const { repos, builds, jobs, parts, sources, facts, deliveries, counters } = collections;
  const others = { builds, jobs, [PARTS_OF_REPORTS]: parts, sources, facts, deliveries, counters };
  const count = async ([what, collection]: readonly [string, unknown]): Promise<Holding> => {
    const filter = collection === counters ? { _id: { $ne: CHECK_COUNTER } } : {};
    const documents = collection as Collection<Document>;
    return { what, count: await run(() => documents.countDocuments(filter as object), COUNT_LIMIT) };
  };
  const ofOthers = Promise.all(Object.entries(others).map(count));
  const all = [await count(['repos', repos]), ...(await countDeclared(createTables(connection))), ...(await ofOthers)];
  return all.filter((holding) => holding.count > 0);
}
