import { zstdDecompressSync } from 'node:zlib';
import type { FileCoverage } from '../domain/coverage/file-coverage.ts';
import { Failure } from '../domain/failure.ts';
import { type FilePage, type LinePage, MAX_SHOWN_LINE, type ReportReader } from '../ports/report-reader.ts';
import { decodeFile, listFiles } from '../report-codec/decode-report.ts';

/** What a reader is asked, as it crosses to a thread. */
export type Asked<Question extends keyof ReportReader> = Parameters<ReportReader[Question]>[0];

/** No text that was stored is longer: V8 has no longer strings. */
const MAX_SOURCE_BYTES = 2 ** 29;

/** ReportReader.listFiles, on this thread. */
export function listFilePage({ report, offset, limit }: Asked<'listFiles'>): FilePage {
  const files = listFiles(report);
  const page = files.slice(offset, offset + limit).map(({ name, lines, totals }) => ({ name, lines, totals }));
  return { total: files.length, files: page };
}

/** ReportReader.readFile, on this thread. */
export function readOneFile({ report, name }: Asked<'readFile'>): FileCoverage | undefined {
  return decodeFile(report, name);
}

/** ReportReader.readLines, on this thread. A last line break ends the last line and begins no other. */
export function readSourceLines({ source, offset, limit }: Asked<'readLines'>): LinePage {
  const text = unpackText(source);
  const lines: string[] = [];
  let total = 0;
  for (let start = 0; start < text.length; total += 1) {
    const found = text.indexOf('\n', start);
    const end = found < 0 ? text.length : found;
    if (total >= offset && total < offset + limit) lines.push(cutLine(text, start, end));
    start = end + 1;
  }
  return { total, lines };
}

function cutLine(text: string, start: number, end: number): string {
  if (end - start <= MAX_SHOWN_LINE) return text.slice(start, end).replace(/\r$/, '');
  return `${text.slice(start, start + MAX_SHOWN_LINE - 1)}…`;
}

function unpackText(bytes: Uint8Array): string {
  try {
    return new TextDecoder().decode(zstdDecompressSync(bytes, { maxOutputLength: MAX_SOURCE_BYTES }));
  } catch (cause) {
    throw new Failure('internal', 'A stored source text cannot be read: its bytes are damaged.', { cause });
  }
}
