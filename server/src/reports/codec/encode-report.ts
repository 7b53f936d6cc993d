import { createHash, type Hash } from 'node:crypto';
import { type FileCoverage, MAX_FILE_LINES, type Report } from '../../core/coverage/file-coverage.ts';
import { addTotals, type CoverageTotals, NO_TOTALS } from '../../core/coverage/totals.ts';
import { Failure } from '../../core/failure.ts';
import { packBranches } from './branch-columns.ts';
import { ByteWriter } from './byte-writer.ts';
import { type ChunkEntry, createStreams, packStreams, STREAM_NAMES, type StreamWriters } from './chunk-streams.ts';
import { packContainer } from './container.ts';
import { type FileEntry, packTable } from './file-table.ts';
import { packHits } from './hits-column.ts';
import { type PackedFile, type PackedReport, packedFileTotals } from './packed-file.ts';
import {
  CHUNK_FILES,
  MAX_DIGEST_LENGTH,
  MAX_FILES,
  MAX_NAME_LENGTH,
  MAX_REPORT_BRANCHES,
  MAX_REPORT_LINES,
  MAX_TABLE_BYTES,
  MERGED_CHUNK_FILES,
} from './report-limits.ts';

/** An encoded report with what was counted on the way. */
export interface EncodedReport {
  readonly bytes: Uint8Array;
  readonly totals: CoverageTotals;
  /**
   * Hex SHA-256 over the form before compression: equal names, digests, sources and columns, equal digest (rule 10).
   */
  readonly contentDigest: string;
}

/**
 * The stored form of a report: equal reports, equal bytes. Files are sorted by name, each once, names and digests
 * well-formed Unicode. A report beyond report-limits.ts is refused with a Failure of code payload-too-large.
 */
export function encodeReport(report: Report): Uint8Array {
  checkLimits(report);
  const encoder = createReportEncoder();
  for (const file of report.files) encoder.add(file);
  return encoder.finish().bytes;
}

/** What encodeReport makes of the same report, with the totals and the content digest. */
export function encodePacked(report: PackedReport): EncodedReport {
  checkPackedLimits(report);
  const hash = createHash('sha256');
  const encoder = createReportEncoder({ hash });
  for (const file of report.files) encoder.addPacked(file);
  const { bytes, totals } = encoder.finish();
  return { bytes, totals, contentDigest: hash.digest('hex') };
}

interface EncoderOptions {
  readonly hash?: Hash;
  readonly merged?: boolean;
}

/** Takes a report file by file, so that none but the last few need be in memory. */
export interface ReportEncoder {
  /** The columns are read at once. `differing`: what jobs disagree about (file-table.ts). */
  add(file: FileCoverage, differing?: number): void;
  addPacked(file: PackedFile): void;
  finish(): Omit<EncodedReport, 'contentDigest'>;
}

/** Larger buffers are left to the collector. */
const MAX_SPARE_BYTES = 2 ** 20;

/** For the report before: a thread clears its buffers instead of allocating 160 KB for each report. */
let spareStreams: StreamWriters | undefined;

/** `hash` is given the form before compression. `merged`: the report is only merged further. */
export function createReportEncoder({ hash, merged = false }: EncoderOptions = {}): ReportEncoder {
  const chunkFiles = merged ? MERGED_CHUNK_FILES : CHUNK_FILES;
  const streams = spareStreams ?? createStreams();
  spareStreams = undefined;
  const out = new ByteWriter(65_536);
  const entries: ChunkEntry[] = [];
  const table: FileEntry[] = [];
  const differing: number[] = [];
  let totals = NO_TOTALS;
  const endChunk = (): void => {
    entries.push(packStreams(streams, out));
    for (const name of STREAM_NAMES) {
      hash?.update(streams[name].view());
      streams[name].clear();
    }
  };
  const take = (entry: FileEntry, kind: number): void => {
    totals = addTotals(totals, entry.totals);
    table.push(entry);
    differing.push(kind);
    if (table.length % chunkFiles === 0) endChunk();
  };
  return {
    add: (file, kind = 0) => take(packFile(file, streams), kind),
    addPacked: (file) => take(copyFile(file, streams), 0),
    finish() {
      if (table.length % chunkFiles > 0) endChunk();
      const files = packTable(table, merged ? differing : undefined);
      if (files.length > MAX_TABLE_BYTES) throw tooLarge('bytes of file names', files.length, MAX_TABLE_BYTES);
      // The table holds the length of everything before it, so that no two reports hash the same bytes.
      hash?.update(files);
      if (STREAM_NAMES.every((name) => streams[name].capacity <= MAX_SPARE_BYTES)) spareStreams = streams;
      return { bytes: packContainer({ table: files, entries, chunks: out.view(), merged }), totals };
    },
  };
}

function packFile(file: FileCoverage, streams: StreamWriters): FileEntry {
  const lines = packHits(file.hits, streams);
  const coveredBranches = packBranches(file.branches, streams);
  return {
    name: file.name,
    digest: file.digest,
    source: file.source,
    lines: file.hits.length,
    totals: { ...lines, coveredBranches, branches: file.branches.hits.length },
  };
}

function copyFile(file: PackedFile, { runs, values, keys, large }: StreamWriters): FileEntry {
  const { name, digest, source, hits, branches } = file;
  runs.writePart(hits.bytes, hits.at, hits.runs);
  values.writePart(hits.bytes, hits.at + hits.runs, hits.values);
  large.writePart(hits.bytes, hits.at + hits.runs + hits.values, hits.large);
  keys.writePart(branches.bytes, branches.at, branches.keys);
  values.writePart(branches.bytes, branches.at + branches.keys, branches.values);
  large.writePart(branches.bytes, branches.at + branches.keys + branches.values, branches.large);
  return { name, digest, source, lines: hits.lines, totals: packedFileTotals(file) };
}

function checkLimits({ files }: Report): void {
  const sizes = new ReportSizes(files.length);
  for (const { name, digest, hits, branches } of files) sizes.add(name, digest, hits.length, branches.hits.length);
}

function checkPackedLimits({ files }: PackedReport): void {
  const sizes = new ReportSizes(files.length);
  for (const { name, digest, hits, branches } of files) sizes.add(name, digest, hits.lines, branches.keys);
}

/** Refuses what is beyond report-limits.ts. */
class ReportSizes {
  #lines = 0;
  #branches = 0;

  constructor(files: number) {
    if (files > MAX_FILES) throw tooLarge('source files', files, MAX_FILES);
  }

  add(name: string, digest: string | undefined, lines: number, branches: number): void {
    if (name.length > MAX_NAME_LENGTH) throw tooLarge('characters in a file name', name.length, MAX_NAME_LENGTH);
    if ((digest ?? '').length > MAX_DIGEST_LENGTH)
      throw tooLarge('characters in a digest', (digest ?? '').length, MAX_DIGEST_LENGTH);
    if (lines > MAX_FILE_LINES) throw tooLarge('lines in a file', lines, MAX_FILE_LINES);
    this.#lines += lines;
    this.#branches += branches;
    if (this.#lines > MAX_REPORT_LINES) throw tooLarge('lines', this.#lines, MAX_REPORT_LINES);
    if (this.#branches > MAX_REPORT_BRANCHES) throw tooLarge('branches', this.#branches, MAX_REPORT_BRANCHES);
  }
}

/** More than report-limits.ts allow. */
export class ReportTooLarge extends Failure {
  readonly excess: { readonly what: string; readonly seen: number; readonly limit: number };

  constructor(excess: ReportTooLarge['excess']) {
    const { what, seen, limit } = excess;
    const sentence = `A report can hold at most ${limit} ${what}; this one has ${seen}. Split it by flag or directory.`;
    super('payload-too-large', sentence);
    this.excess = excess;
  }
}

function tooLarge(what: string, seen: number, limit: number): Failure {
  return new ReportTooLarge({ what, seen, limit });
}
