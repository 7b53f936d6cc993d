import { posix } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { CoverageFormat, ParsedReport } from './coverage-format.ts';
import { readGcovFiles } from './gcov-lines.ts';
import { membersOf, readJsonHead } from './json-head.ts';
import { parseJson } from './json-hits.ts';
import { damage, type ReportBytes, readStart } from './report-bytes.ts';

const UNPACK_FIRST = 'expected a whole gzip file of up to 16 MiB, 64 MiB unpacked; gunzip larger ones first';

const GZIP = '\x1f\x8b';
/** Of zlib, as a number: its constants would load it at the start. */
const SYNC_FLUSH = 2;
/** So much of a packed file tells what is in it. */
const PACKED_HEAD = 4096;
const LARGEST_HEAD = 8 << 20;
/** gcov writes one file for each object file, a few hundred KB at most; this one is unpacked in memory. */
const LARGEST_PACKED = 16 << 20;
const LARGEST_UNPACKED = 64 << 20;

/** What `gcov --json-format` writes, packed or not: one entry for each line of each function. */
export const gcovJson: CoverageFormat = {
  name: 'gcov-json',
  globs: ['*.gcov.json.gz', '*.gcov.json'],
  matches(head) {
    const root = readJsonHead(head.startsWith(GZIP) ? unpackedHead(head) : head);
    const file = membersOf(membersOf(root.get('files')).get(0));
    return (root.has('gcc_version') || root.has('format_version')) && (file.has('lines') || file.has('file'));
  },
  parse: (report) => parseGcov(unpacked(report)),
};

/**
 * Names are relative to the folder that the compiler ran in, and to no other: `main.c` of a library that was compiled
 * elsewhere is not the checkout's.
 */
function parseGcov(report: ReportBytes): ParsedReport {
  const parsed = parseJson(report, (hits) => ({
    kind: 'object',
    open: (member) => (member === 'files' ? readGcovFiles(hits) : undefined),
    value: (member, value) => {
      if (member === 'current_working_directory' && typeof value === 'string') hits.sources.push(value);
    },
  }));
  const [folder = ''] = parsed.sources;
  if (!folder.startsWith('/')) return parsed;
  return { ...parsed, sources: [], files: parsed.files.map((file) => file.renamed(posix.resolve(folder, file.name))) };
}

function unpackedHead(head: string): string {
  const options = { finishFlush: SYNC_FLUSH, maxOutputLength: LARGEST_HEAD };
  try {
    return gunzipSync(Buffer.from(head.slice(0, PACKED_HEAD), 'latin1'), options).toString('latin1');
  } catch {
    return '';
  }
}

function unpacked(report: ReportBytes): ReportBytes {
  if (readStart(report, GZIP.length).toString('latin1') !== GZIP) return report;
  if (report.size > LARGEST_PACKED) throw damage(report, 1, UNPACK_FIRST);
  try {
    const bytes = gunzipSync(readStart(report, report.size), { maxOutputLength: LARGEST_UNPACKED });
    const read = (target: Uint8Array, offset: number, length: number, position: number) =>
      bytes.copy(target, offset, position, position + length);
    return { path: report.path, size: bytes.length, read };
  } catch {
    throw damage(report, 1, UNPACK_FIRST);
  }
}
