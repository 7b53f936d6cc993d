import { zstdDecompressSync } from 'node:zlib';
import type { Column } from '../../core/coverage/column.ts';
import type { FileCoverage } from '../../core/coverage/file-coverage.ts';
import { fileTotals } from '../../core/coverage/totals.ts';
import { type UncoveredPlace, uncoveredPlaces } from '../../core/coverage/uncovered-places.ts';
import { Failure } from '../../core/failure.ts';
import { type FindFile, listCounts, openReport } from '../codec/decode-report.ts';
import {
  type FilePage,
  type FilePart,
  type LinePage,
  MAX_PLACES,
  MAX_SHOWN_LINE,
  MAX_SHOWN_TEXT,
  type ReportReader,
  SHORT_LINE,
} from '../report-reader.ts';

/** What a reader is asked, as it crosses to a thread. */
export type Asked<Question extends keyof ReportReader> = Parameters<ReportReader[Question]>[0];

/** No text that was stored is longer: V8 has no longer strings. */
const MAX_SOURCE_BYTES = 2 ** 29;

/** ReportReader.listFiles, on this thread. */
export function listFilePage({ report, offset, limit }: Asked<'listFiles'>): FilePage {
  const files = listCounts(report);
  return { total: files.length, files: files.slice(offset, offset + limit) };
}

/** ReportReader.readFile, on this thread. */
export function readOneFile({ report, ...asked }: Asked<'readFile'>): FilePart | undefined {
  return readPart(openReport(report), asked);
}

/** ReportReader.readFiles, on this thread. */
export function readSomeFiles({ report, files }: Asked<'readFiles'>): readonly (FilePart | undefined)[] {
  const findFile = openReport(report);
  return files.map((asked) => readPart(findFile, asked));
}

function readPart(
  findFile: FindFile,
  { name, offset, limit }: Omit<Asked<'readFile'>, 'report'>,
): FilePart | undefined {
  const file = findFile(name);
  if (file === undefined) return undefined;
  const { source, hits } = file;
  const part = hits.slice(offset, offset + limit);
  const summary = { name, source, lines: hits.length, totals: fileTotals(file) };
  return { ...summary, hits: part, ...sliceBranches(file, offset, limit), ...findPlaces(file, offset, limit) };
}

function sliceBranches({ branches }: FileCoverage, offset: number, limit: number): Pick<FilePart, 'branches'> {
  const { line, block, branch, hits } = branches;
  let [start, end] = [0, line.length];
  // A report may have branches of a line 0: they come with the first line.
  while (offset > 0 && start < end && (line[start] as number) <= offset) start += 1;
  while (end > start && (line[end - 1] as number) > offset + limit) end -= 1;
  const cut = (column: Column): Column => column.slice(start, end);
  return { branches: { line: cut(line), block: cut(block), branch: cut(branch), hits: cut(hits) } };
}

type Places = Pick<FilePart, 'places' | 'placeCount' | 'placeBefore' | 'placeAfter'>;

function findPlaces(file: FileCoverage, offset: number, limit: number): Places {
  const places: UncoveredPlace[] = [];
  let placeCount = 0;
  let placeBefore: number | undefined;
  let placeAfter: number | undefined;
  for (const place of uncoveredPlaces(file)) {
    placeCount += 1;
    if (place.first <= offset) placeBefore = place.first;
    else if (place.first > offset + limit) placeAfter ??= place.first;
    else if (places.length < MAX_PLACES) places.push(place);
  }
  return { places, placeCount, placeBefore, placeAfter };
}

/** ReportReader.readLines, on this thread. A last line break ends the last line and begins no other. */
export function readSourceLines({ source, offset, limit }: Asked<'readLines'>, maxBytes?: number): LinePage {
  const text = unpackText(source, maxBytes);
  const lines: string[] = [];
  let total = 0;
  let shown = 0;
  for (let start = 0; start < text.length; total += 1) {
    const found = text.indexOf('\n', start);
    const end = found < 0 ? text.length : found;
    if (total >= offset && total < offset + limit) {
      const line = cutLine(text, { start, end, max: shown < MAX_SHOWN_TEXT ? MAX_SHOWN_LINE : SHORT_LINE });
      shown += line.length;
      lines.push(line);
    }
    start = end + 1;
  }
  return { total, lines };
}

function cutLine(text: string, line: { readonly start: number; readonly end: number; readonly max: number }): string {
  const { start, end, max } = line;
  if (end - start <= max) return text.slice(start, end).replace(/\r$/, '');
  return `${text.slice(start, start + max - 1)}…`;
}

/** A stored source text; a Failure for one that is damaged or longer. */
export function unpackText(bytes: Uint8Array, maxBytes = MAX_SOURCE_BYTES): string {
  try {
    return new TextDecoder().decode(zstdDecompressSync(bytes, { maxOutputLength: maxBytes }));
  } catch (cause) {
    throw new Failure('internal', 'A stored source text cannot be read: its bytes are damaged. Upload the job again.', {
      cause,
    });
  }
}
