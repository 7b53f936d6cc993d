import { type BranchColumn, type VisitBranch, WIDTH } from './branch-column.ts';
import type { NumberColumn } from './number-column.ts';
import { PackedReader, type PackedWriter } from './packed-numbers.ts';

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
    const bytes = reader.readBytes(length);
    if (visit !== undefined) visitBytes(bytes, visit);
    return;
  }
  for (let line = 1; line <= length; ) {
    const value = reader.read();
    const next = line + 1 + (reader.flag ? reader.read() : 0);
    if (value === 0 || visit === undefined) line = next;
    else for (; line < next; line += 1) visit(line, value - 1);
  }
}

function visitBytes(bytes: Uint8Array, visit: VisitLine): void {
  for (let at = 0; at < bytes.length; at += 1) {
    const value = bytes[at] as number;
    if (value > 0) visit(at + 1, value - 1);
  }
}
