import { randomBytes } from 'node:crypto';
import { pipeline, Readable, type Transform } from 'node:stream';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import type { Context } from 'koa';
import { nextTurn } from './turns.ts';

/** Bytes that are compressed before the main thread sees them: each chunk is work of its own. */
const LARGE_CHUNK = 2 ** 18;

/** Characters that are made in one turn. */
const IN_A_TURN = 16_384;

type Answer = Pick<Context, 'type' | 'body' | 'acceptsEncodings' | 'get' | 'set' | 'vary'>;

/** Sends an HTML page; protect-answers.ts sets what it may do. */
export function sendPage(context: Answer, pieces: Iterable<string>): Promise<void> {
  return sendPieces(context, 'text/html; charset=utf-8', withNoise(context, pieces));
}

function* withNoise(context: Answer, pieces: Iterable<string>): Generator<string> {
  yield* pieces;
  yield noiseFor(context);
}

/**
 * Answers a text that is made piece by piece, in turns: others are answered between two of them. Where the client takes
 * it compressed, another thread compresses it in the meantime.
 */
export async function sendPieces(context: Answer, type: string, pieces: Iterable<string>): Promise<void> {
  const compression = compressionFor(context);
  if (compression === undefined) {
    let whole = '';
    for await (const text of inTurns(pieces)) whole += text;
    context.type = type;
    context.body = whole;
    return;
  }
  const stream = compression.open();
  try {
    for await (const text of inTurns(pieces)) stream.write(text);
    stream.end();
  } catch (error) {
    stream.destroy();
    throw error;
  }
  context.type = type;
  context.set('Content-Encoding', compression.name);
  context.body = stream;
}

/**
 * Answers a text that may be larger than memory, whose parts are made elsewhere as fast as the client reads them. What
 * fails before the first one is thrown; later the answer ends in the middle.
 */
export async function streamParts(context: Answer, type: string, parts: AsyncIterator<Uint8Array>): Promise<void> {
  const first = await parts.next();
  const text = Readable.from(beginningWith(first, parts), { highWaterMark: 1 });
  const compression = compressionFor(context);
  context.type = type;
  if (compression !== undefined) context.set('Content-Encoding', compression.name);
  context.body = compression === undefined ? text : pipeline(text, compression.open(LARGE_CHUNK), () => undefined);
}

async function* beginningWith<Part>(first: IteratorResult<Part>, others: AsyncIterator<Part>): AsyncGenerator<Part> {
  for (let result = first; !result.done; result = await others.next()) yield result.value;
}

/** As many pieces at a time as are made in one turn. */
async function* inTurns(pieces: Iterable<string>): AsyncGenerator<string> {
  let text = '';
  for (const piece of pieces) {
    text += piece;
    if (text.length < IN_A_TURN) continue;
    yield text;
    text = '';
    await nextTurn();
  }
  yield text;
}

type Asked = Pick<Context, 'acceptsEncodings' | 'get' | 'vary'>;

/** How an answer is compressed: the name for its header, and what its text is written to. */
interface Compression {
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
function compressionFor(asked: Asked): Compression | undefined {
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
function noiseFor(asked: Pick<Asked, 'get'>): string {
  if (asked.get('Cookie') === '') return '';
  const [length = 0, ...bytes] = randomBytes(1 + MAX_NOISE);
  return `<!-- ${Buffer.from(bytes.slice(length % MAX_NOISE)).toString('hex')} -->`;
}
