import { counted } from '../../core/sentences.ts';
import { JsonWalker } from '../../reports/ingest/json-walker.ts';

/** Each key has one, and so has each level: twice those of the largest settings, and parsed in a few milliseconds. */
const MAX_VALUES = 10_000;

/**
 * The object that a JSON text holds, or what is wrong with it, without any piece of it. A list, what is broken, and
 * what has too many values is found by a walk and never parsed: a megabyte of `{},` takes a tenth of a second.
 */
export function readJsonObject(
  text: string,
): { readonly value: Readonly<Record<string, unknown>> } | { readonly problem: string } {
  if (!/^[ \t\r\n]*\{/.test(text)) return { problem: 'not a JSON object: it must begin with {' };
  const wrong = locateJsonError(text, MAX_VALUES);
  if (wrong === undefined) return { value: JSON.parse(text) };
  const { offset, line, column, isTooMuch } = wrong;
  if (isTooMuch) return { problem: `made of more than ${MAX_VALUES} values, beside or within each other; send fewer` };
  const where =
    offset >= text.length
      ? `it ends too early, after ${counted(offset, 'character')}`
      : `it goes wrong at character ${offset + 1}`;
  return { problem: `not JSON: ${where} (line ${line}, column ${column})` };
}

/** Where a text stops being JSON. */
interface JsonPosition {
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
