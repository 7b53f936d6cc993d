import { type BranchColumn, type VisitBranch, WIDTH } from './branch-column.ts';
import { LARGEST_SMALL, type NumberColumn } from './number-column.ts';
import { ESCAPE, PackedReader, type PackedWriter } from './packed-numbers.ts';

type Place = PackedWriter['place'];

/** Takes one relevant line. */
export type VisitLine = (line: number, hits: number) => void;

/** Packs a column of lines. */
export function packLines(lines: NumberColumn, writer: PackedWriter): void {
  writer.writeColumn(lines.values, lines.length);
}

/**
 * Packs branches behind the lines: how many there are, then the hits of each, flagged unless it is the next branch of
 * its block. Behind a flag stand how many lines further it is, its block and its branch.
 */
export function packBranches(branches: BranchColumn, writer: PackedWriter): void {
  let lastLine = 0;
  let lastBlock = -1;
  let lastBranch = -1;
  const { values, length } = branches.joined();
  writer.write(length / WIDTH);
  for (let at = 0; at < length; at += WIDTH) {
    const line = values[at] as number;
    const block = values[at + 1] as number;
    const branch = values[at + 2] as number;
    const hits = values[at + 3] as number;
    const isNext = line === lastLine && block === lastBlock && branch === lastBranch + 1;
    writer.write(hits, !isNext);
    if (!isNext) {
      writer.write(line - lastLine);
      writer.write(block);
      writer.write(branch);
    }
    lastLine = line;
    lastBlock = block;
    lastBranch = branch;
  }
}

/** How many lines were packed at a place. */
export function readLength({ block, at }: Place): number {
  return new PackedReader(block, at).read();
}

/** Reads the relevant lines of a place. */
export function readLines({ block, at }: Place, visit: VisitLine): void {
  passLines(new PackedReader(block, at), visit);
}

/** Adds the lines of a place to a column: directly where both are small, else one by one. */
export function addLines(place: Place, column: NumberColumn, addOne: VisitLine): void {
  const reader = new PackedReader(place.block, place.at);
  const length = reader.read();
  if (!reader.flag) {
    readLines(place, addOne);
    return;
  }
  const bytes = reader.readBytes(length);
  column.reserve(length);
  let sums = column.small;
  for (let index = 0; index < length; index += 1) {
    const byte = bytes[index] as number;
    if (byte === 0) continue;
    const value = byte === ESCAPE ? reader.read() : byte;
    const before = sums[index] as number;
    // Both are one more than the hits. A column that is not small has no sums here.
    const sum = before === 0 ? value : before + value - 1;
    if (sum <= LARGEST_SMALL) sums[index] = sum;
    else {
      column.reach(index);
      addOne(index + 1, value - 1);
      sums = column.small;
    }
  }
  column.reach(length);
}

/** Reads the branches of a place. */
export function readBranches({ block, at }: Place, visit: VisitBranch): void {
  const reader = new PackedReader(block, at);
  passLines(reader);
  let [line, ofLine, branch] = [0, 0, 0];
  for (let left = reader.read(); left > 0; left -= 1) {
    const hits = reader.read();
    if (reader.flag) {
      line += reader.read();
      ofLine = reader.read();
      branch = reader.read();
    } else branch += 1;
    visit(line, ofLine, branch, hits);
  }
}

function passLines(reader: PackedReader, visit?: VisitLine): void {
  const length = reader.read();
  if (reader.flag) {
    passBytes(reader, length, visit);
    return;
  }
  for (let line = 1; line <= length; ) {
    const value = reader.read();
    const next = line + 1 + (reader.flag ? reader.read() : 0);
    if (value === 0 || visit === undefined) line = next;
    else for (; line < next; line += 1) visit(line, value - 1);
  }
}

function passBytes(reader: PackedReader, length: number, visit?: VisitLine): void {
  const bytes = reader.readBytes(length);
  for (let at = 0; at < length; at += 1) {
    const byte = bytes[at] as number;
    const value = byte === ESCAPE ? reader.read() : byte;
    if (value > 0 && visit !== undefined) visit(at + 1, value - 1);
  }
}
