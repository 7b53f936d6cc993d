import { type CoverageFormat, expectedForm } from './coverage-format.ts';
import type { FileHits } from './file-hits.ts';
import { firstOf, type JsonHits, membersOf, parseJson, readJsonHead } from './json-hits.ts';
import type { JsonKey, JsonReader, JsonScalar } from './json-reader.ts';
import { branchKey } from './lcov-branch.ts';
import type { ReportBytes } from './report-bytes.ts';

/** `[:if, 0, 10, 4, 10, 51]`: what it is, its id, and the line that it begins on. */
const BRANCH = /^\[[^,]+, *\d+, *(\d+),/;

/** Members of coverage.json beside the files. */
const NO_COMMANDS: ReadonlySet<JsonKey> = new Set(['total', 'groups', 'errors']);

/** SimpleCov's `.resultset.json`: what each command (RSpec, Minitest) ran. */
export const simpleCov: CoverageFormat = {
  name: 'simplecov',
  globs: ['.resultset.json', 'resultset*.json'],
  matches(head) {
    const command = firstOf(readJsonHead(head));
    const files = membersOf(command.get('coverage'));
    const isFirst = firstOf(files).has('lines') || firstOf(files).has(0);
    return isFirst && (command.has('timestamp') || files.size > 0);
  },
  parse: (report) => parseSimpleCov(report),
};

/** The JSON formatter's `coverage.json`, and the one of the older simplecov-json with a list of files. */
export const simpleCovJson: CoverageFormat = {
  name: 'simplecov',
  globs: ['coverage.json'],
  matches(head) {
    const root = readJsonHead(head);
    if (root.has('files') && root.has('command_name')) return firstOf(root.get('files')).has('filename');
    if (membersOf(root.get('meta')).has('simplecov_version')) return true;
    const file = firstOf(root.get('coverage'));
    return file.has('lines') || (file.has(0) && root.has('timestamp'));
  },
  parse: (report) => parseSimpleCov(report),
};

function parseSimpleCov(report: ReportBytes) {
  return parseJson(report, (hits) => ({
    kind: 'object',
    open: (member, kind) => {
      if (member === 'coverage') return readFiles(hits);
      if (member === 'meta') return readMeta(hits);
      if (member === 'files' && kind === 'array') return readList(hits);
      return kind === 'object' && !NO_COMMANDS.has(member) ? readCommand(hits) : undefined;
    },
  }));
}

/** Since SimpleCov 1.0 names are relative to its root. */
function readMeta(hits: JsonHits): JsonReader {
  return {
    kind: 'object',
    value: (member, value) => {
      if (member === 'root' && typeof value === 'string') hits.sources.push(value);
    },
  };
}

function readCommand(hits: JsonHits): JsonReader {
  return { kind: 'object', open: (member) => (member === 'coverage' ? readFiles(hits) : undefined) };
}

function readFiles(hits: JsonHits): JsonReader {
  return {
    kind: 'object',
    open: (name, kind) => {
      const file = hits.file(name);
      return kind === 'array' ? readLines(file, hits) : readFile(file, hits);
    },
  };
}

/** `{ "filename": …, "coverage": [null, 1] }`, in old versions; later ones put `lines` below `coverage`. */
function readList(hits: JsonHits): JsonReader {
  const readListed = (): JsonReader => {
    let file: FileHits | undefined;
    const known = (): FileHits => file ?? hits.file(null);
    return {
      kind: 'object',
      value: (member, value) => {
        if (member === 'filename') file = hits.file(value);
      },
      open: (member, kind) => {
        if (member !== 'coverage') return undefined;
        return kind === 'array' ? readLines(known(), hits) : readFile(known(), hits);
      },
    };
  };
  return { kind: 'array', open: readListed };
}

function readFile(file: FileHits, hits: JsonHits): JsonReader {
  return {
    kind: 'object',
    open: (member, kind) => {
      if (member === 'lines') return readLines(file, hits);
      if (member !== 'branches') return undefined;
      return kind === 'array' ? readBranchList(file, hits) : readBranches(file, hits);
    },
  };
}

/** One entry for each line; null or "ignored" (`:nocov:`) where it is not relevant. */
function readLines(file: FileHits, hits: JsonHits): JsonReader {
  return {
    kind: 'array',
    value: (index, value) => {
      if (value === null || value === 'ignored') return;
      const line = hits.line((index as number) + 1);
      file.addLine(line, hits.hits(value));
    },
  };
}

function readBranches(file: FileHits, hits: JsonHits): JsonReader {
  const readArms = (condition: JsonKey): JsonReader => {
    const start = BRANCH.exec(String(condition))?.[1];
    if (start === undefined)
      throw hits.damaged(expectedForm('a branch like "[:if, 0, 10, 4, 10, 51]"', String(condition)));
    const [line, block] = [hits.line(Number(start)), branchKey(String(condition))];
    const readArm = (arm: JsonKey, value: JsonScalar): void => {
      if (line > 0 && value !== 'ignored') file.addBranch(line, block, branchKey(String(arm)), hits.hits(value));
    };
    return { kind: 'object', value: readArm };
  };
  return { kind: 'object', open: readArms };
}

/** The formatter's branches: a list in the order of the file, so that an arm is known by its place. */
function readBranchList(file: FileHits, hits: JsonHits): JsonReader {
  const readArm = (index: JsonKey): JsonReader => {
    const members = new Map<JsonKey, JsonScalar>();
    return {
      kind: 'object',
      value: (member, value) => members.set(member, value),
      close: () => {
        const taken = members.get('coverage') ?? null;
        if (taken === 'ignored') return;
        const line = hits.line(members.get('start_line') ?? null);
        if (line > 0) file.addBranch(line, 0, index as number, hits.hits(taken));
      },
    };
  };
  return { kind: 'array', open: readArm };
}
