import * as say from '../messages/command/check.ts';
import { CHANGE_OPTIONS, withLocalChange } from './local-pull.ts';
import { READING_OPTIONS, readLocalReports } from './local-reports.ts';
import type { Command, Shell } from './shell/command.ts';
import { EXIT } from './shell/exit-codes.ts';
import { choosePaint, type Paint } from './shell/terminal-text.ts';
import { toWorkflowCommands } from './uncovered-github.ts';
import { findUncovered, type UncoveredFile } from './uncovered-lines.ts';
import { toSarif } from './uncovered-sarif.ts';
import { countUncovered, uncoveredText } from './uncovered-text.ts';

const FORMS = ['json', 'sarif', 'github'] as const;

/** Lists the lines that still need a test, for people, editors and agents. */
export const uncovered: Command = {
  name: 'uncovered',
  summary: say.UNCOVERED.summary,
  usage: say.UNCOVERED.usage,
  explanation: say.UNCOVERED.explanation,
  examples: say.UNCOVERED.examples,
  options: [
    { name: 'changed', summary: say.UNCOVERED.options.changed },
    ...FORMS.map((name) => ({ name, summary: say.UNCOVERED.options[name] })),
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
        shell.say(say.CHANGE_NEEDED);
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
