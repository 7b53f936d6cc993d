import { CHANGE_OPTIONS, withLocalChange } from './local-pull.ts';
import { READING_OPTIONS, readLocalReports } from './local-reports.ts';
import { type Command, EXIT, type Shell } from './shell/command.ts';
import { choosePaint, type Paint } from './shell/terminal-text.ts';
import {
  countUncovered,
  findUncovered,
  type UncoveredFile,
  type UncoveredRange,
  uncoveredText,
} from './uncovered-lines.ts';

/** In place of the text for people, and what the help says of it. */
const FORMS = {
  json: 'as JSON',
  sarif: 'as SARIF 2.1.0, for editors and code scanning',
  github: "as GitHub's workflow commands, which mark the lines",
} as const;

type Form = keyof typeof FORMS;

/** Lists the lines that still need a test, for people, editors and agents. */
export const uncovered: Command = {
  name: 'uncovered',
  summary: 'list the lines that still need a test, with their text',
  usage: '[options] [report...]',
  explanation:
    'Reads the reports in this folder. With --changed, it lists only lines that changed since the target branch of\n' +
    'the pull request, committed or not. Nothing is sent anywhere.',
  examples: [
    ['uncovered --changed', 'What the change does not cover yet.'],
    ['uncovered --json --include="src/**"', 'All lines of src that need a test, for a program.'],
    ['uncovered --changed --sarif > coverage.sarif', 'For an editor.'],
    ['uncovered --changed --github', 'In a step of a workflow.'],
  ],
  options: [
    { name: 'changed', summary: 'only lines that changed' },
    ...Object.entries(FORMS).map(([name, summary]) => ({ name, summary })),
    ...CHANGE_OPTIONS,
    ...READING_OPTIONS,
  ],
  async run(given, shell) {
    const { files, checkout } = await readLocalReports(given, shell);
    const write = (found: readonly UncoveredFile[]): void => {
      const form = (Object.keys(FORMS) as Form[]).find((one) => given.isOn(one));
      shell.print(TEXTS[form ?? 'text'](found, { shell, paint: choosePaint(given, shell) }));
    };
    if (!given.isOn('changed')) {
      write(findUncovered(files, checkout));
      return EXIT.good;
    }
    return withLocalChange(given, shell, async (change) => {
      if (change === undefined) {
        shell.say('Without the change there is nothing to list; leave out --changed to list all lines.');
        return EXIT.wrongUse;
      }
      write(findUncovered(files, checkout, change.diff));
      return EXIT.good;
    });
  },
};

type Write = (files: readonly UncoveredFile[], by: { readonly shell: Shell; readonly paint: Paint }) => string;

const TEXTS: Readonly<Record<Form | 'text', Write>> = {
  text: (files, { paint }) => uncoveredText(files, paint),
  json: (files) => `${JSON.stringify({ ...countUncovered(files), uncovered: files }, undefined, 2)}\n`,
  sarif: (files, { shell }) => `${JSON.stringify(toSarif(files, shell.version), undefined, 2)}\n`,
  github: (files) => toWorkflowCommands(files),
};

const BRANCH_MISSED = 'A branch of this line has no test.';

function uncoveredAt(lines: number): string {
  return lines === 1 ? 'This line has no test.' : `These ${lines} lines have no test.`;
}

/** GitHub's workflow commands: a warning beside each run of lines, a notice beside a line with a missed branch. */
function toWorkflowCommands(files: readonly UncoveredFile[]): string {
  const lines = files.flatMap(({ name, ranges, branches }) => [
    ...ranges.map((range) => command('warning', { name, range, title: 'No test', message: uncoveredAt(range.lines) })),
    ...branches.map((range) =>
      command('notice', { name, range, title: 'A branch without a test', message: BRANCH_MISSED }),
    ),
  ]);
  return lines.map((line) => `${line}\n`).join('');
}

interface Mark {
  readonly name: string;
  readonly range: UncoveredRange;
  readonly title: string;
  readonly message: string;
}

function command(level: 'warning' | 'notice', { name, range, title, message }: Mark): string {
  const place = `file=${property(name)},line=${range.first},endLine=${range.last},title=${property(title)}`;
  return `::${level} ${place}::${data(message)}`;
}

/** A warning that GitHub's runner shows in yellow, whatever writes it. */
export function warningCommand(message: string): string {
  return `::warning::${data(message)}`;
}

/** As the runner reads it back: a name could end the command, or begin another. */
function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

const SARIF_RULES = {
  line: 'Lines that no test reaches',
  branch: 'Lines of which a branch is not reached',
} as const;

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';
const RULES = { line: 'uncovered-line', branch: 'uncovered-branch' } as const;

/** SARIF 2.1.0: one result for each run of lines, by its path in the repo. */
function toSarif(files: readonly UncoveredFile[], version: string): object {
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
