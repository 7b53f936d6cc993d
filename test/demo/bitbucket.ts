import { startBitbucketServerStandIn } from '../support/bitbucket-server-stand-in/bitbucket-server-stand-in.ts';
import { startBitbucketStandIn } from '../support/bitbucket-stand-in/bitbucket-stand-in.ts';
import { uuidOf } from '../support/bitbucket-stand-in/present.ts';
import { runCommandStep } from './command-step.ts';
import type { CiStep, DemoHost } from './hosts.ts';
import { type TestedCommits, testedBy } from './tested.ts';

/** A step of Bitbucket Pipelines merges locally, and names the head. */
const TESTED: TestedCommits = { ofPulls: 'head', ofForks: 'head' };

const isChecked = 'which checks every request and answer against a cut of its API description';

/** Bitbucket Cloud, and the command in Bitbucket Pipelines. */
export const BITBUCKET: DemoHost = {
  service: 'bitbucket',
  name: 'Bitbucket',
  pullRequest: (number) => `Pull request ${number}`,
  words: { isChecked, ofFork: 'Bitbucket runs no pipeline for it, so nothing is uploaded' },
  tested: TESTED,
  runsForks: false,
  async start({ now }) {
    const bitbucket = await startBitbucketStandIn({ now });
    return {
      ...bitbucket,
      env: { BITBUCKET_API_URL: bitbucket.url, BITBUCKET_URL: bitbucket.web, BITBUCKET_TOKEN: bitbucket.token },
      violation: () => bitbucket.violations()[0],
      beginRun: () => undefined,
      runStep: (step) => runCommandStep(step, variablesOfPipelines(step)),
    };
  },
};

/** Bitbucket Data Center, and the command in Jenkins. */
export const BITBUCKET_SERVER: DemoHost = {
  service: 'stash',
  name: 'Bitbucket Data Center',
  pullRequest: (number) => `Pull request ${number}`,
  words: { isChecked, ofFork: 'Jenkins gives its run no secret, so nothing is uploaded' },
  tested: TESTED,
  runsForks: false,
  async start({ now }) {
    const center = await startBitbucketServerStandIn({ now });
    return {
      ...center,
      env: { BITBUCKET_SERVER_URL: center.url, BITBUCKET_SERVER_TOKEN: center.token },
      violation: () => center.violations()[0],
      beginRun: () => undefined,
      runStep: (step) => runCommandStep(step, variablesOfJenkins(step)),
    };
  },
};

function variablesOfPipelines({ on, commits, run, repo }: CiStep): Record<string, string> {
  const { sha, pull } = testedBy(on, commits, TESTED);
  return {
    BITBUCKET_BUILD_NUMBER: run,
    BITBUCKET_STEP_UUID: uuidOf(Number(run)),
    BITBUCKET_COMMIT: sha,
    BITBUCKET_BRANCH: pull?.headRef ?? 'main',
    BITBUCKET_REPO_FULL_NAME: repo,
    ...(pull && { BITBUCKET_PR_ID: String(pull.number), BITBUCKET_PR_DESTINATION_BRANCH: 'main' }),
  };
}

function variablesOfJenkins({ on, commits, run }: CiStep): Record<string, string> {
  const { sha, pull } = testedBy(on, commits, TESTED);
  const jenkins = 'https://ci.acme.example';
  const change = pull && { CHANGE_ID: String(pull.number), CHANGE_BRANCH: pull.headRef, CHANGE_TARGET: 'main' };
  return {
    JENKINS_URL: jenkins,
    BUILD_NUMBER: run,
    BUILD_ID: run,
    BUILD_URL: `${jenkins}/job/shop/${run}/`,
    GIT_COMMIT: sha,
    BRANCH_NAME: pull === undefined ? 'main' : `PR-${pull.number}`,
    ...change,
  };
}
