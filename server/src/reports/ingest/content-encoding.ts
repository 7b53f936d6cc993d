import { gunzipSync, inflateRawSync, inflateSync, zstdDecompressSync } from 'node:zlib';
import { quoteValue } from '../../core/failure.ts';
import { counted } from '../../core/sentences.ts';
import { invalid, tooLarge } from './refusals.ts';

type Unpack = (bytes: Uint8Array, options: { maxOutputLength: number; chunkSize: number }) => Uint8Array;

const UNPACKERS: Readonly<Record<string, Unpack>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateAny,
  zstd: zstdDecompressSync,
};

/** More layers than any client has: each costs a pass over the body. */
const MAX_LAYERS = 3;

/** zlib's output buffers: large, since reports are, and few. */
const STEP = 2 ** 18;

/**
 * Takes off what a Content-Encoding header names, last layer first. The unpacked size is bounded, never the ratio: an
 * honest report shrinks more than 300 times (wire.md). Throws a Failure: payload-too-large above `limit` bytes, else
 * payload-invalid.
 */
export function unpackContent(bytes: Uint8Array, contentEncoding: string, limit: number): Uint8Array {
  const plain = readLayers(contentEncoding).reduceRight((packed, layer) => unpackLayer(packed, layer, limit), bytes);
  if (plain.length > limit) throw tooLarge('The upload', limit);
  return plain;
}

/** What a Content-Encoding header names, in the order of packing. */
export function readLayers(contentEncoding: string): readonly string[] {
  const layers = contentEncoding
    .split(',')
    .map((layer) => layer.trim().toLowerCase())
    .filter((layer) => layer !== '' && layer !== 'identity');
  if (layers.length > MAX_LAYERS)
    throw invalid(`Content-Encoding names ${layers.length} layers; at most ${MAX_LAYERS} are read.`);
  return layers;
}

/** gzip is recognized by its magic bytes, whatever the types around it say (wire.md, E5). */
export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/** zstd's magic number. */
export function isZstd(bytes: Uint8Array): boolean {
  return bytes[0] === 0x28 && bytes[1] === 0xb5 && bytes[2] === 0x2f && bytes[3] === 0xfd;
}

/** The bytes themselves, or what they unpack to where they are gzip or zstd. */
export function unpackByMagic(bytes: Uint8Array, limit: number): Uint8Array {
  if (isGzip(bytes)) return unpackLayer(bytes, 'gzip', limit);
  return isZstd(bytes) ? unpackLayer(bytes, 'zstd', limit) : bytes;
}

function unpackLayer(bytes: Uint8Array, layer: string, limit: number): Uint8Array {
  const unpack = Object.hasOwn(UNPACKERS, layer) ? UNPACKERS[layer] : undefined;
  if (unpack === undefined) {
    throw invalid(
      `Content-Encoding ${quoteValue(layer)} is not known. Send gzip, deflate or zstd, or the body as it is.`,
    );
  }
  try {
    return unpack(bytes, { maxOutputLength: limit, chunkSize: STEP });
  } catch (cause) {
    if (isTooLarge(cause)) throw tooLarge('The unpacked upload', limit);
    throw invalid(bodyDamaged(layer, bytes.length), { cause });
  }
}

/** Some clients send zlib's format as `deflate`, as the standard says, some the bare stream. */
function inflateAny(bytes: Uint8Array, options: { maxOutputLength: number; chunkSize: number }): Uint8Array {
  return hasZlibHeader(bytes) ? inflateSync(bytes, options) : inflateRawSync(bytes, options);
}

/** Whether bytes of type `deflate` are zlib's format. */
export function hasZlibHeader(bytes: Uint8Array): boolean {
  const first = bytes[0] ?? 0;
  return (first & 0x0f) === 8 && (first * 256 + (bytes[1] ?? 0)) % 31 === 0;
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
}

function bodyDamaged(encoding: string, bytes: number): string {
  const came = counted(bytes, 'byte');
  return `The body is not valid ${encoding}, or it was cut off: ${came} arrived. Compress it again and send all of it.`;
}
