import type { Build } from '../core/builds/build.ts';
import { Failure } from '../core/failure.ts';
import * as say from '../messages/closes.ts';
import { RESULT_WAIT, type RequestCloseDeps, unknownBuild, waitForResult } from './request-close.ts';

export interface RequestRerunInput {
  readonly token: string | undefined;
  readonly repoName: string | undefined;
  readonly buildNumber: string | undefined;
}

/**
 * Evaluates a closed build again from its stored jobs and announces it again (wire.md "Close"): what was given up is
 * tried again, what is posted already is not posted twice (rule 23). Waits a little for the result, like a close.
 */
export type RequestRerun = (input: RequestRerunInput) => Promise<Build>;

/** Throws a Failure `build-unknown` for a build that is unknown or never closed. */
export function createRequestRerun(deps: Omit<RequestCloseDeps, 'openCarried'>): RequestRerun {
  const { builds, clock, identifyUploader, onDue } = deps;
  return async ({ token, repoName, buildNumber }) => {
    const until = clock.now() + RESULT_WAIT;
    const content = (): string => JSON.stringify(['rerun', buildNumber]);
    const { repo, run } = await identifyUploader({ token, repoName, runs: [buildNumber], commits: undefined, content });
    if (buildNumber === undefined)
      throw new Failure('payload-invalid', say.BUILD_NUMBER_MISSING, { field: 'build_num' });
    const build = await builds.requestRerun({ repoId: repo.id, buildNumber, vouchedRun: run, at: clock.now() });
    if (build === undefined) throw new Failure('build-unknown', unknownBuild(buildNumber));
    if (build.result === undefined && build.attempts === undefined)
      throw new Failure('build-unknown', say.NEVER_CLOSED);
    onDue();
    return waitForResult(deps, build, until);
  };
}
