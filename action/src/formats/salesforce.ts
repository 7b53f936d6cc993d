import type { CoverageFormat, PackagedName, ParsedReport } from './coverage-format.ts';
import type { FileHits } from './file-hits.ts';
import { type JsonHits, type JsonMembers, membersOf, parseJson, readJsonHead, readNamed } from './json-hits.ts';
import type { JsonReader } from './json-reader.ts';
import type { ReportBytes } from './report-bytes.ts';

/** What Salesforce's `sf apex run test --code-coverage` writes: of each Apex class and trigger lines with hits. */
export const salesforce: CoverageFormat = {
  name: 'salesforce',
  aliases: ['apex'],
  globs: ['test-result*codecoverage.json'],
  matches(head) {
    const root = readJsonHead(head);
    const result = root.has('result') ? membersOf(root.get('result')) : root;
    const classes = membersOf(result.get('coverage')).get('coverage');
    return isClass(root.get(0)) || isClass(membersOf(classes).get(0)) || hasTotals(membersOf(result.get('summary')));
  },
  parse: (report) => parseSalesforce(report),
};

function isClass(value: unknown): boolean {
  return value instanceof Map && value.has('name') && value.has('totalLines');
}

/** The tests stand before the coverage, and may fill all of a head. */
function hasTotals(summary: JsonMembers): boolean {
  return summary.has('testRunCoverage') || summary.has('orgWideCoverage');
}

function parseSalesforce(report: ReportBytes): ParsedReport {
  const packaged = new Map<string, PackagedName>();
  const parsed = parseJson(report, (hits, kind) => readResult(kind, hits, packaged));
  return { ...parsed, packaged };
}

type Packaged = Map<string, PackagedName>;

function readResult(kind: JsonReader['kind'], hits: JsonHits, packaged: Packaged): JsonReader {
  if (kind === 'array') return { kind, open: () => readClass(hits, packaged) };
  const inner = new Set(['result', 'coverage']);
  return {
    kind,
    open: (member, within) => (inner.has(String(member)) ? readResult(within, hits, packaged) : undefined),
  };
}

/** The report does not tell a trigger from a class. */
function readClass(hits: JsonHits, packaged: Packaged): JsonReader {
  return readNamed(
    'name',
    (file, member) => (member === 'lines' ? readLines(file, hits) : undefined),
    (file, name) => {
      const known = hits.name(name);
      packaged.set(known, { modules: [], path: `${known}.cls`, otherPath: `${known}.trigger` });
      hits.file(known).merge(file);
    },
  );
}

function readLines(file: FileHits, hits: JsonHits): JsonReader {
  return {
    kind: 'object',
    value: (member, value) => {
      const line = hits.line(member);
      if (line > 0) file.addLine(line, hits.hits(value));
    },
  };
}
