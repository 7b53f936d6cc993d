import type { BuildJson } from '@coverage/shared';
import type { CoverageClient } from '../api/coverage-client.ts';
import type { Runtime } from '../api/retrying-fetch.ts';
import type { Log } from '../runner/log.ts';

const LONGEST_WAIT_MS = 10_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 2_000;

/** What a build is read with. */
export interface Reading {
  readonly client: CoverageClient;
  readonly runtime: Pick<Runtime, 'now' | 'sleep'>;
  readonly log: Log;
}

/**
 * Waits up to 10 s for a build to be closed, and reads it. Undefined where it stays open or can not be read: the upload
 * or close succeeded all the same, so this never fails the step; the log says why the outputs are empty.
 */
export async function readClosedBuild(reading: Reading, buildUrl: string): Promise<BuildJson | undefined> {
  const { client, runtime, log } = reading;
  const end = runtime.now() + LONGEST_WAIT_MS;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    const build = await orNothing(log, client.readBuild(buildUrl));
    if (build?.state === 'closed') return build;
    if (build === undefined || runtime.now() + pause >= end) {
      log.info(build === undefined ? buildUnreadable(buildUrl) : notClosedYet(buildUrl));
      return undefined;
    }
    await runtime.sleep(pause);
  }
}

/** The page of the build that a job belongs to; undefined where the job can not be read. */
export async function findBuildUrl({ client, log }: Reading, jobUrl: string): Promise<string | undefined> {
  const job = await orNothing(log, client.readJob(jobUrl));
  if (typeof job?.build_url === 'string') return job.build_url;
  log.info(jobUnreadable(jobUrl));
  return undefined;
}

/** Undefined where reading fails, which the log tells. */
export function orNothing<T>(log: Log, reading: Promise<T | undefined>): Promise<T | undefined> {
  return reading.catch((error: unknown) => {
    log.info(error instanceof Error ? error.message : String(error));
    return undefined;
  });
}

function notClosedYet(url: string): string {
  return noResult('the build is not closed yet', url);
}

function buildUnreadable(url: string): string {
  return noResult('the build cannot be read with the token at hand', url);
}

function jobUnreadable(url: string): string {
  return noResult('the job cannot be read with the token at hand', url);
}

function noResult(reason: string, url: string): string {
  return `No result to show: ${reason}. The outputs coverage, change and verdict stay empty. See ${url}`;
}
