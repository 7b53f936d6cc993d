import { BRANCH_MISSED, uncoveredAt } from '../messages/command/check.ts';
import type { UncoveredFile, UncoveredRange } from './uncovered-lines.ts';

const SARIF_RULES = {
  line: 'Lines that no test reaches',
  branch: 'Lines of which a branch is not reached',
} as const;

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';
const RULES = { line: 'uncovered-line', branch: 'uncovered-branch' } as const;

/** SARIF 2.1.0: one result for each run of lines, by its path in the repo. */
export function toSarif(files: readonly UncoveredFile[], version: string): object {
  const results = files.flatMap(({ name, ranges, branches }) => [
    ...ranges.map((range) => resultOf(name, range, { kind: 'line', message: uncoveredAt(range.lines) })),
    ...branches.map((range) => resultOf(name, range, { kind: 'branch', message: BRANCH_MISSED })),
  ]);
  const rules = (['line', 'branch'] as const).map((kind) => ({
    id: RULES[kind],
    shortDescription: { text: SARIF_RULES[kind] },
    defaultConfiguration: { level: levelOf(kind) },
  }));
  const driver = { name: 'coverage', version, rules };
  const columnKind = 'utf16CodeUnits';
  return { $schema: SCHEMA, version: '2.1.0', runs: [{ tool: { driver }, columnKind, results }] };
}

type Kind = keyof typeof RULES;

function levelOf(kind: Kind): 'warning' | 'note' {
  return kind === 'line' ? 'warning' : 'note';
}

function resultOf(name: string, range: UncoveredRange, { kind, message }: { kind: Kind; message: string }): object {
  const { first, last, text } = range;
  const snippet = text === undefined ? {} : { snippet: { text: text.join('\n').toWellFormed() } };
  return {
    ruleId: RULES[kind],
    ruleIndex: kind === 'line' ? 0 : 1,
    level: levelOf(kind),
    message: { text: message },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: uriOf(name), uriBaseId: '%SRCROOT%' },
          region: { startLine: first, endLine: last, ...snippet },
        },
      },
    ],
  };
}

/** A name with any character, as a relative reference. */
function uriOf(name: string): string {
  return name
    .split('/')
    .map((part) => encodeURIComponent(part.toWellFormed()))
    .join('/');
}
