import type { BuildJson } from '@coverage/shared';
import { paceOf } from '../api/progress.ts';
import * as say from '../messages/outcome.ts';
import type { Texts } from '../messages/values.ts';
import { orNothing, type Reading } from './read-outcome.ts';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5_000;

/** What the step ends by. */
export interface Awaited {
  /** As it was read last; undefined where it was never closed, or cannot be read. */
  readonly build?: BuildJson;
  /** Why the step fails: a sentence. */
  readonly failure?: string;
}

/**
 * Waits until a build is judged for good. What prevents that is a warning, never a failure: an upload that succeeded
 * does not turn red for a server that is slow or down.
 */
export async function waitForVerdict(reading: Reading, buildUrl: string, waitMs: number): Promise<Awaited> {
  const { client, runtime, log } = reading;
  const end = runtime.now() + waitMs;
  const isDue = paceOf(runtime.now);
  let last: BuildJson | undefined;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    last = (await orNothing(log, client.readBuild(buildUrl))) ?? last;
    if (last === undefined) {
      log.warning(say.verdictUnreadable(buildUrl));
      return {};
    }
    if (isFinal(last)) return { build: last, ...failureOf(last, buildUrl) };
    // Only a person can end this: nobody is to wait for it.
    if (last.state === 'closed' && last.unverified_reason === 'access-denied') {
      log.warning(
        'Input wait: the git host denies the coverage server access to this repo. The upload is kept and judged ' +
          'as soon as the access is back (install its App, or end the suspension), so this step does not end by ' +
          `it. See ${buildUrl}`,
      );
      return { build: last };
    }
    if (runtime.now() + pause >= end) {
      log.warning(noVerdictInTime(waitMs / 1000, buildUrl));
      return last.state === 'closed' ? { build: last } : {};
    }
    const state =
      last.state === 'closed' ? 'it is provisional, the git host has not answered yet' : 'the build is open';
    if (isDue()) log.info(`Still waiting for the verdict (${state}), ${isDue.seconds()} s so far: ${buildUrl}`);
    await runtime.sleep(pause);
  }
}

function isFinal({ state, verdict }: BuildJson): boolean {
  return state === 'closed' && verdict?.provisional !== true;
}

/** What fails no commit status fails no step. */
function failureOf({ verdict }: BuildJson, url: string): Pick<Awaited, 'failure'> {
  const isGood = verdict === null || verdict.state === 'success' || verdict.informational || verdict.accepted;
  return isGood ? {} : { failure: verdictFails(verdict, url) };
}

function verdictFails(verdict: Texts<'state' | 'explanation'>, url: string): string {
  return `The verdict on the build is ${verdict.state}: ${verdict.explanation} See ${url}`;
}

function noVerdictInTime(seconds: number, url: string): string {
  const limit = `${seconds} s (wait-timeout)`;
  return `Input wait: there is no final verdict after ${limit}, so this step does not end by it. See ${url}`;
}
