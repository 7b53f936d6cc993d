import type { FileCoverage, Report } from '../../core/coverage/file-coverage.ts';
import { type CoverageTotals, fileTotals } from '../../core/coverage/totals.ts';
import { skipBranches, unpackBranches } from './branch-columns.ts';
import { damage } from './byte-reader.ts';
import { STREAM_NAMES, type StreamReaders, unpackStreams } from './chunk-streams.ts';
import { type OpenReport, openContainer } from './container.ts';
import { type FileEntry, type FileTable, totalsAt } from './file-table.ts';
import { skipHits, unpackHits } from './hits-column.ts';
import { allNames, findName } from './name-columns.ts';

/**
 * The inverse of encodeReport: columns as narrow as their numbers allow. Bytes that are cut, flipped or made up are a
 * Failure of code internal or, where they happen to be well-formed, a valid report; never a crash, nor an allocation
 * beyond report-limits.ts.
 */
export function decodeReport(bytes: Uint8Array): Report {
  const report = openContainer(bytes);
  const names = allNames(report.table.names);
  const files: FileCoverage[] = [];
  for (let chunk = 0; chunk < report.chunks.length; chunk += 1) {
    const streams = openChunk(report, chunk);
    const end = Math.min(names.length, (chunk + 1) * report.chunkFiles);
    for (let index = chunk * report.chunkFiles; index < end; index += 1) {
      files.push(unpackFile({ table: report.table, index, name: names[index] as string, streams }));
    }
    for (const name of STREAM_NAMES) streams[name].expectEnd();
  }
  return { files };
}

/** One file of an open report; undefined when the report has no file of that name. */
export type FindFile = (name: string) => FileCoverage | undefined;

/** Opens a report once for several files, and only their chunks: each once, in the order of the questions. */
export function openReport(bytes: Uint8Array): FindFile {
  const report = openContainer(bytes);
  const { table } = report;
  let open: { readonly chunk: number; readonly streams: StreamReaders; next: number } | undefined;
  return (name) => {
    const index = findName(table.names, name);
    if (index < 0) return undefined;
    const chunk = Math.floor(index / report.chunkFiles);
    const at =
      open?.chunk === chunk && open.next <= index
        ? open
        : { chunk, streams: openChunk(report, chunk), next: chunk * report.chunkFiles };
    const { streams } = at;
    for (; at.next < index; at.next += 1) {
      skipHits(table.lines[at.next] as number, streams);
      skipBranches(table.branches[at.next] as number, streams);
    }
    at.next += 1;
    open = at;
    return unpackFile({ table, index, name, streams });
  };
}

/** The counts of one file, without opening a chunk; undefined when the report has no file of that name. */
export function readTotals(bytes: Uint8Array, name: string): CoverageTotals | undefined {
  const { table } = openContainer(bytes);
  const index = findName(table.names, name);
  return index < 0 ? undefined : totalsAt(table, index);
}

/** Under which its files' texts are stored, each once, without opening a chunk. */
export function listTexts(bytes: Uint8Array): ReadonlySet<string> {
  const { table } = openContainer(bytes);
  const texts = new Set<string>();
  for (let index = 0; index < table.count; index += 1) {
    const source = table.sources.at(index);
    if (source !== undefined) texts.add(source);
  }
  return texts;
}

/** What a report says of a file, and whether its jobs differ in it. */
export interface ListedFile extends FileEntry {
  /** DIGESTS_DIFFER, SOURCES_DIFFER, both or 0. */
  readonly differing: number;
}

/** Names, digests and totals of all files, in order of name, without opening a chunk. */
export function listFiles(bytes: Uint8Array): ListedFile[] {
  const { table } = openContainer(bytes);
  return countsOf(table).map((counts, index) => ({
    ...counts,
    digest: table.digests.at(index),
    source: table.sources.at(index),
    differing: table.differing?.[index] ?? 0,
  }));
}

export type FileCounts = Pick<FileEntry, 'name' | 'lines' | 'totals'>;

/** The same without digests. */
export function listCounts(bytes: Uint8Array): FileCounts[] {
  return countsOf(openContainer(bytes).table);
}

function countsOf(table: FileTable): FileCounts[] {
  return allNames(table.names).map((name, index) => ({
    name,
    lines: table.lines[index] as number,
    totals: totalsAt(table, index),
  }));
}

export function openChunk(report: OpenReport, index: number): StreamReaders {
  const chunk = report.chunks[index];
  if (chunk === undefined) throw damage(`chunk ${index + 1} is missing`);
  return unpackStreams(chunk.entry, chunk.bytes);
}

/** A file whose streams are open at its beginning. */
export interface PackedFile {
  readonly table: FileTable;
  readonly index: number;
  readonly name: string;
  readonly streams: StreamReaders;
}

export function unpackFile({ table, index, name, streams }: PackedFile): FileCoverage {
  const lines = table.lines[index] as number;
  const count = table.branches[index] as number;
  // One buffer for all: merging reads each once, and its time is that of memory that is not in the processor's cache.
  const room = new ArrayBuffer(4 * (lines + 4 * count));
  const hits = unpackHits(lines, streams, new Int32Array(room, 0, lines));
  const branches = unpackBranches(count, streams, room);
  if (!equalTotals(fileTotals({ hits, branches }), totalsAt(table, index)))
    throw damage(`the totals of file ${index + 1} do not fit`);
  return { name, digest: table.digests.at(index), source: table.sources.at(index), hits, branches };
}

function equalTotals(a: CoverageTotals, b: CoverageTotals): boolean {
  return (
    a.coveredLines === b.coveredLines &&
    a.relevantLines === b.relevantLines &&
    a.coveredBranches === b.coveredBranches &&
    a.branches === b.branches
  );
}
