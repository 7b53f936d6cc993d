import { type Column, putValue } from '../../core/coverage/column.ts';
import { type BranchColumns, NO_BRANCHES } from '../../core/coverage/file-coverage.ts';
import { damage } from './byte-reader.ts';
import type { StreamReaders, StreamWriters } from './chunk-streams.ts';
import { LARGE, unpackValue } from './hits-column.ts';

// A branch has its hits in `values` and one byte in `keys`, where tools number branches as usual:

/** The next branch of the same block. */
const NEXT_BRANCH = 0;
/** 1 to 126: the first branch of block 0, 0 to 125 lines further down. */
const BLOCK_ZERO = 1;
/** 127 to 252: the first branch of the next block, 0 to 125 lines further down. */
const NEXT_BLOCK = 127;
const NO_KEY = 253;
/** Line distance, block and branch follow in `large`. */
const FULL_KEY = 255;
const MAX_DISTANCE = NEXT_BLOCK - BLOCK_ZERO;
const MAX_KEY = Number.MAX_SAFE_INTEGER;
const MAX_INT32 = 0x7fff_ffff;
const MAX_USUAL_LINE = 2 ** 30;

/** Answers how many branches are covered. Columns are sorted by key (rule 6). */
export function packBranches(branches: BranchColumns, { keys, values, large }: StreamWriters): number {
  const { hits } = branches;
  const codes = keys.reserve(hits.length);
  const bytes = values.reserve(hits.length);
  const [firstKey, firstValue] = [keys.length, values.length];
  const last = new BranchKey();
  let covered = 0;
  for (let index = 0; index < hits.length; index += 1) {
    const line = branches.line[index] as number;
    const block = branches.block[index] as number;
    const branch = branches.branch[index] as number;
    const code = last.codeTo(line, block, branch);
    codes[firstKey + index] = code;
    if (code === FULL_KEY) {
      large.writeVarint(line - last.line);
      large.writeSigned(block);
      large.writeSigned(branch);
    }
    last.move(line, block, branch);
    const value = hits[index] as number;
    if (value > 0) covered += 1;
    bytes[firstValue + index] = value < LARGE ? value : LARGE;
    if (value >= LARGE) large.writeVarint(value - LARGE);
  }
  keys.advance(firstKey + hits.length);
  values.advance(firstValue + hits.length);
  return covered;
}

/** The inverse of packBranches, into the narrowest columns: within `room`, where they can be. */
export function unpackBranches(
  count: number,
  streams: StreamReaders,
  room: ArrayBuffer = new ArrayBuffer(16 * count),
): BranchColumns {
  if (count === 0) return NO_BRANCHES;
  const { keys, values, large } = streams;
  const starts = [keys.position, values.position, large.position] as const;
  const usual = unpackUsual(count, streams, room);
  if (usual !== undefined) return usual;
  keys.skipTo(starts[0]);
  values.skipTo(starts[1]);
  large.skipTo(starts[2]);
  let line: Column = new Int32Array(count);
  let block: Column = new Int32Array(count);
  let branch: Column = new Int32Array(count);
  let hits: Column = new Int32Array(count);
  const last = new BranchKey();
  for (let index = 0; index < count; index += 1) {
    last.read(streams, index === 0);
    line = putValue(line, index, last.line);
    block = putValue(block, index, last.block);
    branch = putValue(branch, index, last.branch);
    hits = putValue(hits, index, unpackValue(streams));
  }
  return { line, block, branch, hits };
}

/**
 * Branches numbered as tools usually do, with hits below 2 ** 31: the same in a fifth of the time, since no key is an
 * object and no number may need a wider column. Undefined for any others, and for damage.
 */
function unpackUsual(count: number, streams: StreamReaders, room: ArrayBuffer): BranchColumns | undefined {
  const { bytes, position } = streams.keys;
  const column = (part: number): Int32Array => new Int32Array(room, room.byteLength - 4 * (4 - part) * count, count);
  const [lines, blocks, branches, hits] = [column(0), column(1), column(2), column(3)];
  let [line, block, branch] = [0, 0, -1];
  for (let index = 0; index < count; index += 1) {
    const code = bytes[position + index] ?? NO_KEY;
    if (code === NEXT_BRANCH) branch += 1;
    else if (code >= NO_KEY || (code === BLOCK_ZERO && index > 0) || line > MAX_USUAL_LINE) return undefined;
    else {
      const isNextBlock = code >= NEXT_BLOCK;
      line += code - (isNextBlock ? NEXT_BLOCK : BLOCK_ZERO);
      block = isNextBlock ? block + 1 : 0;
      branch = 0;
    }
    const value = unpackValue(streams);
    if (value > MAX_INT32) return undefined;
    lines[index] = line;
    blocks[index] = block;
    branches[index] = branch;
    hits[index] = value;
  }
  streams.keys.skipTo(position + count);
  return { line: lines, block: blocks, branch: branches, hits };
}

/** Whether some of these codes have their numbers elsewhere. */
export function hasFullKeys(codes: Uint8Array): boolean {
  return codes.includes(FULL_KEY);
}

/** Skips the branches of another file than the one asked for. */
export function skipBranches(count: number, streams: StreamReaders): void {
  const last = new BranchKey();
  for (let index = 0; index < count; index += 1) {
    last.read(streams, index === 0);
    unpackValue(streams);
  }
}

/** The key that was written or read last: the next one is stored as its distance from it. */
class BranchKey {
  line = 0;
  block = 0;
  branch = -1;

  move(line: number, block: number, branch: number): void {
    this.line = line;
    this.block = block;
    this.branch = branch;
  }

  codeTo(line: number, block: number, branch: number): number {
    const distance = line - this.line;
    if (distance === 0 && block === this.block && branch === this.branch + 1) return NEXT_BRANCH;
    if (branch !== 0 || distance >= MAX_DISTANCE) return FULL_KEY;
    if (block === 0) return BLOCK_ZERO + distance;
    return block === this.block + 1 ? NEXT_BLOCK + distance : FULL_KEY;
  }

  /** Moves to the next key. Keys rise (rule 6): one that does not is damage. */
  read(streams: StreamReaders, first: boolean): void {
    const { line, block, branch } = this;
    const code = streams.keys.readByte();
    if (code === NEXT_BRANCH) this.branch += 1;
    else if (code < NEXT_BLOCK) this.move(line + code - BLOCK_ZERO, 0, 0);
    else if (code < NO_KEY) this.move(line + code - NEXT_BLOCK, block + 1, 0);
    else if (code === FULL_KEY)
      this.move(line + streams.large.readVarint(), streams.large.readSigned(), streams.large.readSigned());
    else throw damage(`a branch key of kind ${code} does not exist`);
    const rises = this.line - line || this.block - block || this.branch - branch;
    if (!first && !(rises > 0)) throw damage('the branches of a file are out of order');
    if (this.line > MAX_KEY || this.block > MAX_KEY || this.branch > MAX_KEY)
      throw damage('a branch has a number beyond all numbers');
  }
}
