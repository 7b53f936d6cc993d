import { JsonWalker } from '../../ingest/json-walker.ts';

/** Where a text stops being JSON. */
export interface JsonPosition {
  /** Characters before it. */
  readonly offset: number;
  /** From 1. */
  readonly line: number;
  readonly column: number;
}

/**
 * Where `text`, which is not JSON, goes wrong, by one walk. The engine's own message is of no use to a caller: some of
 * its forms hold no position, others hold a piece of the text, which may be a secret.
 */
export function locateJsonError(text: string): JsonPosition {
  const bytes = Buffer.from(text);
  const offset = bytes.toString('utf8', 0, findError(bytes)).length;
  let line = 1;
  let start = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) {
    line += 1;
    start = at + 1;
  }
  return { offset, line, column: offset - start + 1 };
}

function findError(bytes: Buffer): number {
  // As deep as the text can be: its depth is no error.
  const walker = new JsonWalker(bytes, bytes.length);
  walker.walkDocument();
  const { at, expected = '' } = walker;
  // The walker stops before a word that does not fit: the error is within it.
  const word = ['true', 'false', 'null'].find((one) => expected.endsWith(` ${one}`)) ?? '';
  let right = 0;
  while (right < word.length && bytes[at + right] === word.charCodeAt(right)) right += 1;
  return at + right;
}
