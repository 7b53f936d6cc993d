import { randomUUID } from 'node:crypto';
import { Binary } from 'mongodb';
import { Failure } from '../../core/failure.ts';
import { notStored } from '../sentences.ts';
import { chunksOf } from './chunks.ts';
import type { Connection } from './connection.ts';
import type { PartDocument, StoredBytes } from './documents.ts';
import { createGroupedInserts } from './grouped-inserts.ts';
import { assign } from './server-time.ts';

/** A part leaves room in the 16 MB of a document, and of the command that writes it. */
const PART_BYTES = 8 * 1_048_576;

/** Bytes that one command reads; more would be fetched in pieces of 16 MB anyway. */
const READ_AT_ONCE = PART_BYTES;

/** Large reports take longer than other operations, in ms. */
export const BYTES_LIMIT = 60_000;

/** Encoded reports, in as many documents as they need. */
export interface ReportParts {
  /** Their documents, under the name that `nameBytes` gave them. */
  documentsOf(bytes: Uint8Array, place: Place, stored: StoredBytes): readonly PartDocument[];
  /** Writes documents that nobody wrote before. */
  add(documents: readonly PartDocument[]): Promise<void>;
  /** Writes them whether they were written before or not: then they are as if just written, by the server's clock. */
  write(bytes: Uint8Array, place: Place, stored: StoredBytes): Promise<void>;
  /** Throws a Failure when a part is missing. */
  read(stored: StoredBytes, what: string): Promise<Uint8Array>;
  /** Several, in their order, in few commands. */
  readAll(all: readonly { readonly stored: StoredBytes; readonly what: string }[]): Promise<readonly Uint8Array[]>;
  remove(stored: StoredBytes): Promise<void>;
}

type Place = Pick<PartDocument, 'repoId' | 'owner'>;

/** Binds the parts of one database. */
export function createReportParts(connection: Connection): ReportParts {
  const { run, serverTime } = connection;
  const { parts } = connection.collections;
  const weigh = ({ bytes }: PartDocument): number => bytes.position;
  const insert = createGroupedInserts(connection, parts, { weigh, limit: BYTES_LIMIT });
  const readParts = async (all: Parameters<ReportParts['readAll']>[0]): Promise<readonly Uint8Array[]> => {
    const ids = all.flatMap(({ stored }) => partIds(stored));
    const projection = { projection: { bytes: 1 } };
    const found = await run(() => parts.find({ _id: { $in: ids } }, projection).toArray(), BYTES_LIMIT);
    const byId = new Map(found.map((part) => [part._id, part.bytes]));
    return all.map(({ stored, what }) => {
      const pieces = partIds(stored).flatMap((id) => byId.get(id) ?? []);
      if (pieces.length < stored.parts) throw new Failure('not-found', notStored(what));
      return joinBytes(pieces);
    });
  };
  return {
    documentsOf(bytes, place, { id }) {
      const writtenAt = connection.guessTime();
      return splitBytes(bytes).map((piece, index) => ({ _id: `${id}/${index}`, ...place, bytes: piece, writtenAt }));
    },
    async add(documents) {
      for (const document of documents) await insert(document);
    },
    async write(bytes, { repoId, owner }, stored) {
      for (const [index, piece] of splitBytes(bytes).entries()) {
        // The time is the server's: the sweep compares it with the same clock.
        const stages = [assign({ repoId, owner, bytes: piece }), { $set: { writtenAt: serverTime() } }];
        await run(() => parts.updateOne({ _id: `${stored.id}/${index}` }, stages, { upsert: true }), BYTES_LIMIT);
      }
    },
    read: async (stored, what) => readParts([{ stored, what }]).then(([bytes]) => bytes as Uint8Array),
    async readAll(all) {
      const groups = [...chunksOf(all, READ_AT_ONCE, ({ stored }) => stored.size ?? stored.parts * PART_BYTES)];
      return (await Promise.all(groups.map(readParts))).flat();
    },
    remove: async (stored) => {
      await run(() => parts.deleteMany({ _id: { $in: partIds(stored) } }));
    },
  };
}

/** A name that no other bytes have, and how many parts they take: at least one, even when empty. */
export function nameBytes(bytes: Uint8Array, id: string = randomUUID()): StoredBytes {
  return { id, parts: countParts(bytes), size: bytes.length };
}

/** The parts, in order. */
export function splitBytes(bytes: Uint8Array): readonly Binary[] {
  const count = countParts(bytes);
  return Array.from({ length: count }, (_, n) => new Binary(bytes.subarray(n * PART_BYTES, (n + 1) * PART_BYTES)));
}

/** One plain array; a single piece is not copied. */
export function joinBytes(pieces: readonly Binary[]): Uint8Array {
  const arrays = pieces.map(({ buffer, position }) => new Uint8Array(buffer.buffer, buffer.byteOffset, position));
  const [only] = arrays;
  if (only !== undefined && arrays.length === 1) return only;
  const joined = new Uint8Array(arrays.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const array of arrays) {
    joined.set(array, offset);
    offset += array.length;
  }
  return joined;
}

/** The ids of the documents that hold some bytes. */
export function partIds({ id, parts }: StoredBytes): readonly string[] {
  return Array.from({ length: parts }, (_, n) => `${id}/${n}`);
}

function countParts(bytes: Uint8Array): number {
  return Math.max(1, Math.ceil(bytes.length / PART_BYTES));
}
