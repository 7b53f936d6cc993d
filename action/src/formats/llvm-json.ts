import { expected, WANTED } from '../messages/json.ts';
import type { CoverageFormat } from './coverage-format.ts';
import { FileHits } from './file-hits.ts';
import { firstOf, membersOf, readJsonHead } from './json-head.ts';
import { type JsonHits, parseJson } from './json-hits.ts';
import type { JsonReader, JsonScalar } from './json-reader.ts';
import { branchKey } from './lcov-branch.ts';
import { LlvmLines } from './llvm-lines.ts';

/** What `llvm-cov export` writes, also cargo-llvm-cov --json: segments, which lines follow from. */
export const llvmJson: CoverageFormat = {
  name: 'llvm-cov',
  globs: ['*llvm-cov*.json', 'coverage*.json'],
  matches(head) {
    const data = membersOf(membersOf(readJsonHead(head).get('data')).get(0));
    const file = firstOf(data.get('files'));
    return file.has('segments') || file.has('branches') || file.has('expansions') || file.has('filename');
  },
  parse: (report) =>
    parseJson(report, (hits) => ({
      kind: 'object',
      open: (member) => (member === 'data' ? { kind: 'array', open: () => readExport(hits) } : undefined),
    })),
};

function readExport(hits: JsonHits): JsonReader {
  const readFiles: JsonReader = { kind: 'array', open: () => readFile(hits) };
  return { kind: 'object', open: (member) => (member === 'files' ? readFiles : undefined) };
}

function readFile(hits: JsonHits): JsonReader {
  const file = new FileHits('');
  const lines = new LlvmLines(file);
  let name: JsonScalar = null;
  let isSummary = true;
  return {
    kind: 'object',
    value: (member, value) => {
      if (member === 'filename') name = value;
    },
    open: (member) => {
      if (member === 'branches') return readRows(9, (row) => addBranch(row, file, hits));
      if (member !== 'segments') return undefined;
      isSummary = false;
      return readRows(5, (row) => {
        const [line = null, , count = null, hasCount, isEntry, isGap] = row;
        if (Number(line) < lines.line) throw hits.damaged(expected(WANTED.ordered, String(line)));
        const counted = hasCount === true || hasCount === 1;
        lines.add({
          line: hits.line(line),
          count: hits.hits(count),
          hasCount: counted,
          isStart: counted && (isEntry === true || isEntry === 1) && isGap !== true,
          isSkipped: !counted && (isEntry === true || isEntry === 1),
        });
      });
    },
    close: () => {
      if (isSummary) throw hits.damaged('expected "segments" in each file; run llvm-cov export without -summary-only');
      lines.end();
      hits.file(name).merge(file);
    },
  };

  function readRows(least: number, use: (row: readonly JsonScalar[]) => void): JsonReader {
    return { kind: 'array', open: () => readRow(hits, least, use) };
  }
}

function readRow(hits: JsonHits, least: number, use: (row: readonly JsonScalar[]) => void): JsonReader {
  const row: JsonScalar[] = [];
  return {
    kind: 'array',
    value: (_, value) => {
      if (row.length < 9) row.push(value);
    },
    close: () => {
      if (row.length < least) throw hits.damaged(expectedValues(least, row.length));
      use(row);
    },
  };
}

/** Known by where it stands: the instances of a template repeat it, and their hits are summed. */
function addBranch(row: readonly JsonScalar[], file: FileHits, hits: JsonHits): void {
  const [start = null, column, endLine, endColumn, taken = null, notTaken = null] = row;
  const line = hits.line(start);
  if (line === 0) return;
  const block = branchKey(`${column}-${endLine}:${endColumn}`);
  file.addBranch(line, block, 0, hits.hits(taken));
  file.addBranch(line, block, 1, hits.hits(notTaken));
}

function expectedValues(least: number, found: number): string {
  return expected(`${least} values`, String(found));
}
