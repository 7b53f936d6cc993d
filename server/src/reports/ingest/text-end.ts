import { type Column, NOT_RELEVANT } from '../../core/coverage/column.ts';
import type { BranchColumns } from '../../core/coverage/file-coverage.ts';
import { type PackedFile, packBranchColumns, packHitsColumn, unpackColumns } from '../codec/packed-file.ts';

/** What any language ends a line with. */
const LINE_ENDS = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g;

/** A file without what its report says of lines that its text does not have; `left` is how many lines those are. */
export function withinText(file: PackedFile, text: string): { readonly file: PackedFile; readonly left: number } {
  if (!isShorter(text, file.hits.lines)) return { file, left: 0 };
  const { hits, branches } = unpackColumns(file);
  const end = countLines(text);
  const left = countBeyond(hits, branches, end);
  if (left === 0) return { file, left };
  return {
    file: { ...file, hits: packHitsColumn(hits.slice(0, end)), branches: packBranchColumns(branchesTo(branches, end)) },
    left,
  };
}

/** By its line feeds alone, and no further than asked for. */
function isShorter(text: string, lines: number): boolean {
  let found = text.endsWith('\n') ? 0 : 1;
  for (let at = text.indexOf('\n'); at >= 0 && found < lines; at = text.indexOf('\n', at + 1)) found += 1;
  return found < lines;
}

function countLines(text: string): number {
  const ends = text.match(LINE_ENDS)?.length ?? 0;
  return /[\n\v\f\r\u0085\u2028\u2029]$/.test(text.slice(-1)) ? ends : ends + 1;
}

function countBeyond(hits: Column, branches: BranchColumns, end: number): number {
  const lines = new Set<number>();
  for (let index = end; index < hits.length; index += 1) if (hits[index] !== NOT_RELEVANT) lines.add(index + 1);
  for (const line of branches.line) if (line > end) lines.add(line);
  return lines.size;
}

/** They are in the order of their lines. */
function branchesTo({ line, block, branch, hits }: BranchColumns, end: number): BranchColumns {
  const after = line.findIndex((one) => one > end);
  const count = after < 0 ? line.length : after;
  return {
    line: line.slice(0, count),
    block: block.slice(0, count),
    branch: branch.slice(0, count),
    hits: hits.slice(0, count),
  };
}
