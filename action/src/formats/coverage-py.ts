import type { CoverageFormat } from './coverage-format.ts';
import type { FileHits } from './file-hits.ts';
import { firstOf, type JsonHits, parseJson, readJsonHead } from './json-hits.ts';
import type { JsonKey, JsonReader, JsonScalar } from './json-reader.ts';
import { branchKey } from './lcov-branch.ts';
import { damage, readHead } from './report-bytes.ts';

/** What coverage.py keeps while it runs; only coverage.py itself can tell which lines of it are code. */
const DATA_FILE = /^SQLite format 3\0/;

/** The JSON of `coverage json`: which lines and branches ran, not how often. */
export const coveragePy: CoverageFormat = {
  name: 'coveragepy',
  aliases: ['python'],
  globs: ['coverage*.json', '.coverage'],
  matches(head) {
    const root = readJsonHead(head);
    const file = firstOf(root.get('files'));
    return root.has('meta') && (file.has('executed_lines') || file.has('missing_lines'));
  },
  parse(report) {
    if (DATA_FILE.test(readHead(report)))
      throw damage(
        report,
        1,
        'expected JSON, got coverage.py\'s data file (.coverage); run "coverage lcov" or "coverage json" first',
      );
    return parseJson(report, (hits) => ({
      kind: 'object',
      open: (member) => (member === 'files' ? readFiles(hits) : undefined),
    }));
  },
};

function readFiles(hits: JsonHits): JsonReader {
  return { kind: 'object', open: (name) => readFile(hits.file(name), hits) };
}

function readFile(file: FileHits, hits: JsonHits): JsonReader {
  const readLines = (count: number): JsonReader => ({
    kind: 'array',
    value: (_, value) => {
      const line = hits.line(value);
      if (line > 0) file.raiseLine(line, count);
    },
  });
  const readBranches = (count: number): JsonReader => ({ kind: 'array', open: () => readBranch(file, hits, count) });
  const members = new Map<JsonKey, JsonReader>([
    ['executed_lines', readLines(1)],
    ['missing_lines', readLines(0)],
    ['executed_branches', readBranches(1)],
    ['missing_branches', readBranches(0)],
  ]);
  return { kind: 'object', open: (member) => members.get(member) };
}

/** `[from, to]`: the line that a branch leaves, and the one it goes to, below 0 for the way out of a function. */
function readBranch(file: FileHits, hits: JsonHits, count: number): JsonReader {
  const ends: JsonScalar[] = [];
  return {
    kind: 'array',
    value: (_, value) => ends.push(value),
    close: () => {
      const line = hits.line(ends[0] ?? null);
      if (line > 0) file.addBranch(line, 0, branchKey(String(ends[1])), count);
    },
  };
}
