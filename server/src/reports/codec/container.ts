import { crc32 } from 'node:zlib';
import { ByteReader, damage } from './byte-reader.ts';
import { ByteWriter } from './byte-writer.ts';
import { type ChunkEntry, compress, decompress, STREAM_NAMES } from './chunk-streams.ts';
import { type FileTable, unpackTable } from './file-table.ts';
import { frameRaw, MAX_RAW_BYTES } from './raw-frame.ts';
import {
  CHUNK_FILES,
  MAX_REPORT_BRANCHES,
  MAX_REPORT_LINES,
  MAX_TABLE_BYTES,
  MERGED_CHUNK_FILES,
} from './report-limits.ts';

/**
 * The stored form: `CVR`, a version byte, the checksum of the head (4 bytes), the head, the chunks. The head: plain and
 * packed length of the table of files and of the directory of chunks (varints), then both. What passes the checksums is
 * still checked.
 */
const MAGIC = [0x43, 0x56, 0x52];
const VERSION = 1;
/** For a merged report that is only merged further: its table says where its jobs differ (file-table.ts). */
const MERGED_VERSION = 3;
const HEAD_START = 8;

/** A number takes at most this much in a stream: a sign and eight bytes, three times (branch-columns.ts). */
const MAX_KEY_BYTES = 27;

/** Bytes of the table of files, and of the directory. */
export interface TableBound {
  readonly maxTable: number;
}

const ANY_TABLE: TableBound = { maxTable: MAX_TABLE_BYTES };

/** A report whose table is open and whose chunks are not. */
export interface OpenReport {
  readonly table: FileTable;
  /** Files of each chunk but the last. */
  readonly chunkFiles: number;
  /** The entry and the bytes of each chunk, in order. */
  readonly chunks: readonly { readonly entry: ChunkEntry; readonly bytes: Uint8Array }[];
}

/** What is put together to the stored form. */
export interface PackedParts {
  readonly table: Uint8Array;
  readonly entries: readonly ChunkEntry[];
  readonly chunks: Uint8Array;
  /** Whether the table says where jobs differ. */
  readonly merged?: boolean;
}

/** Puts the stored form together. */
export function packContainer({ table, entries, chunks, merged = false }: PackedParts): Uint8Array {
  const directory = packDirectory(entries);
  const packedTable = compress(table);
  const packedDirectory = packEntries(directory);
  const head = new ByteWriter(packedTable.length + packedDirectory.length + 40);
  for (const part of [table, packedTable, directory, packedDirectory]) head.writeVarint(part.length);
  head.writeBytes(packedTable);
  head.writeBytes(packedDirectory);
  const out = new ByteWriter(HEAD_START + head.length + chunks.length);
  out.writeBytes(Uint8Array.of(...MAGIC, merged ? MERGED_VERSION : VERSION));
  out.writeUint32(crc32(head.view()));
  out.writeBytes(head.view());
  out.writeBytes(chunks);
  return out.view();
}

/** As it is: most of a directory are checksums and other numbers that zstd finds nothing in. */
function packEntries(directory: Uint8Array): Uint8Array {
  return directory.length > MAX_RAW_BYTES ? compress(directory) : frameRaw(directory);
}

/** Reads everything but the chunks. Throws a Failure for what packContainer does not write, and beyond a bound. */
export function openContainer(bytes: Uint8Array, { maxTable }: TableBound = ANY_TABLE): OpenReport {
  const reader = new ByteReader(bytes, 'the head');
  if (!MAGIC.every((byte) => byte === reader.readByte())) throw damage('it does not begin as a report does');
  const version = reader.readByte();
  if (version !== VERSION && version !== MERGED_VERSION)
    throw damage(`its version is ${version}, and this program reads version ${VERSION}`);
  const checksum = reader.readUint32();
  const plainTable = reader.readVarint(maxTable);
  const packedTable = reader.readVarint(bytes.length);
  const plainDirectory = reader.readVarint(maxTable);
  const packedDirectory = reader.readVarint(bytes.length);
  const table = reader.readBytes(packedTable);
  const directory = reader.readBytes(packedDirectory);
  if (crc32(bytes.subarray(HEAD_START, reader.position)) !== checksum)
    throw damage('the checksum of its head does not fit');
  const files = unpackTable(decompress(table, plainTable), version === MERGED_VERSION);
  const chunkFiles = version === MERGED_VERSION ? MERGED_CHUNK_FILES : CHUNK_FILES;
  const entries = unpackDirectory(decompress(directory, plainDirectory), files, chunkFiles);
  const chunks = entries.map((entry) => ({ entry, bytes: reader.readBytes(sum(entry.packed)) }));
  reader.expectEnd();
  return { table: files, chunkFiles, chunks };
}

function packDirectory(entries: readonly ChunkEntry[]): Uint8Array {
  const out = new ByteWriter(entries.length * 32 + 1);
  for (const entry of entries) {
    out.writeUint32(entry.checksum);
    for (const length of entry.plain) out.writeVarint(length);
    for (const length of entry.packed) out.writeVarint(length);
  }
  return out.view();
}

function unpackDirectory(bytes: Uint8Array, files: FileTable, chunkFiles: number): ChunkEntry[] {
  const reader = new ByteReader(bytes, 'the directory of chunks');
  const entries = Array.from({ length: Math.ceil(files.count / chunkFiles) }, (_, index) => {
    const range = [index * chunkFiles, Math.min(files.count, (index + 1) * chunkFiles)] as const;
    const limits = streamLimits(sum(files.lines, ...range), sum(files.branches, ...range));
    return {
      checksum: reader.readUint32(),
      plain: limits.map((limit) => reader.readVarint(limit)),
      packed: STREAM_NAMES.map(() => reader.readVarint(MAX_REPORT_LINES * 8)),
    };
  });
  reader.expectEnd();
  return entries;
}

/** The most bytes that this many lines and branches can take in each stream: more is never unpacked. */
function streamLimits(lines: number, branches: number): number[] {
  const values = lines + branches;
  return [
    lines,
    values,
    branches,
    Math.min(8 * values + MAX_KEY_BYTES * branches, 8 * (MAX_REPORT_LINES + MAX_REPORT_BRANCHES)),
  ];
}

function sum(values: ArrayLike<number>, start = 0, end = values.length): number {
  let all = 0;
  for (let index = start; index < end; index += 1) all += values[index] as number;
  return all;
}
