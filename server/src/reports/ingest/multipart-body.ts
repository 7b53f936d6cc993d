import { Busboy, type BusboyFileStream } from '@fastify/busboy';
import { Failure } from '../../core/failure.ts';
import { invalid, tooLarge } from './refusals.ts';

/** More parts than any client sends; they cost time, not memory. */
const MAX_PARTS = 100;
const MAX_HEADER_BYTES = 16_384;

/** Ends the parser from within, which continues otherwise: millions of further parts would exhaust the heap. */
class TooManyParts extends Error {}

/**
 * Turns of the event loop. Everything is in memory, so a parser that has not ended by then never will, as it does for
 * some bodies whose part breaks off within its headers; a thread must not wait for it.
 */
const STALLED_AFTER = 1_000;

/** The names under which clients send the job, the better one first. */
const FIELDS = ['json_file', 'json'] as const;

/**
 * The bytes of the part that holds the job in a `multipart/form-data` body (wire.md, E2 to E5): a field or a file named
 * `json_file` or `json`. Throws a Failure of code payload-invalid or payload-too-large.
 */
export async function readMultipartJob(body: Uint8Array, contentType: string, limit: number): Promise<Uint8Array> {
  const parts = await readParts(body, mendContentType(contentType), limit);
  for (const field of FIELDS) {
    const part = parts.get(field);
    if (part !== undefined) return part;
  }
  throw invalid('The multipart body has no part named `json_file` or `json`. Send the job in one of them.');
}

/** One old client writes `multipart/form-data, boundary=…`, with a comma where a semicolon belongs (wire.md). */
function mendContentType(contentType: string): string {
  return contentType.replace(/^(\s*multipart\/form-data)\s*,/i, '$1;').trim();
}

function readParts(body: Uint8Array, contentType: string, limit: number): Promise<ReadonlyMap<string, Uint8Array>> {
  return new Promise((resolve, reject) => {
    const parts = new Map<string, Uint8Array>();
    const parser = openParser(contentType, limit);
    const stalled = afterTurns(STALLED_AFTER, () => fail(unreadable('it does not come to an end')));
    const fail = (error: unknown): void => {
      stalled.cancel();
      reject(error instanceof Failure ? error : unreadable('it was cut, or its boundary is wrong', error));
    };
    parser.on('file', (name, stream) => {
      stream.on('error', fail);
      if (parts.has(name) || !FIELDS.some((field) => field === name)) stream.resume();
      else collectPart(stream, limit, (bytes) => parts.set(name, bytes), fail);
    });
    parser.on('partsLimit', () => {
      throw new TooManyParts();
    });
    parser.on('error', fail);
    parser.on('finish', () => {
      stalled.cancel();
      resolve(parts);
    });
    try {
      parser.end(Buffer.from(body.buffer, body.byteOffset, body.length));
    } catch (error) {
      const tooMany = invalid(`The multipart body has more than ${MAX_PARTS} parts. Send one, named \`json_file\`.`);
      fail(error instanceof TooManyParts ? tooMany : error);
    }
  });
}

/** Calls back after this many turns of the event loop, unless it is cancelled before. */
function afterTurns(turns: number, callback: () => void): { cancel(): void } {
  let left = turns;
  const turn = (): void => {
    left -= 1;
    if (left > 0) setImmediate(turn);
    else if (left === 0) callback();
  };
  setImmediate(turn);
  return {
    cancel() {
      left = 0;
    },
  };
}

function openParser(contentType: string, limit: number): InstanceType<typeof Busboy> {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      // Text fields too come as bytes: as a string a job of 70 MB would cost twice its size and a decoding.
      isPartAFile: () => true,
      limits: { fileSize: limit + 1, parts: MAX_PARTS, headerSize: MAX_HEADER_BYTES, headerPairs: 50 },
    });
  } catch (cause) {
    throw unreadable('its Content-Type states no boundary', cause);
  }
}

function collectPart(
  stream: BusboyFileStream,
  limit: number,
  done: (bytes: Uint8Array) => void,
  fail: (error: unknown) => void,
): void {
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  stream.on('limit', () => fail(tooLarge('The part that holds the job', limit)));
  stream.on('end', () => done(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
}

function unreadable(why: string, cause?: unknown): Failure {
  return invalid(
    `The multipart body cannot be read: ${why}. Send all of it, with the boundary that its Content-Type names.`,
    {
      cause,
    },
  );
}
