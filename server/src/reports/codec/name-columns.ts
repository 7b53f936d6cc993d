import { isUtf8 } from 'node:buffer';
import { compareNames } from '../../core/coverage/merge.ts';
import { type ByteReader, damage } from './byte-reader.ts';
import type { ByteWriter } from './byte-writer.ts';
import { MAX_NAME_LENGTH } from './report-limits.ts';

/** Names without what each shares with the one before: bytes in common, bytes that follow, and those bytes. */
export interface NameColumns {
  readonly shared: Uint32Array;
  readonly rest: Uint32Array;
  readonly bytes: Uint8Array;
}

/** UTF-8 takes at most three bytes per UTF-16 code unit. */
const MAX_NAME_BYTES = 3 * MAX_NAME_LENGTH;
const USUAL_NAME_BYTES = 64;

/** `names` are sorted and well-formed Unicode. */
export function packNames(names: readonly string[], out: ByteWriter): void {
  // In one buffer: one for each name took twice as long.
  let encoded = Buffer.allocUnsafe(names.length * USUAL_NAME_BYTES + MAX_NAME_BYTES);
  const ends = new Uint32Array(names.length);
  const shared = new Uint32Array(names.length);
  for (let index = 0, start = 0, before = 0; index < names.length; index += 1) {
    if (encoded.length - start < MAX_NAME_BYTES) encoded = Buffer.concat([encoded], encoded.length * 2);
    const end = start + encoded.write(names[index] as string, start);
    shared[index] = commonPrefix(encoded, before, start, end);
    ends[index] = end;
    before = start;
    start = end;
  }
  for (const length of shared) out.writeVarint(length);
  const startOf = (index: number): number =>
    (index === 0 ? 0 : (ends[index - 1] as number)) + (shared[index] as number);
  for (let index = 0; index < names.length; index += 1) out.writeVarint((ends[index] as number) - startOf(index));
  for (let index = 0; index < names.length; index += 1)
    out.writePart(encoded, startOf(index), (ends[index] as number) - startOf(index));
}

export function unpackNames(count: number, reader: ByteReader): NameColumns {
  const shared = new Uint32Array(count);
  const rest = new Uint32Array(count);
  reader.readVarints(shared, MAX_NAME_BYTES);
  const total = reader.readVarints(rest, MAX_NAME_BYTES);
  let before = 0;
  for (let index = 0; index < count; index += 1) {
    if ((shared[index] as number) > before) throw damage('a file name begins with bytes that no name before it has');
    before = (shared[index] as number) + (rest[index] as number);
  }
  return { shared, rest, bytes: reader.readBytes(total) };
}

/** All names as strings; a Failure unless they are sorted, each once, and valid UTF-8 (rule 7). */
export function allNames(names: NameColumns): string[] {
  const buffer = Buffer.alloc(2 * MAX_NAME_BYTES);
  let at = 0;
  const all: string[] = [];
  for (let index = 0; index < names.rest.length; index += 1) {
    const shared = names.shared[index] as number;
    const end = shared + (names.rest[index] as number);
    buffer.set(names.bytes.subarray(at, at + end - shared), shared);
    at += end - shared;
    if (!isUtf8(buffer.subarray(0, end))) throw damage(`the name of file ${index + 1} is not UTF-8`);
    const name = buffer.toString('utf8', 0, end);
    if (index > 0 && compareNames(all[index - 1] as string, name) >= 0)
      throw damage(`file ${index + 1} is out of order`);
    all.push(name);
  }
  return all;
}

/** Whether both hold the same names, found without making strings. */
export function isSameNames(a: NameColumns, b: NameColumns): boolean {
  return (
    a.rest.length === b.rest.length &&
    Buffer.compare(a.bytes, b.bytes) === 0 &&
    a.rest.every((length, index) => length === b.rest[index] && a.shared[index] === b.shared[index])
  );
}

/** The index of a name, found without making strings of the others; -1 when there is no such file. */
export function findName(names: NameColumns, name: string): number {
  const wanted = Buffer.from(name);
  let at = 0;
  let matched = 0;
  for (let index = 0; index < names.rest.length; index += 1) {
    const shared = names.shared[index] as number;
    const rest = names.rest[index] as number;
    // Sharing more than what matched means the same mismatch again; sharing less moves the match back.
    if (shared <= matched) {
      matched = shared;
      const end = at + rest;
      let byte = at;
      while (byte < end && matched < wanted.length && names.bytes[byte] === wanted[matched]) {
        byte += 1;
        matched += 1;
      }
      if (byte === end && matched === wanted.length) return index;
    }
    at += rest;
  }
  return -1;
}

/** How many bytes the name from `start` to `end` has in common with the one from `before` to `start`. */
function commonPrefix(bytes: Uint8Array, before: number, start: number, end: number): number {
  const limit = Math.min(start - before, end - start);
  let length = 0;
  while (length < limit && bytes[before + length] === bytes[start + length]) length += 1;
  return length;
}
