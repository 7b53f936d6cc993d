const QUOTE = 34;
const APOSTROPHE = 39;
const DASH = 45;
const LESS = 60;
const GREATER = 62;
const QUESTION = 63;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;

const COMMENT = '<!--';
const CDATA = '<![CDATA[';

/** Where a piece of markup ends (-1: the block ends first), and the text it stands for (CDATA only). */
interface SkippedMarkup {
  readonly next: number;
  readonly text?: string;
}

/**
 * Passes over a comment, a CDATA section, a processing instruction or a declaration that begins at `start` with `<!` or
 * `<?`.
 */
export function skipMarkup(bytes: Uint8Array, start: number, end: number): SkippedMarkup {
  if (bytes[start + 1] === QUESTION) return { next: afterText(bytes, start + 2, end, '?>') };
  // Too little of it is here to know what it is.
  if (end - start < CDATA.length && !beginsWith(bytes, start, end, COMMENT)) {
    if (bytes.indexOf(GREATER, start) < 0 || bytes.indexOf(GREATER, start) >= end) return { next: -1 };
  }
  if (beginsWith(bytes, start, end, COMMENT)) return { next: afterText(bytes, start + COMMENT.length, end, '-->') };
  if (beginsWith(bytes, start, end, CDATA)) {
    const next = afterText(bytes, start + CDATA.length, end, ']]>');
    if (next < 0) return { next };
    return { next, text: Buffer.from(bytes.subarray(start + CDATA.length, next - 3)).toString('utf8') };
  }
  return { next: afterDeclaration(bytes, start + 2, end) };
}

/**
 * A DOCTYPE may hold an internal subset in brackets, with quoted text and comments; all of it is passed over unread.
 */
function afterDeclaration(bytes: Uint8Array, start: number, end: number): number {
  let depth = 0;
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] as number;
    if (byte === QUOTE || byte === APOSTROPHE) {
      at = bytes.indexOf(byte, at + 1);
      if (at < 0 || at >= end) return -1;
    } else if (byte === LESS && bytes[at + 1] === 33 && bytes[at + 2] === DASH && bytes[at + 3] === DASH) {
      at = afterText(bytes, at + COMMENT.length, end, '-->') - 1;
      if (at < 0) return -1;
    } else if (byte === OPEN_BRACKET) depth += 1;
    else if (byte === CLOSE_BRACKET) depth -= 1;
    else if (byte === GREATER && depth <= 0) return at + 1;
  }
  return -1;
}

function afterText(bytes: Uint8Array, start: number, end: number, text: string): number {
  for (let at = start; ; at += 1) {
    at = bytes.indexOf(text.charCodeAt(0), at);
    if (at < 0 || at + text.length > end) return -1;
    if (beginsWith(bytes, at, end, text)) return at + text.length;
  }
}

function beginsWith(bytes: Uint8Array, start: number, end: number, text: string): boolean {
  if (start + text.length > end) return false;
  for (let index = 0; index < text.length; index += 1)
    if (bytes[start + index] !== text.charCodeAt(index)) return false;
  return true;
}

/** A start tag at the beginning of a text, behind comments, processing instructions and declarations. */
export interface FirstTag {
  readonly name: string;
  /** All between the name and the tag's end, or the end of the text. */
  readonly attributes: string;
  /** What follows the tag; undefined if the text ends inside it. */
  readonly rest: string | undefined;
}

/** The first tag of a text in Latin-1, in one pass; undefined if something else comes first, or no tag at all. */
export function readFirstTag(text: string): FirstTag | undefined {
  const start = afterMisc(text);
  if (start < 0 || text[start] !== '<') return undefined;
  let nameEnd = start + 1;
  while (nameEnd < text.length && !endsName(text, nameEnd)) nameEnd += 1;
  const close = text.indexOf('>', nameEnd);
  return {
    name: text.slice(start + 1, nameEnd),
    attributes: text.slice(nameEnd, close < 0 ? undefined : close),
    rest: close < 0 ? undefined : text.slice(close + 1),
  };
}

/** Where blanks and markup that is no tag end; -1 where the text ends inside it. */
function afterMisc(text: string): number {
  const bytes = Buffer.from(text, 'latin1');
  let at = afterBlanks(text, 0);
  while (text[at] === '<' && (text[at + 1] === '!' || text[at + 1] === '?')) {
    const { next } = skipMarkup(bytes, at, bytes.length);
    if (next < 0) return -1;
    at = afterBlanks(text, next);
  }
  return at;
}

function afterBlanks(text: string, start: number): number {
  let at = start;
  while (isBlank(text.charCodeAt(at))) at += 1;
  return at;
}

function endsName(text: string, at: number): boolean {
  return text[at] === '>' || text[at] === '/' || isBlank(text.charCodeAt(at));
}

function isBlank(code: number): boolean {
  return code <= 32 || code === 0xa0;
}
