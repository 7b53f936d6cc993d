import { FileHits } from './file-hits.ts';
import type { JsonHits } from './json-hits.ts';
import type { JsonKey, JsonReader, JsonScalar } from './json-reader.ts';
import { branchKey } from './lcov-branch.ts';

type Members = Map<JsonKey, JsonScalar>;

/** gcovr's marks for what it does not count. */
const EXCLUDED = ['gcovr/noncode', 'gcovr/excluded'];

/** The `files` of gcov's JSON and of gcovr's. A file's name comes behind its lines. */
export function readGcovFiles(hits: JsonHits): JsonReader {
  return { kind: 'array', open: () => readFile(hits) };
}

function readFile(hits: JsonHits): JsonReader {
  const file = new FileHits('');
  let name: JsonScalar = null;
  return {
    kind: 'object',
    value: (member, value) => {
      if (member === 'file') name = value;
    },
    open: (member) => (member === 'lines' ? { kind: 'array', open: () => readLine(file, hits) } : undefined),
    close: () => {
      if (file.lastLine > 0) hits.file(name).merge(file);
    },
  };
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
