import type { Transform } from 'node:stream';
import { constants, createGunzip, createInflate, createInflateRaw, createZstdDecompress } from 'node:zlib';
import { hasZlibHeader, isGzip, isZstd, readLayers } from './content-encoding.ts';
import { invalid } from './refusals.ts';

/** The largest window of zstd's usual levels; a larger one costs up to 128 MiB before the first byte is there. */
const ZSTD_WINDOW_LOG = 23;

type Open = (bytes: Uint8Array, chunkSize: number) => Transform;

const openGunzip: Open = (_, chunkSize) => createGunzip({ chunkSize });
const OPENERS: Readonly<Record<string, Open>> = {
  gzip: openGunzip,
  'x-gzip': openGunzip,
  deflate: (bytes, chunkSize) =>
    hasZlibHeader(bytes) ? createInflate({ chunkSize }) : createInflateRaw({ chunkSize }),
  zstd: (_, chunkSize) =>
    createZstdDecompress({ chunkSize, params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG } }),
};

/** As unpackContent, of the first bytes of a body: the first `limit` bytes of its content, or fewer. */
export async function beginContent(bytes: Uint8Array, contentEncoding: string, limit: number): Promise<Uint8Array> {
  let begun = bytes;
  for (const layer of readLayers(contentEncoding).toReversed()) begun = await beginLayer(begun, layer, limit);
  return begun;
}

/** As unpackByMagic, of the first bytes. */
export async function beginByMagic(bytes: Uint8Array, limit: number): Promise<Uint8Array> {
  if (isGzip(bytes)) return beginLayer(bytes, 'gzip', limit);
  return isZstd(bytes) ? beginLayer(bytes, 'zstd', limit) : bytes;
}

/** Stops unpacking at `limit` bytes, whatever else the packed ones hold. */
function beginLayer(packed: Uint8Array, layer: string, limit: number): Promise<Uint8Array> {
  const open = Object.hasOwn(OPENERS, layer) ? OPENERS[layer] : undefined;
  if (open === undefined) throw invalid('The Content-Encoding is not known.');
  const stream = open(packed, limit);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const end = (): void => {
      stream.destroy();
      resolve(Buffer.concat(chunks).subarray(0, limit));
    };
    stream.on('error', end).on('end', end);
    stream.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= limit) end();
    });
    // Not ended: what was cut off is no error.
    stream.write(packed, end);
  });
}
