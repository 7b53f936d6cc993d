import { identifyUploader } from '../access/uploaders/identify-uploader.ts';
import type { UploaderServices } from '../access/uploaders/uploader-services.ts';
import { pauseAfter, RESULT_BACKOFF } from '../core/backoff.ts';
import type { Build, CarryforwardRequest } from '../core/builds/build.ts';
import { isCloseRequested } from '../core/builds/close-due.ts';
import { Failure, quoteValue } from '../core/failure.ts';
import type { Timestamp } from '../core/time.ts';
import type { Services } from '../services/services.ts';
import { nameFlags } from './name-flags.ts';
import { openCarried } from './open-carried.ts';

/** Rule 11: how long a close takes before it answers without its result, the check of a token included. */
export const RESULT_WAIT = 8_000;

export interface RequestCloseInput {
  readonly token: string | undefined;
  readonly repoName: string | undefined;
  readonly buildNumber: string | undefined;
  readonly carryforward: CarryforwardRequest | undefined;
  /** Where it came from. */
  readonly address: string;
}

/**
 * The parallel build webhook: writes the close that is due, then waits a little for the result. The same answer either
 * way.
 */
export async function requestClose(services: UploaderServices, input: RequestCloseInput): Promise<Build> {
  const { builds, clock, onDue } = services;
  const { token, repoName, buildNumber, carryforward: listed, address } = input;
  const until = clock.now() + RESULT_WAIT;
  const content = (): string => JSON.stringify(['close', buildNumber, listed]);
  const fork = { serviceName: undefined, pullRequest: undefined };
  const claim = { token, repoName, address, runs: [buildNumber], commits: undefined, fork, content };
  const { repo, trust, run } = await identifyUploader(services, claim);
  const unverified = trust === 'run';
  const carryforward = await nameFlags(builds, repo.id, listed);
  // Who speaks for one run names its build even without a number.
  const asked = { buildNumber: buildNumber ?? run?.id, carryforward, vouchedRun: run };
  const meant = await builds.requestClose({ repoId: repo.id, ...asked, unverified, at: clock.now() });
  // A run without secrets opens no build but by a job.
  const build = meant ?? (unverified ? undefined : await openCarried(services, { repo, ...asked }));
  if (build === undefined) throw new Failure('build-unknown', unknownBuild(buildNumber));
  onDue();
  return waitForResult(services, build, until);
}

/** The build once nothing is due in it, or it is set aside; or as it is at `until`, or once the server stops. */
export async function waitForResult(
  { builds, clock, timers, isStopping }: Pick<Services, 'builds' | 'clock' | 'timers' | 'isStopping'>,
  requested: Build,
  until: Timestamp,
): Promise<Build> {
  let build = requested;
  const isWaiting = (): boolean => isCloseRequested(build) && build.attempts?.setAside === undefined;
  for (let looks = 1; isWaiting() && clock.now() < until && !isStopping(); looks += 1) {
    await timers.sleep(pauseAfter(looks, RESULT_BACKOFF));
    build = (await builds.find(build.id)) ?? build;
  }
  return build;
}

/** The sentence for an unknown build (wire.md "Close"). */
export function unknownBuild(buildNumber: string | undefined): string {
  if (buildNumber !== undefined)
    return `No build matching CI build number ${quoteValue(buildNumber).replace(/^"|"$/g, '')} found`;
  return (
    'No open parallel build found, and none was closed in the last 10 minutes. ' +
    'Name it in payload.build_num, or upload its jobs first.'
  );
}
