import type { Transform } from 'node:stream';
import { constants, createGunzip, createInflate, createInflateRaw, createZstdDecompress } from 'node:zlib';
import { quoteValue } from '../../core/failure.ts';
import { hasZlibHeader, isGzip, isZstd, readLayers, unpackByMagic, unpackContent } from './content-encoding.ts';
import { readFormField } from './form-body.ts';
import type { UploadBody } from './ingest.ts';
import { OPEN_BRACE, skipSpace } from './json-bytes.ts';
import { readMultipartJob } from './multipart-body.ts';
import { invalid, tooLarge } from './refusals.ts';

const ENCODINGS =
  'application/json with the job as body, application/x-www-form-urlencoded with the job in the field `json`, or ' +
  'multipart/form-data with the job in `json_file`';

const FORM_FIELDS: readonly string[] = ['json', 'json_file'];

/**
 * The bytes of the job's JSON out of any of the encodings that clients use (wire.md, E1 to E6; E7 is JSON within JSON,
 * parse-job.ts). Throws a Failure that says what was seen: payload-invalid, or payload-too-large above `limit` bytes.
 */
export async function readJobBytes(body: UploadBody, limit: number): Promise<Uint8Array> {
  const content = unpackContent(body.bytes, body.contentEncoding, limit);
  if (content.length === 0) throw invalid(bodyEmpty(ENCODINGS));
  const packed = isMultipart(body)
    ? await readMultipartJob(content, body.contentType, limit)
    : readPlain(content, body.contentType);
  const job = unpackByMagic(packed, limit);
  if (job.length > limit) throw tooLarge('The job', limit);
  return withoutByteOrderMark(job);
}

/**
 * The first `limit` bytes of the job's JSON, or fewer, out of the first bytes of a body; undefined if none can be read.
 */
export async function readJobBeginning(body: UploadBody, limit: number): Promise<Uint8Array | undefined> {
  const { bytes, contentType, contentEncoding } = body;
  try {
    const content = await beginContent(bytes, contentEncoding, limit);
    const packed = isMultipart(body) ? beginMultipartJob(content) : readPlain(content, contentType);
    return packed && withoutByteOrderMark(await beginByMagic(packed, limit));
  } catch {
    // What is wrong with it, the check of the whole will say.
    return undefined;
  }
}

function isMultipart({ contentType }: UploadBody): boolean {
  return /^multipart\/form-data\b/i.test(contentType.trim());
}

function readPlain(content: Uint8Array, contentType: string): Uint8Array {
  const type = contentType.trim().toLowerCase();
  if (type.startsWith('application/json')) return content;
  // Types lie: `curl -d @job.json` says form, some clients say nothing. What the bytes are decides.
  if (isGzip(content) || isZstd(content) || startsWithBrace(content)) return content;
  const isForm = /^application\/x-www-form-urlencoded\b/.test(type);
  const field = isForm || startsWithField(content) ? readField(content) : undefined;
  if (field !== undefined) return field;
  if (isForm) throw invalid('The form has no field `json` or `json_file`. Send the job in that field.');
  throw invalid(typeUnknown(quoteValue(contentType), ENCODINGS));
}

function startsWithBrace(content: Uint8Array): boolean {
  const json = withoutByteOrderMark(content);
  return json[skipSpace(json, 0)] === OPEN_BRACE;
}

function readField(content: Uint8Array): Uint8Array | undefined {
  return FORM_FIELDS.map((name) => readFormField(content, name)).find((value) => value !== undefined);
}

function startsWithField(content: Uint8Array): boolean {
  return FORM_FIELDS.some(
    (name) => Buffer.from(content.subarray(0, name.length + 1)).toString('latin1') === `${name}=`,
  );
}

/** JSON's own parser refuses the mark that some editors and .NET put in front. */
function withoutByteOrderMark(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

function bodyEmpty(encodings: string): string {
  return `The body is empty. Send ${encodings}.`;
}

function typeUnknown(type: string, encodings: string): string {
  return `A body of type ${type} is not understood. Send ${encodings}.`;
}

/** More parts than any client sends before the job. */
const MAX_PARTS = 10;

const NAMED_JOB = /\bname="?json(?:_file)?["\s;]/i;

/**
 * The part that holds the job, as far as the first bytes of a multipart body hold it; undefined if they hold none, or
 * are unusual. By the first line alone, which is the boundary: the parser of whole bodies waits for their end.
 */
function beginMultipartJob(beginning: Uint8Array): Uint8Array | undefined {
  const bytes = Buffer.from(beginning.buffer, beginning.byteOffset, beginning.length);
  const firstLine = bytes.subarray(0, Math.max(0, bytes.indexOf('\r\n')));
  if (!firstLine.toString('latin1').startsWith('--')) return undefined;
  const boundary = Buffer.concat([Buffer.from('\r\n'), firstLine]);
  let start = firstLine.length;
  for (let part = 0; part < MAX_PARTS; part += 1) {
    const content = bytes.indexOf('\r\n\r\n', start) + 4;
    if (content < 4) return undefined;
    const end = bytes.indexOf(boundary, content);
    if (NAMED_JOB.test(bytes.toString('latin1', start, content)))
      return bytes.subarray(content, end < 0 ? bytes.length : end);
    if (end < 0) return undefined;
    start = end + boundary.length;
  }
  return undefined;
}

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
async function beginContent(bytes: Uint8Array, contentEncoding: string, limit: number): Promise<Uint8Array> {
  let begun = bytes;
  for (const layer of readLayers(contentEncoding).toReversed()) begun = await beginLayer(begun, layer, limit);
  return begun;
}

/** As unpackByMagic, of the first bytes. */
async function beginByMagic(bytes: Uint8Array, limit: number): Promise<Uint8Array> {
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
