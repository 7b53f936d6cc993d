import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  skipSpace,
} from './json-bytes.ts';

/** A top-level member of a job. */
export interface Member {
  /** In its quotes. */
  readonly name: Uint8Array;
  readonly value: Uint8Array;
  /** False if the value is cut off. */
  readonly isWhole: boolean;
}

/** How a look at the members ended. */
export type Ending = 'closed' | 'cut-off' | 'broken';

/**
 * The top-level members of a job that may be cut off anywhere, by brackets and quotes alone: ten times as fast as
 * checking it.
 */
export function* listMembers(bytes: Uint8Array): Generator<Member, Ending> {
  const endAt = (at: number): Ending => (at < bytes.length ? 'broken' : 'cut-off');
  let at = skipSpace(bytes, 0);
  if (bytes[at] !== OPEN_BRACE) return endAt(at);
  const first = skipSpace(bytes, at + 1);
  if (bytes[first] === CLOSE_BRACE) return 'closed';
  do {
    const start = skipSpace(bytes, at + 1);
    if (bytes[start] !== QUOTE) return endAt(start);
    const end = endOfString(bytes, start) + 1;
    const colon = skipSpace(bytes, end);
    if (bytes[colon] !== COLON) return endAt(colon);
    const from = skipSpace(bytes, colon + 1);
    const to = endOfValue(bytes, from);
    yield { name: bytes.subarray(start, end), value: bytes.subarray(from, to), isWhole: to < bytes.length };
    at = skipSpace(bytes, to);
  } while (bytes[at] === COMMA);
  return bytes[at] === CLOSE_BRACE ? 'closed' : endAt(at);
}

/** The place behind a value: where a comma or a closing bracket of what is around it stands. */
function endOfValue(bytes: Uint8Array, start: number): number {
  let depth = 0;
  for (let at = start; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) at = endOfString(bytes, at);
    // Braces and brackets differ from each other in one bit.
    else if ((byte & 0xdf) === OPEN_BRACKET) depth += 1;
    else if ((byte & 0xdf) === CLOSE_BRACKET) {
      if (depth === 0) return at;
      depth -= 1;
    } else if (byte === COMMA && depth === 0) return at;
  }
  return bytes.length;
}

/** The closing quote of a string. */
function endOfString(bytes: Uint8Array, start: number): number {
  for (let at = start + 1; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH) at += 1;
  }
  return bytes.length;
}
