import * as core from '@actions/core';
import { trustAuthorities } from './api/trust-authorities.ts';
import { ActionFailure } from './failure.ts';
import { withIdentity } from './identity.ts';
import { type InputSource, readFailOnError, readInputs } from './inputs.ts';
import { type Log, oneLine } from './log.ts';
import { failureAllowed } from './messages/outcome.ts';
import { outcomeLine, type StepOutcome, stepOutputs, summaryMarkdown } from './outputs.ts';
import { run } from './run.ts';

const log: Log = {
  info: (line) => core.info(oneLine(line)),
  warning: (line) => core.warning(oneLine(line)),
};

const source: InputSource = {
  input: (name) => core.getInput(name),
  env: process.env,
  maskSecret: (secret) => core.setSecret(secret),
  readEvent: async () => (await import('./context/event-payload.ts')).eventPayload,
};

const runtime = {
  // Node loads its HTTP client when `fetch` is first touched, so not before it is used.
  fetch: (...request: Parameters<typeof fetch>) => fetch(...request),
  now: () => Date.now(),
  random: () => Math.random(),
  sleep: (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds)),
};

try {
  const inputs = await readInputs(source);
  for (const notice of inputs.notices) core.notice(oneLine(notice));
  // Older releases of Node 24 have no such function. Loading the module takes longer than all the rest.
  if (inputs.behindProxy) (await import('node:http')).setGlobalProxyFromEnv?.();
  if (inputs.caFile !== '') await trustAuthorities(inputs.caFile);
  const { maskSecret } = source;
  await publish(await withIdentity(inputs, { runtime, log, maskSecret }, (known) => run(known, { runtime, log })));
} catch (error) {
  reportFailure(error);
}

async function publish(outcome: StepOutcome): Promise<void> {
  log.info(outcomeLine(outcome));
  for (const [name, value] of Object.entries(stepOutputs(outcome))) core.setOutput(name, value);
  if (source.env.GITHUB_STEP_SUMMARY) await core.summary.addRaw(summaryMarkdown(outcome)).write();
}

function reportFailure(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  // What was not foreseen is a fault of the action: then the stack is what a bug report needs.
  if (!(error instanceof ActionFailure) && error instanceof Error)
    core.info((error.stack ?? '').split('\n').map(oneLine).join('\n'));
  if (error instanceof ActionFailure && error.code === 'no-secret') core.notice(oneLine(message));
  else if (readFailOnError(source)) core.setFailed(oneLine(message));
  else core.warning(oneLine(failureAllowed(message)));
}
