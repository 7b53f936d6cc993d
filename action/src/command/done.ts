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
  summary: 'close the build of a run whose jobs reported with --parallel',
  usage: '[options]',
  explanation:
    'To be called once, when all jobs of the run have reported. The number is the one that their reports were sent\n' +
    'with. A CI that has no number of its own sends the id of its run as one, in "report" and here.',
  examples: [
    ['done', 'Close the build of this run.'],
    ['done --build-number=71', 'Close the build that was reported with this number.'],
    ['done --carryforward=e2e,mobile', 'Close it; these flags did not run and keep their last report.'],
  ],
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

function numberMissing(ci: string | undefined): string {
  const why = ci === undefined ? 'No CI is recognised' : `${ci} says no number of its run`;
  return (
    `${why}: give the number that the jobs of this run reported with, as --build-number=71 or in ` +
    'COVERALLS_SERVICE_NUMBER, to "report" and to "done". Or leave "done" out: the server closes the build by itself ' +
    'after its quiet period (30 minutes unless it is set otherwise).'
  );
}
