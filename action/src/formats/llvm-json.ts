import { type CoverageFormat, expectedForm } from './coverage-format.ts';
import { FileHits } from './file-hits.ts';
import { firstOf, type JsonHits, membersOf, parseJson, readJsonHead } from './json-hits.ts';
import type { JsonReader, JsonScalar } from './json-reader.ts';
import { branchKey } from './lcov-branch.ts';

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
        if (Number(line) < lines.line)
          throw hits.damaged(expectedForm('segments in the order of their lines', String(line)));
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

  function readRows(min: number, use: (row: readonly JsonScalar[]) => void): JsonReader {
    return { kind: 'array', open: () => readRow(hits, min, use) };
  }
}

function readRow(hits: JsonHits, min: number, use: (row: readonly JsonScalar[]) => void): JsonReader {
  const row: JsonScalar[] = [];
  return {
    kind: 'array',
    value: (_, value) => {
      if (row.length < 9) row.push(value);
    },
    close: () => {
      if (row.length < min) throw hits.damaged(expectedValues(min, row.length));
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

function expectedValues(min: number, found: number): string {
  return expectedForm(`${min} values`, String(found));
}

/** Where a region of code begins or ends, in the order of the file. */
interface Segment {
  readonly line: number;
  readonly count: number;
  readonly hasCount: boolean;
  /** A region with a count begins here, and it is no gap. */
  readonly isStart: boolean;
  /** A region without a count begins here: the preprocessor left it out. */
  readonly isSkipped: boolean;
}

/**
 * Makes lines of segments as LLVM's own LineCoverageStats does: a line runs as often as the region that reaches into
 * it, or the most frequent one that begins on it.
 */
class LlvmLines {
  readonly #file: FileHits;
  #wrapped: Segment | undefined;
  /** The line of the last segment. */
  line = 0;
  #segments: Segment[] = [];

  constructor(file: FileHits) {
    this.#file = file;
  }

  add(segment: Segment): void {
    if (segment.line !== this.line) {
      this.end();
      const last = this.#segments.at(-1);
      if (last !== undefined) this.#wrapped = last;
      this.#between(this.line + 1, segment.line);
      this.line = segment.line;
      this.#segments = [];
    }
    this.#segments.push(segment);
  }

  /** Counts the line that the last segments stand on. */
  end(): void {
    const [first] = this.#segments;
    if (first === undefined || this.line === 0) return;
    const starts = this.#segments.filter(({ isStart }) => isStart);
    const reaches = this.#wrapped?.hasCount === true;
    if (first.isSkipped || (!reaches && starts.length === 0)) return;
    const counts = starts.map(({ count }) => count);
    this.#file.raiseLine(this.line, Math.max(this.#wrapped?.count ?? 0, ...counts));
  }

  #between(from: number, before: number): void {
    if (this.#wrapped?.hasCount !== true) return;
    for (let line = from; line < before; line += 1) this.#file.raiseLine(line, this.#wrapped.count);
  }
}
