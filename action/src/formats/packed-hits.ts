import type { BranchColumn, VisitBranch } from './branch-column.ts';
import type { NumberColumn } from './number-column.ts';
import { PackedReader, type PackedWriter } from './packed-numbers.ts';

type Place = PackedWriter['place'];

/** Takes one relevant line. */
export type VisitLine = (line: number, hits: number) => void;

/**
 * Packs a column of lines: how many there are, then each value, flagged where the number of further lines that have it
 * too follows.
 */
export function packLines(lines: NumberColumn, writer: PackedWriter): void {
  const { values, length } = lines;
  writer.write(length);
  writer.writeRuns(values, length);
}

/**
 * Packs branches behind the lines: how many there are, then the hits of each, flagged unless it is the next branch of
 * its block. Behind a flag stand how many lines further it is, its block and its branch.
 */
export function packBranches(branches: BranchColumn, writer: PackedWriter): void {
  let lastLine = 0;
  let lastBlock = -1;
  let lastBranch = -1;
  writer.write(branches.count());
  branches.each((line, block, branch, hits) => {
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
  });
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
  for (let line = 1; line <= length; ) {
    const value = reader.read();
    const next = line + 1 + (reader.flag ? reader.read() : 0);
    if (value === 0 || visit === undefined) line = next;
    else for (; line < next; line += 1) visit(line, value - 1);
  }
}
