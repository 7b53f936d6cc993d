import type { CoverageFormat } from './coverage-format.ts';
import { FileHits } from './file-hits.ts';
import { firstOf, type JsonHits, parseJson, readJsonHead } from './json-hits.ts';
import type { JsonKey, JsonReader } from './json-reader.ts';
import { branchKey } from './lcov-branch.ts';

/** Istanbul's JSON (coverage-final.json), of nyc, jest, vitest and c8: statements and branches by their ids. */
export const istanbul: CoverageFormat = {
  name: 'istanbul',
  globs: ['coverage-final.json'],
  matches(head) {
    const file = firstOf(readJsonHead(head));
    return file.has('statementMap') || file.has('branchMap');
  },
  parse: (report) => parseJson(report, (hits) => ({ kind: 'object', open: (name) => readFile(hits.name(name), hits) })),
};

/** Its maps and its counts come in any order, so they are joined at its end. */
function readFile(key: string, hits: JsonHits): JsonReader {
  let name = key;
  const statements = new Map<JsonKey, number>();
  const counts = new Map<JsonKey, number>();
  const branches = new Map<JsonKey, number>();
  const arms = new Map<JsonKey, number[]>();
  const members: Readonly<Record<string, () => JsonReader>> = {
    statementMap: () => readPlaces(statements, hits),
    branchMap: () => readPlaces(branches, hits),
    s: () => ({ kind: 'object', value: (id, count) => counts.set(id, hits.hits(count)) }),
    b: () => ({ kind: 'object', open: (id) => readArms(id, arms, hits) }),
  };
  return {
    kind: 'object',
    open: (member) => (Object.hasOwn(members, member) ? members[member]?.() : undefined),
    value: (member, value) => {
      if (member === 'path') name = hits.name(value);
    },
    close: () => hits.add(joined(name, { statements, counts, branches, arms })),
  };
}

interface Read {
  readonly statements: ReadonlyMap<JsonKey, number>;
  readonly counts: ReadonlyMap<JsonKey, number>;
  readonly branches: ReadonlyMap<JsonKey, number>;
  readonly arms: ReadonlyMap<JsonKey, readonly number[]>;
}

/** A line has the largest count of the statements that begin on it, as Istanbul's own line coverage. */
function joined(name: string, { statements, counts, branches, arms }: Read): FileHits {
  const file = new FileHits(name);
  for (const [id, count] of counts) {
    const line = statements.get(id) ?? 0;
    if (line > 0) file.raiseLine(line, count);
  }
  for (const [id, taken] of arms) {
    const line = branches.get(id) ?? 0;
    const block = branchKey(String(id));
    if (line > 0)
      taken.forEach((count, arm) => {
        file.addBranch(line, block, arm, count);
      });
  }
  return file;
}

function readArms(id: JsonKey, arms: Map<JsonKey, number[]>, hits: JsonHits): JsonReader {
  const taken: number[] = [];
  arms.set(id, taken);
  return { kind: 'array', value: (_, count) => taken.push(hits.hits(count)) };
}

/** The lines that statements or branches begin on: of `loc` before `line`, which old versions wrote. */
function readPlaces(lines: Map<JsonKey, number>, hits: JsonHits): JsonReader {
  const readStart = (id: JsonKey, isSure: boolean): JsonReader => ({
    kind: 'object',
    value: (member, value) => {
      if (member === 'line' && value !== null && (isSure || !lines.has(id))) lines.set(id, hits.line(value));
    },
  });
  const readSpan = (id: JsonKey, isSure: boolean): JsonReader => ({
    kind: 'object',
    open: (member) => (member === 'start' ? readStart(id, isSure) : undefined),
  });
  const readLocations = (id: JsonKey): JsonReader => ({ kind: 'array', open: () => readSpan(id, false) });
  return {
    kind: 'object',
    open: (id) => ({
      kind: 'object',
      open: (member) => {
        if (member === 'start') return readStart(id, true);
        if (member === 'loc') return readSpan(id, true);
        return member === 'locations' ? readLocations(id) : undefined;
      },
      value: (member, value) => readStart(id, false).value?.(member, value),
    }),
  };
}
