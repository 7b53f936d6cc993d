import * as core from '@actions/core';
import type { BuildJson } from '@coverage/shared';
import { trustAuthorities } from './api/trust-authorities.ts';
import { annotationsOf, MAX_ANNOTATIONS } from './runner/annotate.ts';
import { ActionFailure } from './runner/failure.ts';
import { type Log, oneLine } from './runner/log.ts';
import { withIdentity } from './step/identity.ts';
import { failsStep, type InputSource, type Inputs, readInputs } from './step/inputs.ts';
import { outcomeLine, type StepOutcome, stepOutputs } from './step/outputs.ts';
import { run } from './step/run.ts';
import { summaryMarkdown } from './step/summary.ts';

let warnings = 0;
const log: Log = {
  info: (line) => core.info(oneLine(line)),
  warning: (line) => {
    warnings += 1;
    core.warning(oneLine(line));
  },
};

const source: InputSource = {
  input: (name) => core.getInput(name),
  env: process.env,
  maskSecret: (secret) => core.setSecret(secret),
  readEvent: async () => (await import('./context/event-payload.ts')).eventPayload,
};

/** Put in where the file is built; a test runs the sources. */
declare const ACTION_VERSION: string | undefined;

const runtime = {
  userAgent: `coverage-service-action/${typeof ACTION_VERSION === 'string' ? ACTION_VERSION : '0.0.0'}`,
  // Node loads its HTTP client when `fetch` is first touched, so not before it is used.
  fetch: (...request: Parameters<typeof fetch>) => fetch(...request),
  now: () => Date.now(),
  random: () => Math.random(),
  sleep: (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds)),
  every: (milliseconds: number, tick: () => void) => {
    const timer = setInterval(tick, milliseconds);
    return () => clearInterval(timer);
  },
};

try {
  const inputs = await readInputs(source);
  for (const notice of inputs.notices) core.notice(oneLine(notice));
  // Older releases of Node 24 have no such function. Loading the module takes longer than all the rest.
  if (inputs.behindProxy) (await import('node:http')).setGlobalProxyFromEnv?.();
  if (inputs.caFile !== '') await trustAuthorities(inputs.caFile);
  const { maskSecret } = source;
  const work = (known: Inputs): Promise<StepOutcome> => run(known, { runtime, log });
  const outcome = await (inputs.dryRun ? work(inputs) : withIdentity(inputs, { runtime, log, maskSecret }, work));
  await publish(outcome);
  if (inputs.annotations && outcome.build !== undefined) annotate(outcome.build);
} catch (error) {
  reportFailure(error);
}

async function publish(outcome: StepOutcome): Promise<void> {
  log.info(outcomeLine(outcome));
  for (const [name, value] of Object.entries(stepOutputs(outcome))) core.setOutput(name, value);
  if (source.env.GITHUB_STEP_SUMMARY) await core.summary.addRaw(summaryMarkdown(outcome)).write();
  // The user asked to wait for the verdict: fail-on-error is about failures of this step itself.
  if (outcome.failure !== undefined) core.setFailed(oneLine(outcome.failure));
}

function annotate(build: BuildJson): void {
  const { annotations, rest } = annotationsOf(build, MAX_ANNOTATIONS - warnings);
  for (const { message, ...place } of annotations) core.warning(message, { title: 'Coverage', ...place });
  if (rest !== undefined) log.info(rest);
}

function reportFailure(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  // What was not foreseen is a fault of the action: then the stack is what a bug report needs.
  if (!(error instanceof ActionFailure) && error instanceof Error)
    core.info((error.stack ?? '').split('\n').map(oneLine).join('\n'));
  if (error instanceof ActionFailure && error.code === 'no-secret') core.notice(oneLine(message));
  else warnOrFail(message, error instanceof ActionFailure && error.ofServer);
}

function warnOrFail(message: string, ofServer: boolean): void {
  if (failsStep(source, { ofServer })) core.setFailed(oneLine(message));
  else
    core.warning(
      oneLine(
        ofServer ? serverFailureAllowed(message) : `Coverage was not processed, and fail-on-error is off: ${message}`,
      ),
    );
}

function serverFailureAllowed(message: string): string {
  return `Coverage was not processed. The step does not fail for it, since fail-on-server-error is off: ${message}`;
}
