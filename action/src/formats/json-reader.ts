import { expectedForm } from './coverage-format.ts';
import { type Block, damage, lineAt, type ReportBytes, scanBlocks } from './report-bytes.ts';

const QUOTE = 34;
const COMMA = 44;
const MINUS = 45;
const ZERO = 48;
const NINE = 57;
const COLON = 58;
const OPEN_ARRAY = 91;
const BACKSLASH = 92;
const CLOSE_ARRAY = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;
/** No report nests deeper; a hostile one would take memory for every level. */
const DEEPEST = 200;
/** A power of two. */
const KNOWN_TEXTS = 1024;
const LONGEST_KNOWN = 100;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const LITERALS: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null };

export type JsonKind = 'object' | 'array';
/** The name of a member, or the index of an element, from 0. */
export type JsonKey = string | number;
export type JsonScalar = string | number | boolean | null;

/** What reads one object or array; all it does not ask for is passed over without being kept. */
export interface JsonReader {
  readonly kind: JsonKind;
  /** An object or array inside this one; answers what reads it. */
  open?(key: JsonKey, kind: JsonKind): JsonReader | undefined;
  value?(key: JsonKey, value: JsonScalar): void;
  close?(): void;
}

/** Where the reading is, for messages. */
export interface JsonPlace {
  /** The failure for damage in the value at hand. */
  damaged(expected: string): Error;
}

interface Level {
  readonly kind: JsonKind | 'document';
  /** Undefined if the whole of it is passed over. */
  readonly reader: Partial<JsonReader> | undefined;
  key: JsonKey;
}

type Expected = 'value' | 'value-or-end' | 'key' | 'key-or-end' | 'colon' | 'comma-or-end' | 'nothing';

/**
 * A JSON document of any size, read token by token; a token is never longer than what `scanBlocks` holds. Throws
 * `report-damaged` if it is not well formed, or cut off.
 */
export class JsonDocument implements JsonPlace {
  readonly #report: ReportBytes;
  readonly #stack: Level[] = [];
  #level: Level = { kind: 'document', reader: undefined, key: '' };
  readonly #known: string[] = new Array(KNOWN_TEXTS).fill('');
  #expected: Expected = 'value';
  #bytes: Uint8Array = new Uint8Array(0);
  #position = 0;
  #at = 0;

  constructor(report: ReportBytes) {
    this.#report = report;
  }

  /** Reads all of it, `chunkBytes` at a time. */
  read(open: NonNullable<JsonReader['open']>, chunkBytes?: number): void {
    this.#level = { kind: 'document', reader: { open }, key: '' };
    scanBlocks(this.#report, (block) => this.#scan(block), chunkBytes);
  }

  /** Reads all that is whole in the block; returns where the rest begins. */
  #scan({ bytes, end, position, last }: Block): number {
    this.#bytes = bytes;
    this.#position = position;
    let at = 0;
    for (;;) {
      while (at < end && isBlank(bytes[at] as number)) at += 1;
      this.#at = at;
      if (at >= end) break;
      const next = this.#token(at, end);
      if (next < 0 && last) throw this.damaged('expected the end of a value, but the file ends inside it');
      if (next < 0) return at;
      at = next;
    }
    if (last && this.#expected !== 'nothing') throw this.#cutOff(end);
    return end;
  }

  damaged(expected: string): Error {
    return damage(this.#report, lineAt(this.#report, this.#position + this.#at), expected);
  }

  #cutOff(end: number): Error {
    this.#at = Math.max(end - 1, 0);
    return this.damaged(
      this.#level.kind === 'document' ? 'expected JSON, but the file has none' : cutOff(this.#level.kind),
    );
  }

  /** Reads what begins at `at`; returns where it ends, or -1 where the block ends first. */
  #token(at: number, end: number): number {
    const byte = this.#bytes[at] as number;
    switch (this.#expected) {
      case 'comma-or-end':
        return byte === COMMA ? this.#comma(at) : this.#end(byte, at);
      case 'colon':
        if (byte !== COLON) throw this.damaged(expectedForm('":"', this.#found(at, end)));
        this.#expected = 'value';
        return at + 1;
      case 'key-or-end':
      case 'key':
        if (byte === QUOTE) return this.#key(at, end);
        if (this.#expected === 'key') throw this.damaged(expectedForm('a name in quotes', this.#found(at, end)));
        return this.#end(byte, at);
      case 'value-or-end':
        return byte === CLOSE_ARRAY ? this.#end(byte, at) : this.#value(byte, at, end);
      case 'value':
        return this.#value(byte, at, end);
      default:
        throw this.damaged(expectedForm('nothing after the end of the JSON', this.#found(at, end)));
    }
  }

  #comma(at: number): number {
    if (this.#level.kind === 'array') this.#level.key = (this.#level.key as number) + 1;
    this.#expected = this.#level.kind === 'array' ? 'value' : 'key';
    return at + 1;
  }

  #end(byte: number, at: number): number {
    const closing = this.#level.kind === 'array' ? CLOSE_ARRAY : CLOSE_OBJECT;
    if (byte !== closing) {
      const wanted = this.#level.kind === 'array' ? '"," or "]"' : '"," or "}"';
      throw this.damaged(expectedForm(wanted, this.#found(at, at + 1)));
    }
    this.#level.reader?.close?.();
    this.#level = this.#stack.pop() as Level;
    this.#afterValue();
    return at + 1;
  }

  #afterValue(): void {
    this.#expected = this.#level.kind === 'document' ? 'nothing' : 'comma-or-end';
  }

  #key(at: number, end: number): number {
    const close = this.#closingQuote(at, end);
    if (close < 0) return -1;
    if (this.#level.reader !== undefined) this.#level.key = this.#string(at, close);
    this.#expected = 'colon';
    return close + 1;
  }

  #value(byte: number, at: number, end: number): number {
    if (byte === OPEN_OBJECT) return this.#open('object', at);
    if (byte === OPEN_ARRAY) return this.#open('array', at);
    if (this.#level.kind === 'document') throw this.damaged(expectedForm('"{" or "["', this.#found(at, end)));
    const reader = this.#level.reader;
    if (byte === QUOTE) {
      const close = this.#closingQuote(at, end);
      if (close < 0) return -1;
      if (reader?.value !== undefined) reader.value(this.#level.key, this.#string(at, close));
      this.#afterValue();
      return close + 1;
    }
    const stop = endOfWord(this.#bytes, at, end);
    if (stop >= end) return -1;
    const value = this.#word(at, stop);
    reader?.value?.(this.#level.key, value);
    this.#afterValue();
    return stop;
  }

  #open(kind: JsonKind, at: number): number {
    if (this.#stack.length >= DEEPEST) throw this.damaged(`expected at most ${DEEPEST} levels of nesting`);
    const reader = this.#level.reader?.open?.(this.#level.key, kind);
    if (reader !== undefined && reader.kind !== kind) throw this.damaged(wrongKind(this.#level.key, reader.kind));
    this.#stack.push(this.#level);
    this.#level = { kind, reader, key: kind === 'array' ? 0 : '' };
    this.#expected = kind === 'array' ? 'value-or-end' : 'key-or-end';
    return at + 1;
  }

  /** A number, true, false or null. Nearly all of them are short plain digits, read without making a string. */
  #word(start: number, end: number): number | boolean | null {
    const bytes = this.#bytes;
    let value = 0;
    let at = start;
    for (; at < end && at - start < 15; at += 1) {
      const byte = bytes[at] as number;
      if (byte < ZERO || byte > NINE) break;
      value = value * 10 + (byte - ZERO);
    }
    if (at === end && at > start && (bytes[start] !== ZERO || end - start === 1)) return value;
    const text = this.#slice(start, end);
    if (NUMBER.test(text)) return Number(text);
    const literal = Object.hasOwn(LITERALS, text) ? LITERALS[text] : undefined;
    if (literal === undefined) throw this.damaged(expectedForm('a value', this.#found(start, end)));
    return literal;
  }

  #closingQuote(open: number, end: number): number {
    const bytes = this.#bytes;
    for (let at = open + 1; ; ) {
      const quote = bytes.indexOf(QUOTE, at);
      if (quote < 0 || quote >= end) return -1;
      let backslashes = 0;
      while (bytes[quote - 1 - backslashes] === BACKSLASH) backslashes += 1;
      if (backslashes % 2 === 0) return quote;
      at = quote + 1;
    }
  }

  #string(open: number, close: number): string {
    let isPlain = true;
    let slot = 0;
    for (let at = open + 1; at < close; at += 1) {
      const byte = this.#bytes[at] as number;
      if (byte === BACKSLASH || byte < 32) isPlain = false;
      slot = (slot * 31 + byte) & (KNOWN_TEXTS - 1);
    }
    if (isPlain && close - open > LONGEST_KNOWN) return this.#slice(open + 1, close);
    if (isPlain) {
      const text = this.#knownOrNew(open + 1, close, this.#known[slot] as string);
      this.#known[slot] = text;
      return text;
    }
    try {
      return JSON.parse(this.#slice(open, close + 1)) as string;
    } catch {
      throw this.damaged('expected a text in quotes as JSON writes it');
    }
  }

  /** Names of members repeat for every line: the text of one that was read before is not made again. */
  #knownOrNew(start: number, end: number, known: string): string {
    if (known.length !== end - start) return this.#slice(start, end);
    for (let index = 0; index < known.length; index += 1) {
      if (known.charCodeAt(index) !== this.#bytes[start + index]) return this.#slice(start, end);
    }
    return known;
  }

  #found(at: number, end: number): string {
    return this.#slice(at, Math.max(Math.min(endOfWord(this.#bytes, at, end), at + 100), at + 1));
  }

  #slice(start: number, end: number): string {
    return Buffer.from(this.#bytes.buffer, start, end - start).toString('utf8');
  }
}

function isBlank(byte: number): boolean {
  return byte === 32 || byte === 10 || byte === 13 || byte === 9;
}

/** Where a number or a literal ends: at a blank or at punctuation. */
function endOfWord(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end) {
    const byte = bytes[at] as number;
    const isInside =
      (byte >= ZERO && byte <= NINE) || (byte | 32) >= 97 || byte === 43 || byte === 46 || byte === MINUS;
    if (!isInside || byte === OPEN_ARRAY || byte === CLOSE_ARRAY || byte === OPEN_OBJECT || byte === CLOSE_OBJECT)
      break;
    at += 1;
  }
  return at;
}

function cutOff(kind: 'object' | 'array'): string {
  return `expected ${kind === 'object' ? '"}"' : '"]"'}, but the file ends`;
}

function wrongKind(key: string | number, kind: 'object' | 'array'): string {
  const under = key === '' ? '' : ` under ${JSON.stringify(key).slice(0, 80)}`;
  return `expected an ${kind}${under}`;
}
