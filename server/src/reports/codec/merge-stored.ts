import type { FileCoverage, Report } from '../../core/coverage/file-coverage.ts';
import { mergeFiles } from '../../core/coverage/merge.ts';
import { damage } from './byte-reader.ts';
import { STREAM_NAMES, type StreamReaders } from './chunk-streams.ts';
import { type OpenReport, openContainer } from './container.ts';
import { openChunk, unpackFile } from './decode-report.ts';
import { createReportEncoder } from './encode-report.ts';
import { FileSum } from './file-sum.ts';
import { DIGESTS_DIFFER, type FileTable, SOURCES_DIFFER, totalsAt } from './file-table.ts';
import { allNames, isSameNames } from './name-columns.ts';

/** Is given each merged file, in order of name. Its columns are valid until it returns. */
type TakeFile = (file: FileCoverage, differing: number) => void;

/**
 * Merges stored reports as mergeReports does (rule 6), a chunk of files at a time: of each report only its table and
 * one chunk are open, so that the memory does not grow with what they hold. `take` is also told what jobs disagree
 * about (file-table.ts), those within the reports too.
 */
export function mergeStored(reports: readonly Uint8Array[], take: TakeFile): void {
  const cursors = openCursors(reports);
  const sum = new FileSum();
  for (let name = leastName(cursors); name !== undefined; name = leastName(cursors)) {
    const holding = cursors.filter((cursor) => cursor.name === name);
    const { differing, ...texts } = agreeOnTexts(holding);
    take({ name, ...texts, ...(addUp(holding, sum) ?? mergeColumns(holding)) }, differing);
    for (const cursor of holding) cursor.next();
  }
}

/** Stored reports as one that can be merged further. */
export function mergeIntoStored(reports: readonly Uint8Array[]): Uint8Array {
  const encoder = createReportEncoder({ merged: true });
  mergeStored(reports, (file, differing) => encoder.add(file, differing));
  return encoder.finish().bytes;
}

/** A merged report in memory, and what its jobs disagree about, file by file. */
export interface MergedInMemory {
  readonly report: Report;
  readonly differing: readonly number[];
}

export function mergeIntoMemory(reports: readonly Uint8Array[]): MergedInMemory {
  const files: FileCoverage[] = [];
  const differing: number[] = [];
  mergeStored(reports, (file, kinds) => {
    const { hits } = file;
    files.push(hits.byteLength === hits.buffer.byteLength ? file : { ...file, hits: hits.slice() });
    differing.push(kinds);
  });
  return { report: { files }, differing };
}

/** What mergeIntoStored makes of the same reports. */
export function encodeMerged({ report, differing }: MergedInMemory): Uint8Array {
  const encoder = createReportEncoder({ merged: true });
  for (const [index, file] of report.files.entries()) encoder.add(file, differing[index]);
  return encoder.finish().bytes;
}

/** The files that jobs name with different digests. */
export function namesOfConflicts({ report, differing }: MergedInMemory): readonly string[] {
  return report.files.filter((_, index) => ((differing[index] ?? 0) & DIGESTS_DIFFER) > 0).map(({ name }) => name);
}

type Columns = Pick<FileCoverage, 'hits' | 'branches'>;

/** Undefined: the file needs mergeColumns. */
function addUp(holding: readonly ReportCursor[], sum: FileSum): Columns | undefined {
  if (holding.length === 1) return holding[0]?.read();
  sum.begin();
  for (const cursor of holding) if (!cursor.addTo(sum)) return undefined;
  return sum.finish();
}

/** The way that knows all numbers and all branches. */
function mergeColumns(holding: readonly ReportCursor[]): Columns {
  const { hits, branches } = mergeFiles(holding.map((cursor) => cursor.read()));
  return { hits, branches };
}

function agreeOnTexts(holding: readonly ReportCursor[]) {
  const [first, ...others] = holding as [ReportCursor, ...ReportCursor[]];
  let { digest, source, differing } = first.texts();
  for (const cursor of others) {
    // The legs of a matrix measure the same texts: nothing is compared file by file.
    if (cursor.tables === first.tables) continue;
    const texts = cursor.texts();
    differing |= texts.differing;
    if (differs(digest, texts.digest)) differing |= DIGESTS_DIFFER;
    if (differs(source, texts.source)) differing |= SOURCES_DIFFER;
    digest = smaller(digest, texts.digest);
    source = smaller(source, texts.source);
  }
  return { digest, source, differing };
}

function differs(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && a !== b;
}

function smaller(a: string | undefined, b: string | undefined): string | undefined {
  return a === undefined || (b !== undefined && b < a) ? b : a;
}

function openCursors(reports: readonly Uint8Array[]): readonly ReportCursor[] {
  const cursors: ReportCursor[] = [];
  for (const bytes of reports) {
    const report = openContainer(bytes);
    const [first] = cursors;
    const names = first !== undefined && isSameNames(first.table.names, report.table.names) ? first.names : undefined;
    const hasTexts = first !== undefined && names !== undefined && isSameTexts(first.table, report.table);
    cursors.push(new ReportCursor(report, names ?? allNames(report.table.names), hasTexts ? first.tables : report));
  }
  return cursors;
}

function isSameTexts(a: FileTable, b: FileTable): boolean {
  const agree = [a, b].every(({ differing }) => !differing?.some((kind) => kind > 0));
  return agree && a.digests.isSame(b.digests) && a.sources.isSame(b.sources);
}

function leastName(cursors: readonly ReportCursor[]): string | undefined {
  let min: string | undefined;
  for (const { name } of cursors) if (name !== undefined && (min === undefined || name < min)) min = name;
  return min;
}

/** A stored report, read file by file. */
class ReportCursor {
  readonly table: FileTable;
  readonly names: readonly string[];
  /** The same object for reports with the same names and texts. */
  readonly tables: object;
  /** For the file that is read next; undefined: there is none. */
  name: string | undefined;
  readonly #report: OpenReport;
  #index = -1;
  #streams: StreamReaders | undefined;
  /** Where the file begins in each stream. */
  readonly #starts = [0, 0, 0, 0];

  constructor(report: OpenReport, names: readonly string[], tables: object) {
    this.#report = report;
    this.table = report.table;
    this.names = names;
    this.tables = tables;
    this.next();
  }

  /** Only after the file was read. */
  next(): void {
    const streams = this.#streams;
    const { chunkFiles } = this.#report;
    this.#index += 1;
    this.name = this.names[this.#index];
    const isLast = this.name === undefined;
    if (this.#index % chunkFiles === 0 || isLast) {
      for (const name of STREAM_NAMES) streams?.[name].expectEnd();
      this.#streams = isLast ? undefined : openChunk(this.#report, this.#index / chunkFiles);
    }
    for (const [at, name] of STREAM_NAMES.entries()) this.#starts[at] = this.#streams?.[name].position ?? 0;
  }

  texts(): { readonly digest: string | undefined; readonly source: string | undefined; readonly differing: number } {
    const { digests, sources, differing } = this.table;
    const index = this.#index;
    return { digest: digests.at(index), source: sources.at(index), differing: differing?.[index] ?? 0 };
  }

  addTo(sum: FileSum): boolean {
    const { table } = this;
    const index = this.#index;
    return sum.add({ ...totalsAt(table, index), lines: table.lines[index] as number }, this.#open());
  }

  read(): FileCoverage {
    const { table, name = '' } = this;
    return unpackFile({ table, name, index: this.#index, streams: this.#open() });
  }

  /** The streams at the beginning of the file, also if a part of it was read. */
  #open(): StreamReaders {
    const streams = this.#streams;
    if (streams === undefined) throw damage('it has no further file');
    for (const [at, name] of STREAM_NAMES.entries()) streams[name].skipTo(this.#starts[at] as number);
    return streams;
  }
}
