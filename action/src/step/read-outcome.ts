import type { BuildJson, JobAnswer, LeftOut } from '@coverage/shared';
import type { CoverageClient } from '../api/coverage-client.ts';
import { paceOf } from '../api/progress.ts';
import type { Runtime } from '../api/retrying-fetch.ts';
import type { Counts, FileHits } from '../formats/file-hits.ts';
import type { FoundReport } from '../report/find-reports.ts';
import { leftOutWarnings } from '../report/text-ends.ts';
import type { Log } from '../runner/log.ts';
import { decisionOf, type UploadOutcome } from './outputs.ts';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5_000;
const LONGEST_WAIT_TO_CLOSE_MS = 10_000;
const LONGEST_PAUSE_TO_CLOSE_MS = 2_000;

/** What a build is read with. */
interface Reading {
  readonly client: CoverageClient;
  readonly runtime: Pick<Runtime, 'now' | 'sleep'>;
  readonly log: Log;
}

/** What the step ends by. */
interface Awaited {
  /** As it was read last; undefined if it was never closed, or cannot be read. */
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
      log.warning(verdictUnreadable(buildUrl));
      return {};
    }
    if (isFinal(last)) return { build: last, ...failureOf(last, buildUrl) };
    // Only a person can end this: nobody is to wait for it.
    if (last.state === 'closed' && last.unverified_reason === 'access-denied') {
      log.warning(
        'Input wait: the git host denies the coverage server access to this repo. ' +
          'The upload is kept and judged as soon as the access is back (install its App, or end the suspension), ' +
          `so this step does not end by it. See ${buildUrl}`,
      );
      return { build: last };
    }
    if (runtime.now() + pause >= end) {
      log.warning(
        `Input wait: there is no final verdict after ${waitMs / 1000} s (wait-timeout), ` +
          `so this step does not end by it. See ${buildUrl}`,
      );
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
function failureOf(build: BuildJson, url: string): Pick<Awaited, 'failure'> {
  const { verdict, overall } = build;
  const isTotalGood = verdict === null || verdict.state === 'success' || verdict.informational || verdict.accepted;
  const decided = decisionOf(build);
  // An earlier server says only how the total is.
  if (decided === undefined || (overall === undefined ? isTotalGood : overall.state === 'success')) return {};
  return { failure: `The verdict on the build is ${decided.state}: ${decided.words} See ${url}` };
}

/**
 * Waits up to 10 s for a build to be closed, and reads it. Undefined if it stays open or can not be read: the upload or
 * close succeeded anyway, so this never fails the step; the log says why the outputs are empty.
 */
export async function readClosedBuild(reading: Reading, buildUrl: string): Promise<BuildJson | undefined> {
  const { client, runtime, log } = reading;
  const end = runtime.now() + LONGEST_WAIT_TO_CLOSE_MS;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_TO_CLOSE_MS)) {
    const build = await orNothing(log, client.readBuild(buildUrl));
    if (build?.state === 'closed') return build;
    if (build === undefined || runtime.now() + pause >= end) {
      log.info(
        build === undefined
          ? noResult('the build cannot be read with the token at hand', buildUrl)
          : noResult('the build is not closed yet', buildUrl),
      );
      return undefined;
    }
    await runtime.sleep(pause);
  }
}

/** The page of the build that a job belongs to; undefined if the job can not be read. */
export async function findBuildUrl({ client, log }: Reading, jobUrl: string): Promise<string | undefined> {
  const job = await orNothing(log, client.readJob(jobUrl));
  if (typeof job?.build_url === 'string') return job.build_url;
  log.info(noResult('the job cannot be read with the token at hand', jobUrl));
  return undefined;
}

/** Undefined if reading fails, which the log tells. */
function orNothing<T>(log: Log, reading: Promise<T | undefined>): Promise<T | undefined> {
  return reading.catch((error: unknown) => {
    log.info(error instanceof Error ? error.message : String(error));
    return undefined;
  });
}

function noResult(reason: string, url: string): string {
  return `No result to show: ${reason}. The outputs coverage, change and verdict stay empty. See ${url}`;
}

export function verdictUnreadable(url: string): string {
  return (
    'Input wait: the verdict cannot be read with the token at hand, so this step does not end by it. ' +
    `The upload succeeded. See ${url}`
  );
}

/** What was uploaded, in numbers. */
export function describeUpload(
  answer: JobAnswer,
  job: {
    readonly flagName: string;
    readonly files: readonly FileHits[];
    readonly leftOut: LeftOut;
    readonly reports: readonly FoundReport[];
  },
): UploadOutcome {
  const { flagName, files, leftOut, reports } = job;
  return {
    ...answer,
    flagName,
    warnings: leftOutWarnings(leftOut),
    files: files.length,
    lines: sumOf(files.map((file) => file.countLines())),
    branches: sumOf(files.map((file) => file.countBranches())),
    reports: reports.map(({ path, format }) => ({ path, format: format.name })),
  };
}

const NOTHING: Counts = { covered: 0, all: 0 };

function sumOf(counts: readonly Counts[]): Counts {
  return counts.reduce((sum, { covered, all }) => ({ covered: sum.covered + covered, all: sum.all + all }), NOTHING);
}
