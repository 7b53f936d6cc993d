import type { CoverageFormat } from './coverage-format.ts';
import { FileHits } from './file-hits.ts';
import { firstOf, type JsonHits, membersOf, parseJson, readJsonHead } from './json-hits.ts';
import type { JsonReader, JsonScalar } from './json-reader.ts';

/** What `cargo tarpaulin --out Json` writes: a path is a list of its parts. */
export const tarpaulinJson: CoverageFormat = {
  name: 'tarpaulin',
  globs: ['tarpaulin-report*.json'],
  // The path alone decides: the source text behind it may be longer than what is looked at.
  matches: (head) => membersOf(firstOf(readJsonHead(head).get('files')).get('path')).has(0),
  parse: (report) =>
    parseJson(report, (hits) => ({
      kind: 'object',
      open: (member) => (member === 'files' ? { kind: 'array', open: () => readFile(hits) } : undefined),
    })),
};

function readFile(hits: JsonHits): JsonReader {
  const file = new FileHits('');
  const parts: JsonScalar[] = [];
  return {
    kind: 'object',
    open: (member) => {
      if (member === 'path') return { kind: 'array', value: (_, part) => parts.push(part) };
      return member === 'traces' ? { kind: 'array', open: () => readTrace(file, hits) } : undefined;
    },
    close: () => hits.file(joined(parts)).merge(file),
  };
}

/** The first part of an absolute path is its root: `/`, or `C:\`. */
function joined([first, ...rest]: readonly JsonScalar[]): string {
  if (first === undefined) return '';
  const root = String(first);
  return /[\\/]$/.test(root) ? root + rest.join('/') : [root, ...rest].join('/');
}

function readTrace(file: FileHits, hits: JsonHits): JsonReader {
  let line: JsonScalar = null;
  let count: JsonScalar | undefined;
  const readStats: JsonReader = {
    kind: 'object',
    value: (member, value) => {
      if (member === 'Line') count = value;
    },
  };
  return {
    kind: 'object',
    value: (member, value) => {
      if (member === 'line') line = value;
    },
    open: (member, kind) => (member === 'stats' && kind === 'object' ? readStats : undefined),
    close: () => {
      if (count === undefined) return;
      const number = hits.line(line);
      if (number > 0) file.raiseLine(number, hits.hits(count));
    },
  };
}
