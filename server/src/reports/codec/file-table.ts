import { MAX_FILE_LINES } from '../../core/coverage/file-coverage.ts';
import type { CoverageTotals } from '../../core/coverage/totals.ts';
import { ByteReader, damage } from './byte-reader.ts';
import { ByteWriter } from './byte-writer.ts';
import { type DigestColumn, packDigests, unpackDigests } from './digests.ts';
import { type NameColumns, packNames, unpackNames } from './name-columns.ts';
import { MAX_FILES, MAX_REPORT_BRANCHES, MAX_REPORT_LINES } from './report-limits.ts';

/** Jobs whose reports were merged differ about a file's text: in its digest, in its stored source, or in both. */
export const DIGESTS_DIFFER = 1;
export const SOURCES_DIFFER = 2;

/** What is known of a file without opening its chunk. */
export interface FileEntry {
  readonly name: string;
  readonly digest: string | undefined;
  readonly source: string | undefined;
  /** Length of its hits column. */
  readonly lines: number;
  readonly totals: CoverageTotals;
}

const MAX_COUNT = Math.max(MAX_REPORT_LINES, MAX_REPORT_BRANCHES);

/** The table as it lies in memory: a column per fact, so that one file is found without making all the others. */
export interface FileTable {
  readonly count: number;
  readonly names: NameColumns;
  readonly digests: DigestColumn;
  readonly sources: DigestColumn;
  /** Only of a merged report that is to be merged further. */
  readonly differing: Uint8Array | undefined;
  readonly lines: Uint32Array;
  readonly relevantLines: Uint32Array;
  readonly coveredLines: Uint32Array;
  readonly branches: Uint32Array;
  readonly coveredBranches: Uint32Array;
}

/** Column by column: names share their beginnings, and like numbers beside each other compress well. */
export function packTable(files: readonly FileEntry[], differing?: readonly number[]): Uint8Array {
  const out = new ByteWriter(files.length * 64 + 64);
  out.writeVarint(files.length);
  packNames(
    files.map((file) => file.name),
    out,
  );
  packDigests(
    files.map((file) => file.digest),
    out,
  );
  packDigests(
    files.map((file) => file.source),
    out,
  );
  for (const file of files) out.writeVarint(file.lines);
  for (const file of files) out.writeVarint(file.lines - file.totals.relevantLines);
  for (const file of files) out.writeVarint(file.totals.relevantLines - file.totals.coveredLines);
  for (const file of files) out.writeVarint(file.totals.branches);
  for (const file of files) out.writeVarint(file.totals.branches - file.totals.coveredBranches);
  for (const kind of differing ?? []) out.writeByte(kind);
  return out.view();
}

/** The inverse of packTable; a Failure for bytes that it never writes. */
export function unpackTable(bytes: Uint8Array, merged: boolean): FileTable {
  const reader = new ByteReader(bytes, 'the table of files');
  const count = reader.readVarint(Math.min(MAX_FILES, bytes.length));
  const names = unpackNames(count, reader);
  const digests = unpackDigests(count, reader);
  const sources = unpackDigests(count, reader);
  const lines = new Uint32Array(count);
  expectAtMost(reader.readVarints(lines, MAX_FILE_LINES), MAX_REPORT_LINES, 'lines');
  const relevantLines = readRest(lines, reader);
  const coveredLines = readRest(relevantLines, reader);
  const branches = new Uint32Array(count);
  expectAtMost(reader.readVarints(branches, MAX_REPORT_BRANCHES), MAX_REPORT_BRANCHES, 'branches');
  const coveredBranches = readRest(branches, reader);
  const differing = merged ? reader.readBytes(count) : undefined;
  reader.expectEnd();
  const totals = { lines, relevantLines, coveredLines, branches, coveredBranches };
  return { count, names, digests, sources, differing, ...totals };
}

export function totalsAt(table: FileTable, index: number): CoverageTotals {
  return {
    coveredLines: table.coveredLines[index] as number,
    relevantLines: table.relevantLines[index] as number,
    coveredBranches: table.coveredBranches[index] as number,
    branches: table.branches[index] as number,
  };
}

/** Each is what a column of differences leaves of the whole. One check at the end halves the time: 8 µs, not 17. */
function readRest(whole: Uint32Array, reader: ByteReader): Uint32Array {
  const column = new Uint32Array(whole.length);
  reader.readVarints(column, MAX_COUNT);
  let signs = 0;
  for (let index = 0; index < whole.length; index += 1) {
    const rest = (whole[index] as number) - (column[index] as number);
    signs |= rest;
    column[index] = rest;
  }
  if (signs < 0) throw damage('the table of files counts more of a part than of the whole');
  return column;
}

function expectAtMost(sum: number, limit: number, what: string): void {
  if (sum > limit) throw damage(`it declares ${sum} ${what}, and at most ${limit} are possible`);
}
