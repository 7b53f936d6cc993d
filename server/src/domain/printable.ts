/**
 * What hides or reorders text (control characters, bidirectional marks, zero-width characters), and halves of surrogate
 * pairs.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu;

/**
 * Characters that take four bytes, emoji among them: GitHub refuses a status that holds one ("doesn't accept 4-byte
 * Unicode").
 */
const FOUR_BYTES = /[\u{10000}-\u{10ffff}]/gu;

/** Hostile text as one printable line of at most `limit` characters (rule 26). */
export function printable(text: string, limit = 200): string {
  const line = text.replace(INVISIBLE, ' ').trim();
  const characters = [...line];
  return characters.length > limit ? `${characters.slice(0, limit - 1).join('')}…` : line;
}

/**
 * The same for a commit status: it must never be refused for a character, since a required check would stay pending.
 */
export function statusText(text: string, limit: number): string {
  return printable(text, limit).replace(FOUR_BYTES, '\ufffd');
}
