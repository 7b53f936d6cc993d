import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  MINUS,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  skipSpace,
} from './json-bytes.ts';

const DOT = 0x2e;

/** Nesting of objects and arrays. No job needs a tenth of it; without a bound later passes could overflow the stack. */
const MAX_DEPTH = 500;

const LITERALS: ReadonlyMap<number, Buffer> = new Map(
  ['true', 'false', 'null'].map((text) => [text.charCodeAt(0), Buffer.from(text)]),
);

/** More values than a document of 4 GiB holds; a small integer, which is quick to count. */
const ANY_NUMBER = 2 ** 31 - 1;

const ESCAPES = Buffer.from('"\\/bfnrtu');

/** Whether objects and arrays are nested deeper than MAX_DEPTH: a quick look before JSON.parse builds them all. */
export function isTooDeep(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let depth = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    while (at + 4 <= bytes.length && isOfNumbers(view.getInt32(at))) at += 4;
    const byte = bytes[at] as number;
    if (byte === QUOTE) at = endOfString(bytes, at);
    // Braces and brackets differ from each other in one bit.
    else if ((byte & 0xdf) === OPEN_BRACKET) {
      depth += 1;
      if (depth > MAX_DEPTH) return true;
    } else if ((byte & 0xdf) === CLOSE_BRACKET) depth -= 1;
  }
  return false;
}

/**
 * Four bytes that are digits, signs, points and commas, or `null`: neither quotes nor brackets. Looking at them one by
 * one took 0.3 times as long as JSON.parse of the same job.
 */
function isOfNumbers(word: number): boolean {
  if (word === 0x6e75_6c6c) return true;
  // Each byte below 0x80 without the bit of letters and brackets, and with one that quotes and controls do not have.
  return (word & 0xc0c0_c0c0) === 0 && ((word | (word >>> 1)) & 0x0808_0808) === 0x0808_0808;
}

/** Bytes of the value of a top-level key in a valid document: of the last one if it is repeated, 0 if there is none. */
export function memberSize(bytes: Uint8Array, key: string): number {
  const walker = new JsonWalker(bytes);
  let size = 0;
  walker.skipSpace();
  if (bytes[walker.at] !== OPEN_BRACE) return size;
  do {
    walker.at += 1;
    walker.skipSpace();
    const name = walker.at;
    if (bytes[name] !== QUOTE || !walker.walkString()) return size;
    const isIt = isText(bytes.subarray(name, walker.at), key);
    walker.skipSpace();
    walker.at += 1;
    walker.skipSpace();
    const start = walker.at;
    if (!walker.walkValue(1)) return size;
    if (isIt) size = walker.at - start;
    walker.skipSpace();
  } while (bytes[walker.at] === COMMA);
  return size;
}

/** Whether a string in its quotes is that text; of each character an escape takes six bytes at most. */
function isText(quoted: Uint8Array, text: string): boolean {
  return quoted.length <= text.length * 6 + 2 && JSON.parse(Buffer.from(quoted).toString('utf8')) === text;
}

function endOfString(bytes: Uint8Array, start: number): number {
  for (let at = start + 1; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH) at += 1;
  }
  return bytes.length;
}

/**
 * JSON's grammar over bytes: finds where a value ends or where it is broken, without a string and without recursion.
 */
export class JsonWalker {
  readonly bytes: Uint8Array;
  /** The current place: behind what was read, or at the first byte that does not fit. */
  at = 0;
  /** What belongs at `at`, once something was wrong. */
  expected: string | undefined;
  /** What was wrong is the depth, or the number of values. */
  isTooMuch = false;
  /** For each open object or array whether it is an object. */
  readonly #objects: Uint8Array;
  /** Values that may still come. */
  #left: number;

  /** `depth`: how deep objects and arrays may be nested; `values`: how many there may be, each key having one. */
  constructor(bytes: Uint8Array, depth = MAX_DEPTH, values = ANY_NUMBER) {
    this.bytes = bytes;
    this.#objects = new Uint8Array(depth);
    this.#left = values;
  }

  /** Walks over one whole document; false, with `at` and `expected`, where it is broken. */
  walkDocument(): boolean {
    this.at = 0;
    if (!this.walkValue()) return false;
    this.skipSpace();
    return this.at === this.bytes.length || this.#expect('the end of the body');
  }

  /** Walks over one value from `at` on, which is within `outer` objects and arrays. */
  walkValue(outer = 0): boolean {
    let depth = 0;
    for (;;) {
      this.skipSpace();
      this.#left -= 1;
      if (this.#left < 0) return this.#exceed('no further value');
      const byte = this.bytes[this.at];
      if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
        if (outer + depth === this.#objects.length)
          return this.#exceed(`a value that is not nested deeper than ${this.#objects.length} levels`);
        this.#objects[depth] = byte === OPEN_BRACE ? 1 : 0;
        depth += 1;
        this.at += 1;
        if (this.#atClose(depth)) depth -= 1;
        else if (byte === OPEN_BRACKET || this.#walkKey()) continue;
        else return false;
      } else if (!this.#walkScalar(byte)) return false;
      const left = this.#walkClosings(depth);
      if (left < 0) return false;
      if (left === 0) return true;
      depth = left;
    }
  }

  /** Walks over a string whose opening quote is at `at`. */
  walkString(): boolean {
    const { bytes } = this;
    this.at += 1;
    for (;;) {
      const byte = bytes[this.at];
      if (byte === QUOTE) {
        this.at += 1;
        return true;
      }
      if (byte === undefined) return this.#expect('the closing quote of a string');
      if (byte < 0x20) return this.#expect('a string without raw control characters');
      this.at += 1;
      if (byte === BACKSLASH && !this.#walkEscape()) return false;
    }
  }

  /** Walks over a number whose first byte is at `at`. */
  walkNumber(): boolean {
    if (this.bytes[this.at] === MINUS) this.at += 1;
    if (this.bytes[this.at] === 0x30) this.at += 1;
    else if (!this.#walkDigits()) return false;
    if (this.bytes[this.at] === DOT) {
      this.at += 1;
      if (!this.#walkDigits()) return false;
    }
    if (this.bytes[this.at] === 0x65 || this.bytes[this.at] === 0x45) {
      this.at += 1;
      if (this.bytes[this.at] === MINUS || this.bytes[this.at] === 0x2b) this.at += 1;
      if (!this.#walkDigits()) return false;
    }
    return true;
  }

  skipSpace(): void {
    this.at = skipSpace(this.bytes, this.at);
  }

  /** Commas and closings behind a value: answers the depth of the next value, 0 at the end, below 0 when broken. */
  #walkClosings(from: number): number {
    let depth = from;
    while (depth > 0) {
      this.skipSpace();
      if (this.bytes[this.at] === COMMA) {
        this.at += 1;
        return this.#objects[depth - 1] === 0 || this.#walkKey() ? depth : -1;
      }
      if (!this.#atClose(depth)) {
        this.#expect(this.#objects[depth - 1] === 1 ? 'a comma or }' : 'a comma or ]');
        return -1;
      }
      depth -= 1;
    }
    return 0;
  }

  /** Takes the closing of the innermost object or array, if it is here. */
  #atClose(depth: number): boolean {
    this.skipSpace();
    if (this.bytes[this.at] !== (this.#objects[depth - 1] === 1 ? CLOSE_BRACE : CLOSE_BRACKET)) return false;
    this.at += 1;
    return true;
  }

  #walkKey(): boolean {
    this.skipSpace();
    if (this.bytes[this.at] !== QUOTE) return this.#expect('a key in double quotes');
    if (!this.walkString()) return false;
    this.skipSpace();
    if (this.bytes[this.at] !== COLON) return this.#expect('a colon');
    this.at += 1;
    return true;
  }

  #walkScalar(byte: number | undefined): boolean {
    if (byte === QUOTE) return this.walkString();
    if (byte === MINUS || (byte !== undefined && byte >= 0x30 && byte <= 0x39)) return this.walkNumber();
    const literal = byte === undefined ? undefined : LITERALS.get(byte);
    if (literal === undefined) return this.#expect('a value');
    if (!literal.equals(this.bytes.subarray(this.at, this.at + literal.length)))
      return this.#expect(`the word ${literal}`);
    this.at += literal.length;
    return true;
  }

  #walkEscape(): boolean {
    const byte = this.bytes[this.at] ?? 0;
    if (!ESCAPES.includes(byte)) return this.#expect('an escape that JSON knows');
    this.at += 1;
    if (byte !== 0x75) return true;
    for (let digit = 0; digit < 4; digit += 1, this.at += 1)
      if (!isHexDigit(this.bytes[this.at])) return this.#expect('four hexadecimal digits after \\u');
    return true;
  }

  #walkDigits(): boolean {
    const start = this.at;
    for (let byte = this.bytes[this.at]; byte !== undefined && byte >= 0x30 && byte <= 0x39; byte = this.bytes[this.at])
      this.at += 1;
    return this.at > start || this.#expect('a digit');
  }

  #exceed(expected: string): false {
    this.isTooMuch = true;
    return this.#expect(expected);
  }

  #expect(what: string): false {
    this.expected = what;
    return false;
  }
}

function isHexDigit(byte = 0): boolean {
  const lower = byte | 0x20;
  return (byte >= 0x30 && byte <= 0x39) || (lower >= 0x61 && lower <= 0x66);
}
