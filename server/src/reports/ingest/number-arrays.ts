import { type Column, NOT_RELEVANT } from '../../core/coverage/column.ts';
import { NO_PACKED_BRANCHES } from '../codec/packed-file.ts';
import { PartPages } from '../codec/part-pages.ts';
import { NumberText } from '../kernel/number-text.ts';
import { cleanHits } from './hit-count.ts';
import type { ParsedBranches, ParsedHits } from './parsed-job.ts';

// For this file, though json-bytes.ts has them too: imported they cost a tenth of a scan.
const COMMA = 0x2c;
const CLOSE_BRACKET = 0x5d;
const ZERO = 0x30;
const SPACE = 0x20;
/** The four bytes of `null`. */
const NULL = 0x6e756c6c;

/** A number of up to nine digits fits into 31 bits. */
const MAX_DIGITS = 9;

/** Longer numbers are valid JSON, but no hits. */
const MAX_NUMBER_BYTES = 400;

/**
 * Each number that does not go the short way costs as much as a hundred that do; a job of nothing else would take a
 * minute.
 */
const MAX_RARE = 2 ** 21;

const JSON_NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?$/;

/** What an array holds: hits of lines, or flat groups of four numbers for branches. */
export type ArrayKind = 'coverage' | 'branches';

function skipSpace(bytes: Uint8Array, from: number): number {
  let at = from;
  for (let byte = bytes[at]; byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09; byte = bytes[at])
    at += 1;
  return at;
}

/**
 * Reads arrays of numbers straight from the bytes of a job into one growing buffer: no string, no array of boxed
 * numbers. Arrays of usual integers are left to the kernel, which packs them at once; in any other one
 * usual integers take the short way, and the rest is read as JSON.parse reads it.
 */
export class NumberArrays {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #text: NumberText;
  readonly #pages: PartPages;
  readonly #onNegative: (kind: ArrayKind, index: number) => void;
  #buffer = new Int32Array(4_096);
  /** Where the current array begins and the next one may. */
  #start = 0;
  #next = 0;
  /** Place and value of those numbers of the current array that do not fit into 31 bits. */
  #wide: { readonly index: number; readonly value: number }[] = [];
  #closed = false;
  #end = 0;
  /** Numbers so far that went the long way. */
  #rare = 0;

  constructor(bytes: Uint8Array, onNegative: (kind: ArrayKind, index: number) => void) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#text = new NumberText(bytes);
    // What is packed takes a fifth of its text or less.
    this.#pages = new PartPages(Math.min(65_536, bytes.length >>> 2));
    this.#onNegative = onNegative;
  }

  /** Behind the array that was read last; or below 0 when it could not be. */
  get end(): number {
    return this.#end;
  }

  /** The hits whose `[` is at `at`; undefined when something in them needs the slow path, which can say what. */
  readHits(at: number): ParsedHits | undefined {
    const text = this.#text;
    const lines = text.takeHits(at);
    if (lines < 0) return this.#read(at, 'coverage');
    this.#end = text.end;
    const [runs, values, large] = [text.result(0), text.result(1), text.result(2)];
    const { page: bytes, at: start } = this.#keep(runs + values + large);
    return { bytes, at: start, runs, values, large, lines, relevant: text.result(3), covered: text.result(4) };
  }

  /** The same of branches, and where their number is not a multiple of four. */
  readBranches(at: number): ParsedBranches | undefined {
    const text = this.#text;
    const keys = text.takeBranches(at);
    if (keys < 0) {
      const groups = this.#read(at, 'branches');
      return groups === undefined || groups.length % 4 !== 0 ? undefined : groups;
    }
    this.#end = text.end;
    if (keys === 0) return NO_PACKED_BRANCHES;
    const large = text.result(2);
    const { page: bytes, at: start } = this.#keep(2 * keys + large);
    return { bytes, at: start, keys, values: keys, large, covered: text.result(3) };
  }

  /** Copies what the kernel has packed. */
  #keep(length: number): PartPages {
    const pages = this.#pages;
    pages.reserve(length);
    this.#text.copy(length, pages.page, pages.at);
    return pages;
  }

  #read(at: number, kind: ArrayKind): Column | undefined {
    this.#start = this.#next;
    this.#wide = [];
    this.#end = this.#scan(at + 1, kind);
    if (this.#end < 0) return undefined;
    const column = this.#buffer.subarray(this.#start, this.#next);
    if (this.#wide.length === 0) return column;
    const wide = new Float64Array(column);
    for (const { index, value } of this.#wide) wide[index] = value;
    return wide;
  }

  /** Answers where the array ends, or -1. */
  #scan(from: number, kind: ArrayKind): number {
    const bytes = this.#bytes;
    let at = skipSpace(bytes, from);
    if (bytes[at] === CLOSE_BRACKET) return at + 1;
    for (;;) {
      at = this.#scanPlain(at, kind === 'coverage');
      if (this.#closed) return at;
      if (this.#next === this.#buffer.length) {
        this.#grow();
        continue;
      }
      at = this.#readNumber(skipSpace(bytes, at), kind);
      if (at < 0) return -1;
      at = skipSpace(bytes, at);
      if (bytes[at] === CLOSE_BRACKET) return at + 1;
      if (bytes[at] !== COMMA) return -1;
      at = skipSpace(bytes, at + 1);
    }
  }

  /**
   * The loop in which an upload spends its time: four bytes at once, as few unpredictable branches as possible. Reads
   * nulls and numbers of up to nine digits, up to the array's end or to a value that is anything else. Answers where it
   * stopped.
   */
  #scanPlain(from: number, nulls: boolean): number {
    const bytes = this.#bytes;
    const view = this.#view;
    const buffer = this.#buffer;
    const last = bytes.length - 4;
    let at = from;
    let token = from;
    let to = this.#next;
    this.#closed = false;
    while (at <= last && to < buffer.length) {
      token = at;
      const word = view.getUint32(at);
      let value = (word >>> 24) ^ ZERO;
      if (value > 9) {
        if (word !== NULL || !nulls) {
          at = skipSpace(bytes, at);
          if (at > token) continue;
          break;
        }
        value = NOT_RELEVANT;
        at += 4;
      } else {
        const second = ((word >>> 16) & 0xff) ^ ZERO;
        if (second > 9) at += 1;
        else {
          const third = ((word >>> 8) & 0xff) ^ ZERO;
          // A number does not begin with 0 unless it is 0.
          if (value === 0) break;
          value = value * 10 + second;
          if (third > 9) at += 2;
          else {
            value = value * 10 + third;
            at += 3;
            for (let digit = (bytes[at] as number) ^ ZERO; digit <= 9; digit = (bytes[at] as number) ^ ZERO) {
              value = (Math.imul(value, 10) + digit) | 0;
              at += 1;
            }
            if (at - token > MAX_DIGITS) break;
          }
        }
      }
      let byte = bytes[at] as number;
      if (byte <= SPACE) {
        at = skipSpace(bytes, at);
        byte = bytes[at] as number;
      }
      if (byte !== COMMA && byte !== CLOSE_BRACKET) break;
      at += 1;
      buffer[to] = value;
      to += 1;
      token = at;
      if (byte === CLOSE_BRACKET) {
        this.#closed = true;
        break;
      }
    }
    this.#next = to;
    return token;
  }

  /** Any number that JSON allows, as it is stored; null among hits. Answers where it ends, or -1. */
  #readNumber(token: number, kind: ArrayKind): number {
    const bytes = this.#bytes;
    this.#rare += 1;
    if (this.#rare > MAX_RARE) return -1;
    const index = this.#next - this.#start;
    let end = token;
    while (isNumberByte(bytes[end] as number) && end - token <= MAX_NUMBER_BYTES) end += 1;
    const text = Buffer.from(bytes.buffer, bytes.byteOffset + token, end - token).toString('latin1');
    if (text.length > MAX_NUMBER_BYTES || !JSON_NUMBER.test(text)) return -1;
    const number = Number(text);
    const key = kind === 'branches' && index % 4 !== 3;
    if (key && (!Number.isSafeInteger(number) || (index % 4 === 0 && number < 0))) return -1;
    if (!key && number < 0) this.#onNegative(kind, index);
    const value = key ? number + 0 : cleanHits(number);
    if (value !== (value | 0)) this.#wide.push({ index, value });
    this.#buffer[this.#next] = value;
    this.#next += 1;
    return end;
  }

  /** Moves the current array to the front of a new buffer; those before keep theirs. */
  #grow(): void {
    const count = this.#next - this.#start;
    // As many as the job can hold at most of usual numbers: 1 MB for each job of 90 KB had to be cleared.
    const usual = Math.min(262_144, this.#bytes.length >>> 2);
    const grown = new Int32Array(Math.max(this.#buffer.length, count * 2, usual));
    grown.set(this.#buffer.subarray(this.#start, this.#next));
    this.#buffer = grown;
    this.#start = 0;
    this.#next = count;
  }
}

/** Digits, sign, point and exponent. */
function isNumberByte(byte: number): boolean {
  return (
    (byte >= ZERO && byte <= ZERO + 9) ||
    byte === 0x2d ||
    byte === 0x2b ||
    byte === 0x2e ||
    byte === 0x65 ||
    byte === 0x45
  );
}
