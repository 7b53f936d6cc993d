import { type CoverageFormat, expectedForm } from './coverage-format.ts';
import type { FileHits } from './file-hits.ts';
import {
  firstOf,
  type JsonHits,
  type JsonMembers,
  membersOf,
  parseJson,
  readJsonHead,
  readNamed,
} from './json-hits.ts';
import type { JsonKey, JsonReader, JsonScalar } from './json-reader.ts';

const PARTIAL = /^(\d{1,6})\/(\d{1,6})$/;
/** A line with more arms than this is damage, not code. */
const MAX_ARMS = 100_000;

/**
 * Codecov's custom JSON: hits by line number, "1/2" for a line of which one of two branches was taken. covr lists its
 * files instead, each with its name.
 */
export const codecovJson: CoverageFormat = {
  name: 'codecov',
  globs: ['codecov*.json', 'coverage*.json'],
  matches(head) {
    const root = readJsonHead(head);
    const listed = membersOf(membersOf(root.get('files')).get(0));
    if (typeof listed.get('name') === 'string') return membersOf(listed.get('coverage')).get(0) === null;
    const coverage = membersOf(root.get('coverage'));
    return [...coverage.values()].some((file) => file instanceof Map && hasLines(file));
  },
  parse: (report) =>
    parseJson(report, (hits) => ({
      kind: 'object',
      open: (member) => {
        if (member === 'files') return { kind: 'array', open: () => readListed(hits) };
        return member === 'coverage' ? readFiles(hits) : undefined;
      },
    })),
};

function hasLines(file: JsonMembers): boolean {
  const keys = [...file.keys()];
  return keys.length > 0 && keys.every((key) => /^\d+$/.test(String(key))) && firstOf(file).size === 0;
}

/** A list of lines begins with line 0, which there is none of. */
function readFiles(hits: JsonHits): JsonReader {
  return {
    kind: 'object',
    open: (name, kind) => readLines(kind, hits.file(name), hits),
  };
}

function readListed(hits: JsonHits): JsonReader {
  return readNamed(
    'name',
    (file, member, kind) => (member === 'coverage' ? readLines(kind, file, hits) : undefined),
    (file, name) => hits.file(name).merge(file),
  );
}

function readLines(kind: JsonReader['kind'], file: FileHits, hits: JsonHits): JsonReader {
  return { kind, value: (line, value) => readLine(file, hits, [line, value]) };
}

function readLine(file: FileHits, hits: JsonHits, [key, value]: [JsonKey, JsonScalar]): void {
  if (value === null || value === '') return;
  const line = hits.line(key);
  if (line === 0) return;
  if (typeof value === 'boolean') file.addLine(line, value ? 1 : 0);
  else if (typeof value === 'number') file.addLine(line, hits.hits(value));
  else addPartial(file, hits, [line, value]);
}

function addPartial(file: FileHits, hits: JsonHits, [line, text]: [number, string]): void {
  const counted = PARTIAL.exec(text);
  const [taken, all] = [Number(counted?.[1]), Number(counted?.[2])];
  if (counted === null || taken > all || all > MAX_ARMS) throw hits.damaged(expectedForm('hits, or "1/2"', text));
  file.addLine(line, taken > 0 ? 1 : 0);
  for (let arm = 0; arm < all; arm += 1) file.addBranch(line, 0, arm, arm < taken ? 1 : 0);
}
