import type { CoverageFormat } from './coverage-format.ts';
import type { FileHits } from './file-hits.ts';
import { type JsonHits, membersOf, parseJson, readJsonHead } from './json-hits.ts';
import type { JsonKey, JsonReader, JsonScalar } from './json-reader.ts';

/** What `xcrun xccov view --archive --json` writes: every line of each file, and whether it can run. */
export const xccov: CoverageFormat = {
  name: 'xccov',
  globs: ['*xccov*.json', '*xcresult*.json'],
  matches: (head) =>
    [...readJsonHead(head).values()].some((file) => membersOf(membersOf(file).get(0)).has('isExecutable')),
  parse: (report) => parseJson(report, (hits) => ({ kind: 'object', open: (name) => readFile(hits.file(name), hits) })),
};

function readFile(file: FileHits, hits: JsonHits): JsonReader {
  return { kind: 'array', open: () => readLine(file, hits) };
}

function readLine(file: FileHits, hits: JsonHits): JsonReader {
  const members = new Map<JsonKey, JsonScalar>();
  return {
    kind: 'object',
    value: (member, value) => members.set(member, value),
    close: () => {
      if (members.get('isExecutable') !== true) return;
      const line = hits.line(members.get('line') ?? null);
      if (line > 0) file.addLine(line, hits.hits(members.get('executionCount') ?? 0));
    },
  };
}
