import type { CoverageFormat } from './coverage-format.ts';
import type { FileHits } from './file-hits.ts';
import { firstOf, type JsonHits, type JsonMembers, membersOf, parseJson, readJsonHead } from './json-hits.ts';
import type { JsonReader } from './json-reader.ts';

/** grcov's covdir: folders within folders, with a list of hits for each file; -1 is no code. */
export const covdir: CoverageFormat = {
  name: 'covdir',
  globs: ['covdir*.json', '*grcov*.json'],
  matches(head) {
    const root = readJsonHead(head);
    if (!root.has('children')) return false;
    if (root.has('linesTotal') && root.has('coveragePercent')) return true;
    let file: JsonMembers = root;
    while (file.has('children')) file = firstOf(file.get('children'));
    return typeof membersOf(file.get('coverage')).get(0) === 'number';
  },
  parse: (report) => parseJson(report, (hits) => readFolder('', hits)),
};

/** A folder, or a file. */
function readFolder(path: string, hits: JsonHits): JsonReader {
  const below = path === '' || path.endsWith('/') ? path : `${path}/`;
  return {
    kind: 'object',
    open: (member) => {
      if (member === 'coverage') return readLines(hits.file(path), hits);
      if (member !== 'children') return undefined;
      return { kind: 'object', open: (name) => readFolder(below + name, hits) };
    },
  };
}

function readLines(file: FileHits, hits: JsonHits): JsonReader {
  return {
    kind: 'array',
    value: (index, value) => {
      if (value !== -1) file.addLine(hits.line((index as number) + 1), hits.hits(value));
    },
  };
}
