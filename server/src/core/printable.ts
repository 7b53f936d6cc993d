/** What hides or reorders text: control and format characters (bidirectional marks among them), line separators. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** The same except for tabs and line feeds, which lay out a text of several lines. */
const HIDDEN_IN_LINES = /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * Characters that take four bytes, emoji among them: GitHub refuses a status that holds one ("doesn't accept 4-byte
 * Unicode").
 */
const FOUR_BYTES = /[\u{10000}-\u{10ffff}]/gu;

/**
 * Most of a page is none of it, and the properties of Unicode take four times as long to look for. Dashes, arrows and
 * signs that our own sentences hold are plain too.
 */
const NOT_PLAIN = /[^\t\n -~\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2030-\u205e\u2190-\u22ff]+/g;

/** Names and paths mostly are nothing but these. */
const PLAIN_LINE = /^[ -~]*$/;

const NO_BLANK = /[^\p{Zs}]/u;

/** The first part of an escape that a cut left over. */
const PART_OF_ESCAPE = /\\(?:u[\da-f]{0,3})?$/;

/**
 * Hostile text as one line of at most `limit` characters in which every character can be seen (rule 26): a hidden one
 * is written as JSON writes it (`\u202e`, `\n`).
 */
export function printable(text: string, limit = 200): string {
  if (text.length <= limit && PLAIN_LINE.test(text)) return text.trim();
  // What is cut off anyway is not looked at; a character has two units at most.
  const start = Math.max(0, text.search(NO_BLANK));
  const line = text
    .slice(start, start + 2 * limit + 2)
    .replace(HIDDEN, escapeCharacter)
    .trim();
  const characters = [...line];
  if (characters.length <= limit) return line;
  const cut = characters.slice(0, limit - 1).join('');
  return `${cut.replace(PART_OF_ESCAPE, '')}…`;
}

/**
 * The same for a commit status: it must never be refused for a character, since a required check would stay pending.
 */
export function statusText(text: string, limit: number): string {
  return printable(text, limit).replace(FOUR_BYTES, '\ufffd');
}

/**
 * A whole page, log line or line of code with its hidden characters written out; tabs and line feeds stay. An escape is
 * also valid inside a text of JSON, where it means the same.
 */
export function showHidden(text: string): string {
  return text.replace(NOT_PLAIN, (part) => part.replace(HIDDEN_IN_LINES, escapeCharacter));
}

const SHORT: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** By UTF-16 code unit, as JSON has it: one character of four bytes is two escapes. */
function escapeCharacter(character: string): string {
  const short = SHORT[character];
  if (short !== undefined) return short;
  const first = escapeUnit(character.charCodeAt(0));
  return character.length === 1 ? first : first + escapeUnit(character.charCodeAt(1));
}

/** A page may hold a million of them. */
function escapeUnit(unit: number): string {
  return `\\u${(unit + 0x10000).toString(16).slice(1)}`;
}
