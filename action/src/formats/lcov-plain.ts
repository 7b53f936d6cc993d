import { type FileHits, MAX_LINE } from './file-hits.ts';
import { LARGEST_SMALL } from './number-column.ts';

const NEWLINE = 10;
const RETURN = 13;
const COMMA = 44;
const DASH = 45;
const ZERO = 48;
const COLON = 58;
const UPPER_A = 65;
const UPPER_B = 66;
const UPPER_D = 68;
const UPPER_F = 70;
const UPPER_L = 76;
const UPPER_R = 82;
const UPPER_Z = 90;
/** More of them may not fit 4 bytes. */
const MAX_DIGITS = 9;
const NOT_PLAIN = -1;

/**
 * Reads DA and BRDA records in plain digits, nearly all of a report, and passes over functions and sums. It writes to
 * the columns of a file itself: with a call of FileHits for each record, a report took a quarter more time.
 */
export class PlainRecords {
  /** How many the last call read. */
  lines = 0;
  #file!: FileHits;
  #hits!: Int32Array;
  /** The highest line. */
  #last = 0;
  #groups!: Int32Array;
  #end = 0;
  /** For the groups, if no more is written. */
  #room = 0;

  /** Returns where the first other line begins, or `stop`. Each line up to there ends in a newline. */
  read(bytes: Uint8Array, start: number, stop: number, file: FileHits): number {
    this.#file = file;
    this.#open();
    let lines = 0;
    let at = start;
    while (at < stop) {
      const first = bytes[at];
      let next = NOT_PLAIN;
      if (first === UPPER_D) next = this.#readLine(bytes, at);
      else if (first === UPPER_B) next = this.#readBranch(bytes, at);
      else if (first === UPPER_F || first === UPPER_L) next = passOver(bytes, at);
      if (next === NOT_PLAIN) break;
      at = next;
      lines += 1;
    }
    this.#close();
    this.lines = lines;
    return at;
  }

  #open(): void {
    const { lines, branches } = this.#file.open;
    this.#hits = lines.small;
    this.#last = lines.length;
    this.#groups = branches.groups.small;
    this.#end = branches.groups.length;
    this.#room = branches.room;
  }

  #close(): void {
    const { lines, branches } = this.#file.open;
    lines.reach(this.#last);
    branches.groups.reach(this.#end);
  }

  /** `DA:<line>,<hits>`, a checksum behind a further comma skipped. */
  #readLine(bytes: Uint8Array, start: number): number {
    if (bytes[start + 1] !== UPPER_A || bytes[start + 2] !== COLON) return NOT_PLAIN;
    let at = start + 3;
    let digit = (bytes[at] as number) ^ ZERO;
    let line = 0;
    for (; digit < 10; digit = (bytes[++at] as number) ^ ZERO) line = (line * 10 + digit) | 0;
    if (bytes[at] !== COMMA || line === 0 || line > MAX_LINE || at - start > MAX_DIGITS + 3) return NOT_PLAIN;
    const hitsStart = ++at;
    digit = (bytes[at] as number) ^ ZERO;
    let hits = 0;
    for (; digit < 10; digit = (bytes[++at] as number) ^ ZERO) hits = (hits * 10 + digit) | 0;
    if (at === hitsStart || at - hitsStart > MAX_DIGITS) return NOT_PLAIN;
    const byte = bytes[at];
    if (byte === COMMA) at = bytes.indexOf(NEWLINE, at);
    else if (byte === RETURN && bytes[at + 1] === NEWLINE) at += 1;
    else if (byte !== NEWLINE) return NOT_PLAIN;
    this.#addLine(line, hits);
    return at + 1;
  }

  #addLine(line: number, hits: number): void {
    const index = line - 1;
    const values = this.#hits;
    if (index < values.length) {
      const before = values[index] as number;
      const sum = before === 0 ? hits + 1 : before + hits;
      if (sum <= LARGEST_SMALL) {
        values[index] = sum;
        if (line > this.#last) this.#last = line;
        return;
      }
    }
    this.#close();
    this.#file.addLine(line, hits);
    this.#open();
  }

  /** `BRDA:<line>,<block>,<branch>,<hits>` or `-` for the hits. */
  #readBranch(bytes: Uint8Array, start: number): number {
    if (bytes[start + 1] !== UPPER_R || bytes[start + 2] !== UPPER_D) return NOT_PLAIN;
    if (bytes[start + 3] !== UPPER_A || bytes[start + 4] !== COLON) return NOT_PLAIN;
    let at = start + 5;
    let from = at;
    let line = 0;
    let digit = (bytes[at] as number) ^ ZERO;
    for (; digit < 10; digit = (bytes[++at] as number) ^ ZERO) line = (line * 10 + digit) | 0;
    if (bytes[at] !== COMMA || line === 0 || line > MAX_LINE || at - from > MAX_DIGITS) return NOT_PLAIN;
    from = ++at;
    let block = 0;
    digit = (bytes[at] as number) ^ ZERO;
    for (; digit < 10; digit = (bytes[++at] as number) ^ ZERO) block = (block * 10 + digit) | 0;
    if (bytes[at] !== COMMA || at === from || at - from > MAX_DIGITS) return NOT_PLAIN;
    from = ++at;
    let branch = 0;
    digit = (bytes[at] as number) ^ ZERO;
    for (; digit < 10; digit = (bytes[++at] as number) ^ ZERO) branch = (branch * 10 + digit) | 0;
    if (bytes[at] !== COMMA || at === from || at - from > MAX_DIGITS) return NOT_PLAIN;
    from = ++at;
    let hits = 0;
    if (bytes[at] === DASH) at += 1;
    else {
      digit = (bytes[at] as number) ^ ZERO;
      for (; digit < 10; digit = (bytes[++at] as number) ^ ZERO) hits = (hits * 10 + digit) | 0;
    }
    if (bytes[at] !== NEWLINE || at === from || at - from > MAX_DIGITS) return NOT_PLAIN;
    this.#addBranch(line, block, branch, hits);
    return at + 1;
  }

  #addBranch(line: number, block: number, branch: number, hits: number): void {
    const end = this.#end;
    if (end < this.#room) {
      const groups = this.#groups;
      groups[end] = line;
      groups[end + 1] = block;
      groups[end + 2] = branch;
      groups[end + 3] = hits;
      this.#end = end + 4;
      return;
    }
    this.#close();
    this.#file.addBranch(line, block, branch, hits);
    this.#open();
  }
}

/** Records of functions, and sums: no name that is read begins with their letters. */
function passOver(bytes: Uint8Array, start: number): number {
  let at = start;
  while ((bytes[at] as number) >= UPPER_A && (bytes[at] as number) <= UPPER_Z) at += 1;
  if (bytes[at] !== COLON) return NOT_PLAIN;
  while (bytes[at] !== NEWLINE) at += 1;
  return at + 1;
}
