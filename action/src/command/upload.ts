import { type Log, oneLine } from '../runner/log.ts';
import { withIdentity } from '../step/identity.ts';
import type { Inputs } from '../step/inputs.ts';
import { outcomeLine, type StepOutcome, stepOutputs } from '../step/outputs.ts';
import { run } from '../step/run.ts';
import { isGithubRun, readCommandInputs } from './command-inputs.ts';
import { createProxiedFetch } from './proxied-fetch.ts';
import { readSettings, type Settings } from './settings.ts';
import type { Arguments, Shell } from './shell/command.ts';
import { EXIT, type ExitCode } from './shell/exit-codes.ts';
import { warningCommand } from './uncovered-github.ts';

/** Does what the action's step does: uploads a report, or closes a build. */
export async function uploadOrClose(given: Arguments, shell: Shell, task: 'report' | 'close'): Promise<StepOutcome> {
  const settings = readSettings(given, shell);
  const log = stepLog(given, shell, settings);
  const { ci } = settings.run;
  log.info(
    ci === undefined
      ? 'No CI is recognised: what is known is what git says, and the options.'
      : `This is a run of ${ci.title}.`,
  );
  const inputs = await readCommandInputs(given, shell, { settings, task });
  if (task === 'report' && !inputs.sendDiff && !given.isOn('no-diff'))
    log.info(
      'Which lines changed is not sent: of this pull request the CI names no base commit, and the clone has no ' +
        'branch of that name of the remote. Fetch it ("git fetch origin <branch>") to have the changed lines.',
    );
  const fetch = await createProxiedFetch(shell.runtime.fetch, { env: shell.env, caFile: inputs.caFile });
  const tools = { runtime: { ...shell.runtime, fetch }, log, maskSecret: masker(settings, shell) };
  const work = (known: Inputs): Promise<StepOutcome> => run(known, tools);
  return inputs.dryRun ? work(inputs) : withIdentity(inputs, tools, work);
}

/** Prints what came of it; where a verdict was waited for, that decides how the program ends. */
export function tellOutcome(outcome: StepOutcome, given: Arguments, shell: Shell): ExitCode {
  shell.print(outcomeText(outcome, given.isOn('json')));
  if (outcome.failure === undefined) return EXIT.good;
  shell.say(oneLine(outcome.failure));
  return EXIT.failed;
}

/** As a line or as JSON, the addresses included. */
function outcomeText(outcome: StepOutcome, isJson: boolean): string {
  const { dryRun } = outcome;
  const { 'job-url': jobUrl, 'build-url': buildUrl, ...result } = stepOutputs(outcome);
  const unsent = dryRun && { would_send: { url: dryRun.url, body: dryRun.body() } };
  const json = { ...result, job_url: jobUrl, build_url: buildUrl, ...unsent };
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
