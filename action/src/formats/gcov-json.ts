import { posix } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { CoverageFormat, ParsedReport } from './coverage-format.ts';
import type { FileHits } from './file-hits.ts';
import { type JsonHits, membersOf, parseJson, readJsonHead, readNamed } from './json-hits.ts';
import type { JsonKey, JsonReader, JsonScalar } from './json-reader.ts';
import { branchKey } from './lcov-branch.ts';
import { damage, type ReportBytes, readStart } from './report-bytes.ts';

const UNPACK_FIRST = 'expected a whole gzip file of up to 16 MiB, 64 MiB unpacked; gunzip larger ones first';

const GZIP = '\x1f\x8b';
/** zlib’s, as a number: its constants would load it at the start. */
const SYNC_FLUSH = 2;
/** How much of a packed file is enough to tell what is in it. */
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
  const files = parsed.files.map((file) => file.renamed(posix.resolve(folder, file.name)));
  return { ...parsed, files, sources: [], isPlaced: true };
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

/** What `gcovr --json` writes: gcov's own lines, merged, with what it does not count marked. */
export const gcovrJson: CoverageFormat = {
  name: 'gcovr',
  globs: ['*gcovr*.json', 'coverage*.json'],
  matches: (head) => readJsonHead(head).has('gcovr/format_version'),
  parse: (report) =>
    parseJson(report, (hits) => ({
      kind: 'object',
      open: (member) => (member === 'files' ? readGcovFiles(hits) : undefined),
    })),
};

type Members = Map<JsonKey, JsonScalar>;

/** gcovr's marks for what it does not count. */
const EXCLUDED = ['gcovr/noncode', 'gcovr/excluded'];

/** The `files` of gcov's JSON and of gcovr's. A file's name comes behind its lines. */
function readGcovFiles(hits: JsonHits): JsonReader {
  return { kind: 'array', open: () => readFile(hits) };
}

function readFile(hits: JsonHits): JsonReader {
  return readNamed(
    'file',
    (file, member) => (member === 'lines' ? { kind: 'array', open: () => readLine(file, hits) } : undefined),
    (file, name) => {
      if (file.lastLine > 0) hits.file(name).merge(file);
    },
  );
}

/** A line comes once for each function that holds it: hits are summed, arms are the function's own. */
function readLine(file: FileHits, hits: JsonHits): JsonReader {
  const members: Members = new Map();
  const branches: Members[] = [];
  return {
    kind: 'object',
    value: (member, value) => members.set(member, value),
    open: (member) => (member === 'branches' ? { kind: 'array', open: () => readBranch(branches) } : undefined),
    close: () => {
      if (isExcluded(members)) return;
      const line = hits.line(members.get('line_number') ?? null);
      if (line === 0) return;
      file.addLine(line, hits.hits(members.get('count') ?? null));
      const block = branchKey(String(members.get('function_name') ?? ''));
      branches.forEach((branch, index) => {
        if (!isExcluded(branch))
          file.addBranch(line, block, armOf(branch, index), hits.hits(branch.get('count') ?? null));
      });
    },
  };
}

function readBranch(branches: Members[]): JsonReader {
  const members: Members = new Map();
  branches.push(members);
  return { kind: 'object', value: (member, value) => members.set(member, value) };
}

function isExcluded(members: Members): boolean {
  return EXCLUDED.some((mark) => members.get(mark) === true);
}

/** gcovr numbers the arms of a line; gcov lists them. */
function armOf(branch: Members, index: number): number {
  const stated = branch.get('branchno');
  return typeof stated === 'number' && Number.isSafeInteger(stated) && stated >= 0 ? stated : index;
}
