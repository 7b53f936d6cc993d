import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { ActionFailure } from '../runner/failure.ts';

const CHUNK_BYTES = 1 << 20;
const SMALLEST_CHUNK_BYTES = 1 << 12;
/**
 * No line or tag of a real report is longer; without a bound one missing delimiter would hold the whole file in memory.
 */
const LONGEST_PIECE_BYTES = 64 << 20;
const NEWLINE = 10;
const HEAD_BYTES = 1 << 16;
/** The byte order mark of UTF-8, as Latin-1. */
const MARK = '\xef\xbb\xbf';

/** The bytes of one report: a file, or a buffer in tests. */
export interface ReportBytes {
  /** Relative to the workspace where it lies inside; for messages. */
  readonly path: string;
  readonly size: number;
  /** Copies up to `length` bytes from `position` into `target` at `offset`; returns how many, 0 at the end. */
  read(target: Uint8Array, offset: number, length: number, position: number): number;
}

/** Opens a report for as long as `use` runs. `path` is what messages call it. */
export function withReportFile<T>(file: { absolute: string; path: string }, use: (report: ReportBytes) => T): T {
  const handle = openSync(file.absolute, 'r');
  try {
    return use({
      path: file.path,
      size: fstatSync(handle).size,
      read: (target, offset, length, position) => readSync(handle, target, offset, length, position),
    });
  } finally {
    closeSync(handle);
  }
}

/** The first 64 KiB as Latin-1 text (one character for each byte), without a byte order mark. */
export function readHead(report: ReportBytes): string {
  const text = readStart(report, HEAD_BYTES).toString('latin1');
  return text.startsWith(MARK) ? text.slice(MARK.length) : text;
}

/** The first bytes: a file may give less at once than it was asked for. */
export function readStart(report: ReportBytes, max: number): Buffer {
  const start = Buffer.alloc(Math.min(max, report.size));
  let length = 0;
  for (let added = 1; added > 0; length += added) added = report.read(start, length, start.length - length, length);
  return start.subarray(0, length);
}

/** A piece of a report: `bytes` from 0 to `end`, the first of which is at `position` in the file, behind its mark. */
export interface Block {
  readonly bytes: Buffer;
  readonly end: number;
  readonly position: number;
  /** Nothing follows. A last block ends in a newline, added where the file has none. */
  readonly last: boolean;
}

/**
 * Runs `scan` over a report of any size in bounded memory. `scan` returns how many bytes it is done with; the rest
 * comes again at the front of the next block, with more behind it.
 */
export function scanBlocks(report: ReportBytes, scan: (block: Block) => number, chunkBytes = chunkFor(report)): void {
  let buffer = Buffer.alloc(chunkBytes * 2 + 1);
  let kept = 0;
  let position = readStart(report, MARK.length).toString('latin1') === MARK ? MARK.length : 0;
  for (;;) {
    const added = report.read(buffer, kept, Math.min(chunkBytes, buffer.length - 1 - kept), position + kept);
    const last = added === 0;
    let end = kept + added;
    if (last && end > 0 && buffer[end - 1] !== NEWLINE) {
      buffer[end] = NEWLINE;
      end += 1;
    }
    const done = scan({ bytes: buffer, end, position, last });
    if (last) return;
    buffer.copyWithin(0, done, end);
    kept = end - done;
    position += done;
    if (kept + chunkBytes > buffer.length - 1) buffer = grown(report, buffer, kept);
  }
}

/** No more than a small report needs: many a run has hundreds of them. */
function chunkFor({ size }: ReportBytes): number {
  return Math.min(CHUNK_BYTES, Math.max(size, SMALLEST_CHUNK_BYTES));
}

function grown(report: ReportBytes, buffer: Buffer, kept: number): Buffer<ArrayBuffer> {
  if (kept > LONGEST_PIECE_BYTES) {
    throw new ActionFailure(
      'report-damaged',
      `${report.path}: a line or tag is longer than 64 MiB. This is not a coverage report.`,
    );
  }
  const larger = Buffer.alloc(buffer.length * 2);
  larger.set(buffer.subarray(0, kept));
  return larger;
}

/** The line number, from 1, of the byte at `position`. Reads the report again up to there: only damage asks for it. */
export function lineAt(report: ReportBytes, position: number): number {
  const chunk = new Uint8Array(CHUNK_BYTES);
  let line = 1;
  let at = 0;
  while (at < position) {
    const length = report.read(chunk, 0, Math.min(chunk.length, position - at), at);
    if (length === 0) break;
    for (let index = 0; index < length; index += 1) if (chunk[index] === NEWLINE) line += 1;
    at += length;
  }
  return line;
}

/** The failure for damage in a report: file, line and what was expected there. */
export function damage(report: ReportBytes, line: number, expected: string): ActionFailure {
  return new ActionFailure(
    'report-damaged',
    `${report.path}, line ${line}: ${expected}. The report is damaged: check how it was written, or create it again.`,
  );
}

/** Gives a text report line by line, without line ends and byte order mark, in bounded memory. */
export function readLines(report: ReportBytes, take: (text: string, line: number) => void): void {
  let line = 0;
  scanBlocks(report, ({ bytes, end, last }) => {
    const block = Buffer.from(bytes.buffer, bytes.byteOffset, end);
    const stop = last ? end : block.lastIndexOf(NEWLINE) + 1;
    let at = 0;
    while (at < stop) {
      const lineEnd = block.indexOf(NEWLINE, at);
      line += 1;
      take(block.toString('utf8', at, lineEnd).replace(/\r$/, ''), line);
      at = lineEnd + 1;
    }
    return stop;
  });
}
