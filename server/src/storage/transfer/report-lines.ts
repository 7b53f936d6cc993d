import { createHash } from 'node:crypto';
import { z } from 'zod';
import { NOT_RELEVANT, narrowColumn } from '../../core/coverage/column.ts';
import { type FileCoverage, MAX_FILE_LINES } from '../../core/coverage/file-coverage.ts';
import { branchesFromGroups } from '../../core/coverage/merge.ts';
import type { CoverageTotals } from '../../core/coverage/totals.ts';
import { openContainer } from '../../reports/codec/container.ts';
import { openChunk, unpackFile } from '../../reports/codec/decode-report.ts';
import { createReportEncoder } from '../../reports/codec/encode-report.ts';
import { allNames } from '../../reports/codec/name-columns.ts';
import {
  MAX_DIGEST_LENGTH,
  MAX_FILES,
  MAX_NAME_LENGTH,
  MAX_REPORT_BRANCHES,
  MAX_REPORT_LINES,
} from '../../reports/codec/report-limits.ts';
import { form, sha256 } from './plain-forms.ts';

/** A report as lines of JSON, a file each, as a source file of the upload API is (docs/export.md). */
export function* writeReportLines(bytes: Uint8Array): Generator<string> {
  const report = openContainer(bytes);
  const names = allNames(report.table.names);
  for (let chunk = 0; chunk < report.chunks.length; chunk += 1) {
    const streams = openChunk(report, chunk);
    const end = Math.min(names.length, (chunk + 1) * report.chunkFiles);
    for (let index = chunk * report.chunkFiles; index < end; index += 1)
      yield writeFile(unpackFile({ table: report.table, index, name: names[index] as string, streams }));
  }
}

function writeFile({ name, digest, source, hits, branches }: FileCoverage): string {
  const coverage = Array.from(hits, (value) => (value === NOT_RELEVANT ? null : value));
  const columns = [branches.line, branches.block, branches.branch, branches.hits];
  const groups = Array.from({ length: 4 * branches.hits.length }, (_, at) => columns[at % 4]?.[Math.floor(at / 4)]);
  return JSON.stringify({ name, source_digest: digest, source_sha256: source, coverage, branches: groups });
}

/** Numbers are checked by hand: of a report there are millions. */
const numbers = z.custom<readonly unknown[]>(Array.isArray);
const fileForm = form({
  name: z.string().min(1).max(MAX_NAME_LENGTH),
  source_digest: z.string().max(MAX_DIGEST_LENGTH).optional(),
  source_sha256: sha256.optional(),
  coverage: numbers,
  branches: numbers,
});

export interface ReadReport {
  readonly bytes: Uint8Array;
  readonly totals: CoverageTotals;
  readonly contentDigest: string;
  readonly files: number;
}

/** The stored form of such lines, already parsed; throws for what no export writes, and beyond the codec's limits. */
export async function readReportLines(lines: AsyncIterable<unknown>): Promise<ReadReport> {
  const hash = createHash('sha256');
  const encoder = createReportEncoder({ hash });
  const count = { files: 0, lines: 0, branches: 0 };
  let last: string | undefined;
  for await (const line of lines) {
    const file = readFile(line);
    if (last !== undefined && file.name <= last) throw new Error('files are not in order of name');
    last = file.name;
    count.files += 1;
    count.lines += file.hits.length;
    count.branches += file.branches.hits.length;
    if (count.files > MAX_FILES || count.lines > MAX_REPORT_LINES || count.branches > MAX_REPORT_BRANCHES)
      throw new Error('the report is larger than one can be');
    encoder.add(file);
  }
  const { bytes, totals } = encoder.finish();
  return { bytes, totals, contentDigest: hash.digest('hex'), files: count.files };
}

function readFile(line: unknown): FileCoverage {
  const { name, source_digest: digest, source_sha256: source, coverage, branches } = fileForm.parse(line);
  if (!name.isWellFormed() || !(digest ?? '').isWellFormed()) throw new Error('a text is not well-formed Unicode');
  if (coverage.length > MAX_FILE_LINES) throw new Error('a file has more lines than a file can have');
  if (branches.length % 4 !== 0) throw new Error('branches are not in groups of four');
  const hits = new Float64Array(coverage.length);
  for (let at = 0; at < hits.length; at += 1) hits[at] = coverage[at] === null ? NOT_RELEVANT : readCount(coverage[at]);
  const groups = new Float64Array(branches.length);
  for (let at = 0; at < groups.length; at += 1)
    // Line and hits are counts; block and branch may be anything.
    groups[at] = at % 4 === 0 || at % 4 === 3 ? readCount(branches[at]) : readInteger(branches[at]);
  return { name, digest, source, hits: narrowColumn(hits), branches: branchesFromGroups(groups) };
}

function readCount(value: unknown): number {
  const found = readInteger(value);
  if (found < 0) throw new Error('a count is negative');
  return found;
}

function readInteger(value: unknown): number {
  if (!Number.isSafeInteger(value)) throw new Error('a number is not a whole one');
  return value as number;
}
