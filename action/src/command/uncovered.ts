import { CHANGE_OPTIONS, withLocalChange } from './local-pull.ts';
import { READING_OPTIONS, readLocalReports } from './local-reports.ts';
import type { Command, Shell } from './shell/command.ts';
import { EXIT } from './shell/exit-codes.ts';
import { choosePaint, type Paint } from './shell/terminal-text.ts';
import { toWorkflowCommands } from './uncovered-github.ts';
import { findUncovered, type UncoveredFile } from './uncovered-lines.ts';
import { toSarif } from './uncovered-sarif.ts';
import { countUncovered, uncoveredText } from './uncovered-text.ts';

const UNCOVERED = {
  summary: 'list the lines that still need a test, with their text',
  usage: '[options] [report...]',
  explanation:
    'Reads the reports of this folder. With --changed only lines count that changed since the branch that the pull\n' +
    'request goes to, committed or not. Nothing is sent anywhere.',
  options: {
    changed: 'only lines that changed',
    json: 'as JSON',
    sarif: 'as SARIF 2.1.0, for editors and code scanning',
    github: "as GitHub's workflow commands, which mark the lines",
  },
  examples: [
    ['uncovered --changed', 'What the change does not cover yet.'],
    ['uncovered --json --include="src/**"', 'All lines of src that need a test, for a program.'],
    ['uncovered --changed --sarif > coverage.sarif', 'For an editor.'],
    ['uncovered --changed --github', 'In a step of a workflow.'],
  ],
} as const;

const FORMS = ['json', 'sarif', 'github'] as const;

/** Lists the lines that still need a test, for people, editors and agents. */
export const uncovered: Command = {
  name: 'uncovered',
  summary: UNCOVERED.summary,
  usage: UNCOVERED.usage,
  explanation: UNCOVERED.explanation,
  examples: UNCOVERED.examples,
  options: [
    { name: 'changed', summary: UNCOVERED.options.changed },
    ...FORMS.map((name) => ({ name, summary: UNCOVERED.options[name] })),
    ...CHANGE_OPTIONS,
    ...READING_OPTIONS,
  ],
  async run(given, shell) {
    const { files, checkout } = await readLocalReports(given, shell);
    const write = (found: readonly UncoveredFile[]): void => {
      const form = FORMS.find((one) => given.isOn(one));
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

const TEXTS: Readonly<Record<(typeof FORMS)[number] | 'text', Write>> = {
  text: (files, { paint }) => uncoveredText(files, paint),
  json: (files) => `${JSON.stringify({ ...countUncovered(files), uncovered: files }, undefined, 2)}\n`,
  sarif: (files, { shell }) => `${JSON.stringify(toSarif(files, shell.version), undefined, 2)}\n`,
  github: (files) => toWorkflowCommands(files),
};
