import { type CiFacts, type Environment, type KnownCi, statedFacts } from './ci-facts.ts';
import { findCi } from './known-cis.ts';

/** What every source together says of the run, and which CI was recognized. */
export interface RunFacts {
  readonly ci: KnownCi | undefined;
  /** What the CI says, and the generic variables where it says nothing. */
  readonly ofCi: CiFacts;
  /** What somebody set on purpose: COVERALLS_* variables, `.coveralls.yml`, the command line. */
  readonly stated: CiFacts;
  /** Both, in this order. */
  readonly facts: CiFacts;
}

/** What is given beside the variables, each winning over all of them. */
export interface OtherFacts {
  /** For `.coveralls.yml`. */
  readonly file: Pick<CiFacts, 'serviceName' | 'repoName'>;
  readonly options: CiFacts;
}

/**
 * Later sources win: the generic CI_* variables, the first CI that is recognized, COVERALLS_* variables (the file
 * `.coveralls.yml` if there is none), the command line.
 */
export function readCi(env: Environment, { file, options }: OtherFacts): RunFacts {
  const ci = findCi(env);
  const stated = { ...statedFacts(file), ...coverallsVariables(env), ...options };
  const ofCi = { ...genericVariables(env), ...(ci === undefined ? {} : statedFacts(ci.read(env))) };
  return { ci, ofCi, stated, facts: { ...ofCi, ...stated } };
}

function genericVariables(env: Environment): CiFacts {
  return statedFacts({
    serviceName: env.CI_NAME,
    number: env.CI_BUILD_NUMBER,
    jobId: env.CI_JOB_ID,
    branch: env.CI_BRANCH,
    pullRequest: env.CI_PULL_REQUEST,
    sha: env.CI_COMMIT_ID || env.GIT_ID,
    buildUrl: env.CI_BUILD_URL,
    jobUrl: env.CI_JOB_URL,
  });
}

function coverallsVariables(env: Environment): CiFacts {
  return statedFacts({
    serviceName: env.COVERALLS_SERVICE_NAME,
    number: env.COVERALLS_SERVICE_NUMBER,
    jobId: env.COVERALLS_SERVICE_JOB_ID,
    jobNumber: env.COVERALLS_SERVICE_JOB_NUMBER,
    branch: env.COVERALLS_GIT_BRANCH,
    pullRequest: env.COVERALLS_PULL_REQUEST,
    eventType: env.COVERALLS_EVENT_TYPE,
    sha: env.COVERALLS_GIT_COMMIT,
    repoName: env.COVERALLS_REPO_NAME,
  });
}
