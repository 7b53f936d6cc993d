import { DONE, numberMissing } from '../messages/command/report.ts';
import { SETTING_OPTIONS as SAY } from '../messages/command/settings.ts';
import { ActionFailure } from '../runner/failure.ts';
import { ENDING_OPTIONS, excused } from './report.ts';
import { RUN_OPTIONS, readSettings, SERVER_OPTIONS } from './settings.ts';
import type { Command } from './shell/command.ts';
import { tellOutcome, uploadOrClose } from './upload.ts';

const OF_RUN: ReadonlySet<string> = new Set(['build-number', 'repo-name']);

/** Closes the build of a run whose jobs reported with --parallel. */
export const done: Command = {
  name: 'done',
  summary: DONE.summary,
  usage: DONE.usage,
  explanation: DONE.explanation,
  examples: DONE.examples,
  options: [
    ...SERVER_OPTIONS,
    { name: 'carryforward', short: 'k', value: 'flags', multiple: true, summary: SAY.carryforward },
    ...RUN_OPTIONS.filter(({ name }) => OF_RUN.has(name)),
    ...ENDING_OPTIONS,
  ],
  run: (given, shell) =>
    excused(given, shell, async () => {
      const { run } = readSettings(given, shell);
      // Without one the server would close whatever build was opened last, perhaps of another run.
      if (run.facts.number === undefined) throw new ActionFailure('bad-input', numberMissing(run.ci?.title));
      return tellOutcome(await uploadOrClose(given, shell, 'close'), given, shell);
    }),
};
