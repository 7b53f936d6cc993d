import { type CoverageFormat, expectedForm } from './coverage-format.ts';
import type { FileHits } from './file-hits.ts';
import { type JsonHits, membersOf, parseJson, readJsonHead, readNamed } from './json-hits.ts';
import type { JsonKey, JsonReader } from './json-reader.ts';

/** The JSON that clients send to Coveralls, as excoveralls and gcovr write it to a file: only its files are read. */
export const coverallsJson: CoverageFormat = {
  name: 'coveralls',
  globs: ['*coveralls*.json'],
  matches: (head) => membersOf(membersOf(readJsonHead(head).get('source_files')).get(0)).has('name'),
  parse: (report) =>
    parseJson(report, (hits) => ({
      kind: 'object',
      open: (member) => (member === 'source_files' ? readFiles(hits) : undefined),
    })),
};

function readFiles(hits: JsonHits): JsonReader {
  return { kind: 'array', open: () => readFile(hits) };
}

function readFile(hits: JsonHits): JsonReader {
  const lines = (file: FileHits, member: JsonKey): JsonReader | undefined => {
    if (member === 'coverage') return readLines(file, hits);
    return member === 'branches' ? readBranches(file, hits) : undefined;
  };
  return readNamed('name', lines, (file, name) => hits.file(name).merge(file));
}

function readLines(file: FileHits, hits: JsonHits): JsonReader {
  return {
    kind: 'array',
    value: (index, value) => {
      if (value !== null) file.addLine(hits.line((index as number) + 1), hits.hits(value));
    },
  };
}

/** Flat groups of four: line, block, branch, hits. */
function readBranches(file: FileHits, hits: JsonHits): JsonReader {
  let group: number[] = [];
  return {
    kind: 'array',
    value: (_, value) => {
      group.push(group.length === 0 ? hits.line(value) : hits.hits(value));
      if (group.length < 4) return;
      const [line = 0, block = 0, branch = 0, taken = 0] = group;
      if (line > 0) file.addBranch(line, block, branch, taken);
      group = [];
    },
    close: () => {
      if (group.length > 0) throw hits.damaged(expectedForm('four numbers for each branch', String(group.length)));
    },
  };
}
