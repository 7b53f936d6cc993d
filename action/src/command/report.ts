import { SETTING_OPTIONS as SAY } from '../messages/command/settings.ts';
import { ActionFailure } from '../runner/failure.ts';
import { READING_OPTIONS } from './local-reports.ts';
import { RUN_OPTIONS, SERVER_OPTIONS } from './settings.ts';
import type { Arguments, Command, Option, Shell } from './shell/command.ts';
import { EXIT, type ExitCode } from './shell/exit-codes.ts';
import { tellOutcome, uploadOrClose } from './upload.ts';

/** What "report" and "done" tell, and how they end. */
export const ENDING_OPTIONS: readonly Option[] = [
  { name: 'wait', summary: SAY.wait },
  { name: 'wait-timeout', value: 'seconds', summary: SAY.waitTimeout },
  { name: 'dry-run', summary: SAY.dryRun },
  { name: 'no-fail', summary: SAY.noFail },
  { name: 'json', summary: SAY.json },
];

/** Uploads the coverage of this job, from any CI. */
export const report: Command = {
  name: 'report',
  summary: 'upload the coverage of this job to your server',
  usage: '[options] [report...]',
  explanation:
    'Finds the reports below this folder (or takes those that are named), reads them whatever their format, gives\n' +
    'each file its name in the checkout and uploads the result. The number of the run, the job, the commit, the\n' +
    'branch and the pull request come from the CI, which is recognised by its variables: "doctor" shows them.\n' +
    'Later sources win: CI_* variables, the CI, .coveralls.yml, COVERALLS_* variables, these options.',
  examples: [
    ['report', 'Upload what is found; server and token from COVERAGE_ENDPOINT and COVERALLS_REPO_TOKEN.'],
    ['report --endpoint=https://coverage.example coverage/lcov.info', 'Upload one report to this server.'],
    ['report --parallel --job-flag=unit', 'One of several jobs of a run; "done" closes the build.'],
    ['report --no-fail', 'Never break a build because of coverage.'],
  ],
  options: [
    ...SERVER_OPTIONS,
    { name: 'job-flag', short: 'j', aliases: ['flag', 'flag-name'], value: 'name', summary: SAY.flag },
    { name: 'parallel', short: 'p', summary: SAY.parallel },
    ...READING_OPTIONS,
    ...RUN_OPTIONS,
    { name: 'compare-ref', value: 'branch', summary: SAY.compareRef },
    { name: 'compare-sha', value: 'sha', summary: SAY.compareSha },
    { name: 'send-source', value: 'which', choices: ['all', 'changed', 'none'], summary: SAY.sendSource },
    { name: 'no-diff', summary: SAY.noDiff },
    { name: 'expected-jobs', value: 'count', summary: SAY.expectedJobs },
    ...ENDING_OPTIONS,
  ],
  run: (given, shell) =>
    excused(given, shell, async () => tellOutcome(await uploadOrClose(given, shell, 'report'), given, shell)),
};

/** With --no-fail a failure is said all the same, and fails nothing. */
export async function excused(
  given: Arguments,
  { say }: Pick<Shell, 'say'>,
  work: () => Promise<ExitCode>,
): Promise<ExitCode> {
  try {
    return await work();
  } catch (error) {
    if (!given.isOn('no-fail') || !(error instanceof ActionFailure)) throw error;
    say(`Not failing, as --no-fail asks: ${error.message}`);
    return EXIT.good;
  }
}
