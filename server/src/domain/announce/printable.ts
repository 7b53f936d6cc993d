/** What hides or reorders text (control characters, bidirectional marks, zero-width characters), and halves of surrogate pairs. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu;

/** Hostile text as one printable line of at most `limit` characters (rule 26). */
export function printable(text: string, limit = 200): string {
  const line = text.replace(INVISIBLE, ' ').trim();
  const characters = [...line];
  return characters.length > limit ? `${characters.slice(0, limit - 1).join('')}…` : line;
}
