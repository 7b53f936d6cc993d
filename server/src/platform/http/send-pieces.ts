import { pipeline, Readable } from 'node:stream';
import type { Context } from 'koa';
import { compressionFor, noiseFor } from './compression.ts';
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
