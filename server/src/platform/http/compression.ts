import { randomBytes } from 'node:crypto';
import type { Transform } from 'node:stream';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import type { Context } from 'koa';

type Asked = Pick<Context, 'acceptsEncodings' | 'get' | 'vary'>;

/** How an answer is compressed: the name for its header, and what its text is written to. */
export interface Compression {
  readonly name: string;
  /** `chunkSize`: bytes of what comes out at a time. */
  readonly open: (chunkSize?: number) => Transform;
}

/**
 * Pages become a tenth of their size, outside the main thread. Higher levels save little and take longer; a larger
 * window takes memory for each answer.
 */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 18 } };

/** What Node takes. */
const CHUNK = 2 ** 14;

/** The first that a client takes is used: its own order says nothing, browsers list them by age. */
const COMPRESSIONS: readonly Compression[] = [
  { name: 'br', open: (chunkSize = CHUNK) => createBrotliCompress({ ...BROTLI, chunkSize }) },
  { name: 'gzip', open: (chunkSize = CHUNK) => createGzip({ level: 6, chunkSize }) },
];

/** Undefined: the client takes the text as it is alone, or says nothing of it. */
export function compressionFor(asked: Asked): Compression | undefined {
  asked.vary('Accept-Encoding');
  if (asked.get('Accept-Encoding') === '') return undefined;
  return COMPRESSIONS.find(({ name }) => asked.acceptsEncodings(name) === name);
}

/** Bytes of a comment, at most. */
const MAX_NOISE = 64;

/**
 * A comment of random length for a page that may hold a token: an attacker who chooses a part of the page and
 * sees how long it is once it is compressed would find out the token (BREACH).
 */
export function noiseFor(asked: Pick<Asked, 'get'>): string {
  if (asked.get('Cookie') === '') return '';
  const [length = 0, ...bytes] = randomBytes(1 + MAX_NOISE);
  return `<!-- ${Buffer.from(bytes.slice(length % MAX_NOISE)).toString('hex')} -->`;
}
