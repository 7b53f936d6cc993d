import { identifyUploader } from '../access/uploaders/identify-uploader.ts';
import type { UploaderServices } from '../access/uploaders/uploader-services.ts';
import type { Build } from '../core/builds/build.ts';
import { Failure } from '../core/failure.ts';
import { RESULT_WAIT, type RequestCloseInput, unknownBuild, waitForResult } from './request-close.ts';

export type RequestRerunInput = Omit<RequestCloseInput, 'carryforward'>;

/**
 * Evaluates a closed build again from its stored jobs and announces it again (wire.md "Close"): what was given up is
 * tried again, what is posted already is not posted twice (rule 23). Waits a little for the result, like a close.
 * Throws a Failure `build-unknown` for a build that is unknown or never closed.
 */
export async function requestRerun(services: UploaderServices, input: RequestRerunInput): Promise<Build> {
  const { builds, clock, onDue } = services;
  const { token, repoName, buildNumber, address } = input;
  const until = clock.now() + RESULT_WAIT;
  const content = (): string => JSON.stringify(['rerun', buildNumber]);
  const claim = { token, repoName, address, runs: [buildNumber], commits: undefined, content };
  const { repo, run } = await identifyUploader(services, claim);
  if (buildNumber === undefined)
    throw new Failure(
      'payload-invalid',
      'build_num is missing. Name the build that is to be recalculated as a close does: ' +
        'by its number, a job id, or the number that this server gave it.',
      { field: 'build_num' },
    );
  const build = await builds.requestRerun({ repoId: repo.id, buildNumber, vouchedRun: run, at: clock.now() });
  if (build === undefined) throw new Failure('build-unknown', unknownBuild(buildNumber));
  if (build.result === undefined && build.attempts === undefined)
    throw new Failure(
      'build-unknown',
      'That build is open and has never been closed, so there is nothing to recalculate. Close it with POST /webhook.',
    );
  onDue();
  return waitForResult(services, build, until);
}
