import { ActionFailure } from '../runner/failure.ts';
import { type Log, oneLine } from '../runner/log.ts';
import { withIdentity } from '../step/identity.ts';
import type { Inputs } from '../step/inputs.ts';
import { outcomeLine, type StepOutcome, stepOutputs } from '../step/outputs.ts';
import { run } from '../step/run.ts';
import { isGithubRun, readCommandInputs } from './command-inputs.ts';
import { READING_OPTIONS } from './local-reports.ts';
import { createProxiedFetch } from './proxied-fetch.ts';
import { RUN_OPTIONS, readSettings, SERVER_OPTIONS, type Settings } from './settings.ts';
import { type Arguments, type Command, EXIT, type ExitCode, type Option, type Shell } from './shell/command.ts';
import { warningCommand } from './uncovered.ts';

/** What "report" and "done" tell, and how they end. */
const ENDING_OPTIONS: readonly Option[] = [
  { name: 'wait', summary: 'wait for the verdict, and fail if it fails' },
  { name: 'wait-timeout', value: 'seconds', summary: 'how long to wait for it, 600 by default' },
  { name: 'dry-run', summary: 'do everything except sending, and show what would be sent' },
  { name: 'no-fail', summary: 'exit with 0 whatever happens, and warn' },
  { name: 'json', summary: 'the result as JSON' },
];

/** Uploads the coverage of this job, from any CI. */
export const report: Command = {
  name: 'report',
  summary: 'upload the coverage of this job to your server',
  usage: '[options] [report...]',
  explanation:
    'Finds the reports in this folder (or uses those that you name), reads them in any supported format, gives\n' +
    'each file its name in the checkout and uploads the result. The number of the run, the job, the commit, the\n' +
    'branch and the pull request come from the CI, which is detected by its variables; "doctor" shows them.\n' +
    'Later sources win: CI_* variables, the CI, .coveralls.yml, COVERALLS_* variables, these options.',
  examples: [
    ['report', 'Upload what is found, with the server and token from COVERAGE_ENDPOINT and COVERALLS_REPO_TOKEN.'],
    ['report --endpoint=https://coverage.example coverage/lcov.info', 'Upload one report to this server.'],
    ['report --parallel --job-flag=unit', 'One of several jobs of a run; "done" closes the build.'],
    ['report --no-fail', 'Never break a build because of coverage.'],
  ],
  options: [
    ...SERVER_OPTIONS,
    {
      name: 'job-flag',
      short: 'j',
      aliases: ['flag', 'flag-name'],
      value: 'name',
      summary: 'what this job tested, as "unit"; else COVERALLS_FLAG_NAME',
    },
    {
      name: 'parallel',
      short: 'p',
      summary: 'more jobs of this run report too, and "done" closes the build; else COVERALLS_PARALLEL',
    },
    ...READING_OPTIONS,
    ...RUN_OPTIONS,
    { name: 'compare-ref', value: 'branch', summary: 'the branch to compare with' },
    { name: 'compare-sha', value: 'sha', summary: 'the commit to compare with' },
    {
      name: 'send-source',
      value: 'which',
      choices: ['all', 'changed', 'none'],
      summary: 'the files to send with their text',
    },
    { name: 'no-diff', summary: 'do not send which lines the commit changed' },
    {
      name: 'expected-jobs',
      value: 'count',
      summary: 'how many jobs will report: the last of them closes the build, and no "done" is needed',
    },
    ...ENDING_OPTIONS,
  ],
  run: (given, shell) =>
    excused(given, shell, async () => tellOutcome(await uploadOrClose(given, shell, 'report'), given, shell)),
};

/** With --no-fail, a failure is still reported, but fails nothing. */
async function excused(
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

/** Does what the action's step does: uploads a report, or closes a build. */
async function uploadOrClose(given: Arguments, shell: Shell, task: 'report' | 'close'): Promise<StepOutcome> {
  const settings = readSettings(given, shell);
  const log = stepLog(given, shell, settings);
  const { ci } = settings.run;
  log.info(
    ci === undefined ? 'No CI was detected: only git and the options are used.' : `This is a run of ${ci.title}.`,
  );
  const inputs = await readCommandInputs(given, shell, { settings, task });
  if (task === 'report' && !inputs.sendDiff && !given.isOn('no-diff'))
    log.info(
      'The changed lines are not sent: the CI names no base commit for this pull request, and the clone has no ' +
        'remote branch of that name. Fetch it ("git fetch origin <branch>") to send the changed lines.',
    );
  const fetch = await createProxiedFetch(shell.runtime.fetch, { env: shell.env, caFile: inputs.caFile });
  const tools = { runtime: { ...shell.runtime, fetch }, log, maskSecret: masker(settings, shell) };
  const work = (known: Inputs): Promise<StepOutcome> => run(known, tools);
  return inputs.dryRun ? work(inputs) : withIdentity(inputs, tools, work);
}

/** Prints what came of it; where a verdict was waited for, that decides how the program ends. */
function tellOutcome(outcome: StepOutcome, given: Arguments, shell: Shell): ExitCode {
  shell.print(outcomeText(outcome, given.isOn('json')));
  if (outcome.failure === undefined) return EXIT.good;
  shell.say(oneLine(outcome.failure));
  return EXIT.failed;
}

/** As a line or as JSON, the addresses included. */
function outcomeText(outcome: StepOutcome, isJson: boolean): string {
  const { dryRun } = outcome;
  const { 'job-url': jobUrl, 'build-url': buildUrl, 'failing-checks': _, ...result } = stepOutputs(outcome);
  const unsent = dryRun && { would_send: { url: dryRun.url, body: dryRun.body() } };
  const json = {
    ...result,
    failing_checks: outcome.build?.overall?.failing ?? [],
    job_url: jobUrl,
    build_url: buildUrl,
    ...unsent,
  };
  if (isJson) return `${JSON.stringify(json, undefined, 2)}\n`;
  const addresses = [jobUrl, buildUrl].filter(Boolean);
  return `${[oneLine(outcomeLine(outcome)), ...addresses].join('\n')}\n`;
}

/** Every line may hold hostile text. Unlike other commands it says its steps: a CI's log is where they are read. */
function stepLog(given: Arguments, shell: Shell, settings: Settings): Log {
  const isQuiet = given.isOn('quiet');
  const line = (text: string): void => (isQuiet ? undefined : shell.say(text));
  const info = (text: string): void => line(oneLine(text));
  return { info, warning: isGithubRun(settings) ? (text) => line(warningCommand(oneLine(text))) : info };
}

/** GitHub's runner replaces a text in the log that such a line names. */
function masker(settings: Settings, shell: Shell): (secret: string) => void {
  return (secret) => (isGithubRun(settings) ? shell.say(`::add-mask::${secret}`) : undefined);
}

const OF_RUN: ReadonlySet<string> = new Set(['build-number', 'repo-name']);

/** Closes the build of a run whose jobs reported with --parallel. */
export const done: Command = {
  name: 'done',
  summary: 'close the build of a run whose jobs reported with --parallel',
  usage: '[options]',
  explanation:
    'Call it once, after all jobs of the run have reported, with the number that their reports were sent with.\n' +
    'If the CI has no such number, the id of its run is used, in "report" and here.',
  examples: [
    ['done', 'Close the build of this run.'],
    ['done --build-number=71', 'Close the build that was reported with this number.'],
    ['done --carryforward=e2e,mobile', 'Close it; these flags did not run and keep their last report.'],
  ],
  options: [
    ...SERVER_OPTIONS,
    {
      name: 'carryforward',
      short: 'k',
      value: 'flags',
      multiple: true,
      summary: 'flags that did not run and keep their last report, with commas, or "all"',
    },
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
  const why = ci === undefined ? 'No CI is recognized' : `${ci} says no number of its run`;
  return (
    `${why}: give the number that the jobs of this run reported with, as --build-number=71 or in ` +
    'COVERALLS_SERVICE_NUMBER, to "report" and to "done". Or leave out "done": the server closes the build after ' +
    'its quiet period (30 minutes by default).'
  );
}
