import { JsonWalker } from '../../reports/ingest/json-walker.ts';

/** Where a text stops being JSON. */
export interface JsonPosition {
  /** Characters before it. */
  readonly offset: number;
  /** From 1. */
  readonly line: number;
  readonly column: number;
  /** It has more values than were allowed, and is perhaps well-formed. */
  readonly isTooMuch: boolean;
}

/**
 * Where `text` goes wrong, by one walk; undefined if it is JSON of at most `most` values, beside or within each other.
 * The engine's own message is of no use to a caller: some of its forms hold no position, others hold a piece of the
 * text, which may be a secret.
 */
export function locateJsonError(text: string, max = text.length): JsonPosition | undefined {
  const bytes = Buffer.from(text);
  const walker = new JsonWalker(bytes, max, max);
  if (walker.walkDocument()) return undefined;
  const offset = bytes.toString('utf8', 0, placeOf(walker)).length;
  let line = 1;
  let start = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) {
    line += 1;
    start = at + 1;
  }
  return { offset, line, column: offset - start + 1, isTooMuch: walker.isTooMuch };
}

/** The walker stops before a word that does not fit: the error is within the word. */
function placeOf({ bytes, at, expected = '' }: JsonWalker): number {
  const word = ['true', 'false', 'null'].find((one) => expected.endsWith(` ${one}`)) ?? '';
  let right = 0;
  while (right < word.length && bytes[at + right] === word.charCodeAt(right)) right += 1;
  return at + right;
}
