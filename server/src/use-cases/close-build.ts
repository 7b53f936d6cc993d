import type { Build, CarryforwardRequest } from '../domain/build/build.ts';
import { Failure, quoteValue } from '../domain/failure.ts';
import type { Clock } from '../ports/clock.ts';
import type { BuildStore } from '../ports/store.ts';
import type { FindRepoByToken } from './find-repo-by-token.ts';

/** Rule 11: how long a close waits for its result before it answers. */
const RESULT_WAIT = 8_000;

export interface CloseBuildInput {
  readonly token: string | undefined;
  readonly repoName: string | undefined;
  readonly buildNumber: string | undefined;
  readonly carryforward: CarryforwardRequest | undefined;
}

export interface CloseBuildDeps {
  readonly builds: BuildStore;
  readonly clock: Clock;
  readonly findRepoByToken: FindRepoByToken;
  /** Resolves after some milliseconds. */
  readonly sleep: (ms: number) => Promise<void>;
  readonly onDue: () => void;
}

/** The parallel build webhook: writes the close that is due, then waits a little for the result. The same answer either way. */
export type CloseBuild = (input: CloseBuildInput) => Promise<Build>;

export function createCloseBuild(deps: CloseBuildDeps): CloseBuild {
  const { builds, clock, findRepoByToken, onDue } = deps;
  return async ({ token, repoName, buildNumber, carryforward }) => {
    const repo = await findRepoByToken({ token, repoName });
    const build = await builds.requestClose({ repoId: repo.id, buildNumber, carryforward, at: clock.now() });
    if (build === undefined) throw new Failure('build-unknown', unknownBuild(buildNumber));
    onDue();
    return waitForResult(deps, build);
  };
}

async function waitForResult(deps: CloseBuildDeps, requested: Build): Promise<Build> {
  const { builds, clock, sleep } = deps;
  const until = clock.now() + RESULT_WAIT;
  let build = requested;
  for (let pause = 5; build.closeDue !== undefined && clock.now() < until; pause = Math.min(pause * 2, 200)) {
    await sleep(pause);
    build = (await builds.find(build.id)) ?? build;
  }
  return build;
}

function unknownBuild(buildNumber: string | undefined): string {
  if (buildNumber !== undefined)
    return `No build matching CI build number ${quoteValue(buildNumber).replace(/^"|"$/g, '')} found`;
  return 'No open parallel build found, and none was closed in the last 10 minutes. Name it by payload.build_num, or upload its jobs first.';
}
