import { constants, crc32 } from 'node:zlib';
import { ByteReader, damage } from './byte-reader.ts';
import { ByteWriter } from './byte-writer.ts';
import { frameRaw, openRaw } from './raw-frame.ts';
import { createCompressor, readFrame } from './zstd.ts';

/** Bytes of up to 64 files, apart by what they mean, in this order in the stored form. */
export const STREAM_NAMES = ['runs', 'values', 'keys', 'large'] as const;

export type StreamName = (typeof STREAM_NAMES)[number];
export type StreamWriters = Readonly<Record<StreamName, ByteWriter>>;
export type StreamReaders = Readonly<Record<StreamName, ByteReader>>;

/** zstd's level 3: the size of gzip 6 at eight times its speed. */
const compressTable = createCompressor({ [constants.ZSTD_c_compressionLevel]: 3 });

/**
 * Streams of numbers: level 1 and no match below 7 bytes. What repeats in them for less is chance, which costs more
 * bits than Huffman's code of the numbers: a report of 5,000 files takes 2 % less than at level 3.
 */
const compressNumbers = createCompressor({ [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_minMatch]: 7 });

/** Fewer bytes are stored as they are. */
const MIN_COMPRESSED = 128;
/** The same of large numbers, which zstd hardly makes shorter: a quarter of all frames is spared. */
const MIN_COMPRESSED_LARGE = 1_024;

/** Where one chunk's bytes are, and how long each stream is without and with compression (0: the stream is empty). */
export interface ChunkEntry {
  readonly checksum: number;
  readonly plain: readonly number[];
  readonly packed: readonly number[];
}

/** `bytes`: how many each has room for at first. */
export function createStreams(bytes = 65_536): StreamWriters {
  return {
    runs: new ByteWriter(bytes),
    values: new ByteWriter(bytes),
    keys: new ByteWriter(bytes),
    large: new ByteWriter(bytes),
  };
}

/** Compresses the streams behind `out` and answers their entry. */
export function packStreams(streams: StreamWriters, out: ByteWriter): ChunkEntry {
  const start = out.length;
  const plain = STREAM_NAMES.map((name) => streams[name].length);
  const packed = STREAM_NAMES.map((name) => {
    if (streams[name].length === 0) return 0;
    const bytes = compressStream(streams[name].view(), name);
    out.writeBytes(bytes);
    return bytes.length;
  });
  return { checksum: crc32(out.view().subarray(start)), plain, packed };
}

/** The inverse of packStreams, over the bytes of one chunk. */
export function unpackStreams(entry: ChunkEntry, bytes: Uint8Array): StreamReaders {
  if (crc32(bytes) !== entry.checksum) throw damage('the checksum of a chunk of files does not fit');
  let at = 0;
  const readers = STREAM_NAMES.map((name, index) => {
    const packed = entry.packed[index] as number;
    const plain = entry.plain[index] as number;
    const reader = readStream(name, decompress(bytes.subarray(at, at + packed), plain));
    at += packed;
    return reader;
  });
  return { runs: readers[0], values: readers[1], keys: readers[2], large: readers[3] } as StreamReaders;
}

export function readStream(name: StreamName, bytes: Uint8Array): ByteReader {
  return new ByteReader(bytes, `the stream of ${name}`);
}

function compressStream(bytes: Uint8Array, name: StreamName): Uint8Array {
  const min = name === 'large' ? MIN_COMPRESSED_LARGE : MIN_COMPRESSED;
  return bytes.length < min ? frameRaw(bytes) : compressNumbers(bytes);
}

/** zstd at level 3. */
export function compress(bytes: Uint8Array): Uint8Array {
  return bytes.length < MIN_COMPRESSED ? frameRaw(bytes) : compressTable(bytes);
}

/** The inverse of compress; a Failure unless exactly `length` bytes come out. */
export function decompress(bytes: Uint8Array, length: number): Uint8Array {
  if (length === 0) return new Uint8Array(0);
  const raw = openRaw(bytes, length);
  if (raw !== undefined) return raw;
  let plain: Uint8Array;
  try {
    plain = readFrame(bytes, length);
  } catch (cause) {
    throw damage('its compressed bytes cannot be read', cause);
  }
  if (plain.length !== length) throw damage(`${plain.length} bytes came out where ${length} were declared`);
  return plain;
}
