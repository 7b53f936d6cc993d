const QUOTE = '"';
const ESCAPES: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, '\\': 92 };
const OCTAL = /^[0-3][0-7]{2}$/;
/** `a/` and `b/`, or what `diff.mnemonicPrefix` makes of them. */
const PREFIX = /^[a-z12]\/$/;

/**
 * The name that follows `diff --git `, where both sides have the same one (renames and copies name theirs on lines of
 * their own):
 * `a/x b/x`, `"a/\303\251" "b/\303\251"`, `x x` under --no-prefix. Undefined where it cannot be told.
 */
export function readHeaderName(rest: string): string | undefined {
  const [before, after] = splitNames(rest) ?? [];
  if (before === undefined || after === undefined) return undefined;
  if (before === after) return before === '' ? undefined : before;
  const prefixed = PREFIX.test(before.slice(0, 2)) && PREFIX.test(after.slice(0, 2));
  return prefixed && before.length > 2 && before.slice(2) === after.slice(2) ? before.slice(2) : undefined;
}

/**
 * A whole name as git prints it: quoted in the manner of C where it holds unusual characters. Undefined where the
 * quoting is broken.
 */
export function readName(text: string): string | undefined {
  if (!text.startsWith(QUOTE)) return text === '' ? undefined : text;
  const quoted = readQuoted(text, 0);
  return quoted?.end === text.length && quoted.name !== '' ? quoted.name : undefined;
}

/** Two names of equal length with a space between, or two quoted ones. */
function splitNames(rest: string): readonly [string, string] | undefined {
  if (!rest.startsWith(QUOTE)) {
    const middle = (rest.length - 1) / 2;
    return rest[middle] === ' ' ? [rest.slice(0, middle), rest.slice(middle + 1)] : undefined;
  }
  const before = readQuoted(rest, 0);
  if (before === undefined || rest.slice(before.end, before.end + 2) !== ` ${QUOTE}`) return undefined;
  const after = readQuoted(rest, before.end + 1);
  return after?.end === rest.length ? [before.name, after.name] : undefined;
}

/** The quoted name that opens at `start`, and where it ends. Escaped bytes are UTF-8; broken ones become U+FFFD. */
function readQuoted(text: string, start: number): { readonly name: string; readonly end: number } | undefined {
  const bytes: number[] = [];
  let literal = start + 1;
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text[at];
    if (character !== QUOTE && character !== '\\') continue;
    // A loop, since a hostile name of megabytes spread into one call would overflow the stack.
    for (const byte of new TextEncoder().encode(text.slice(literal, at))) bytes.push(byte);
    if (character === QUOTE) return { name: decode(bytes), end: at + 1 };
    const escaped = readEscape(text, at + 1);
    if (escaped === undefined) return undefined;
    bytes.push(escaped.byte);
    at += escaped.length;
    literal = at + 1;
  }
  return undefined;
}

function readEscape(text: string, at: number): { readonly byte: number; readonly length: number } | undefined {
  const digits = text.slice(at, at + 3);
  if (OCTAL.test(digits)) return { byte: Number.parseInt(digits, 8), length: 3 };
  const byte = ESCAPES[text[at] ?? ''];
  return byte === undefined ? undefined : { byte, length: 1 };
}

function decode(bytes: readonly number[]): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(Uint8Array.from(bytes));
}
