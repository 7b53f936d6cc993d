import { addressOf, type Environment, firstOf, type KnownCi, tagOf } from './ci-facts.ts';
import { OTHER_CIS } from './other-cis.ts';

const circleCi: KnownCi = {
  title: 'CircleCI',
  isHere: (env) => Boolean(env.CIRCLECI),
  read: (env) => ({
    serviceName: 'circleci',
    number: env.CIRCLE_WORKFLOW_ID,
    jobNumber: env.CIRCLE_BUILD_NUM,
    branch: tagOf(env.CIRCLE_TAG) ?? env.CIRCLE_BRANCH,
    pullRequest: firstOf(env, 'CI_PULL_REQUEST', 'CIRCLE_PULL_REQUEST', 'CIRCLE_PR_NUMBER'),
    sha: env.CIRCLE_SHA1,
    buildUrl: env.CIRCLE_BUILD_URL,
    jobUrl: env.CIRCLE_BUILD_URL,
  }),
};

/** Its event says more; the commit, the branch and the pull request come from there. */
export const GITHUB_ACTIONS: KnownCi = {
  title: 'GitHub Actions',
  isHere: (env) => Boolean(env.GITHUB_ACTIONS),
  read: (env) => {
    const run = addressOf(env.GITHUB_SERVER_URL, env.GITHUB_REPOSITORY, 'actions/runs', env.GITHUB_RUN_ID);
    return {
      serviceName: 'github',
      number: env.GITHUB_RUN_ID,
      jobId: env.GITHUB_JOB,
      branch: firstOf(env, 'GITHUB_HEAD_REF', 'GITHUB_REF_NAME'),
      pullRequest: /^refs\/pull\/(\d+)\//.exec(env.GITHUB_REF ?? '')?.[1],
      sha: env.GITHUB_SHA,
      buildUrl: run,
      jobUrl: run,
      repoName: env.GITHUB_REPOSITORY,
      attempt: env.GITHUB_RUN_ATTEMPT,
      eventType: env.GITHUB_EVENT_NAME,
    };
  },
};

/** What a pipeline tests that is no branch: a merge train, whose commit is nobody's head. */
const trainOf = ({ CI_MERGE_REQUEST_EVENT_TYPE: type, CI_MERGE_REQUEST_IID: number }: Environment) =>
  type === 'merge_train' && number ? `refs/merge-requests/${number}/train` : undefined;

const gitlab: KnownCi = {
  title: 'GitLab CI',
  isHere: (env) => Boolean(env.GITLAB_CI),
  read: (env) => ({
    serviceName: 'gitlab-ci',
    number: env.CI_PIPELINE_IID,
    jobId: env.CI_JOB_NAME,
    runId: env.CI_PIPELINE_ID,
    eventType: env.CI_PIPELINE_SOURCE,
    // A fork's pipeline runs in the fork's own project.
    repoName: firstOf(env, 'CI_MERGE_REQUEST_PROJECT_PATH', 'CI_PROJECT_PATH'),
    branch:
      tagOf(env.CI_COMMIT_TAG) ??
      trainOf(env) ??
      firstOf(env, 'CI_MERGE_REQUEST_SOURCE_BRANCH_NAME', 'CI_COMMIT_REF_NAME'),
    pullRequest: env.CI_MERGE_REQUEST_IID,
    sha: env.CI_COMMIT_SHA,
    // Set where the pipeline tests the merge, empty elsewhere.
    headSha: trainOf(env) === undefined ? env.CI_MERGE_REQUEST_SOURCE_BRANCH_SHA : undefined,
    baseBranch: env.CI_MERGE_REQUEST_TARGET_BRANCH_NAME,
    // In a merge train, it is what comes before in the train: the commit's first parent.
    baseSha:
      trainOf(env) === undefined
        ? firstOf(env, 'CI_MERGE_REQUEST_TARGET_BRANCH_SHA', 'CI_MERGE_REQUEST_DIFF_BASE_SHA')
        : undefined,
    buildUrl: firstOf(env, 'CI_PIPELINE_URL', 'CI_JOB_URL'),
    jobUrl: env.CI_JOB_URL,
  }),
};

/** For a pull request TRAVIS_BRANCH is the one it goes into, and TRAVIS_COMMIT a merge. */
const travis: KnownCi = {
  title: 'Travis CI',
  isHere: (env) => Boolean(env.TRAVIS),
  read: (env) => ({
    serviceName: 'travis-ci',
    number: env.TRAVIS_BUILD_NUMBER,
    jobId: env.TRAVIS_JOB_NUMBER,
    branch: tagOf(env.TRAVIS_TAG) ?? firstOf(env, 'TRAVIS_PULL_REQUEST_BRANCH', 'TRAVIS_BRANCH'),
    pullRequest: env.TRAVIS_PULL_REQUEST,
    sha: env.TRAVIS_COMMIT,
    headSha: env.TRAVIS_PULL_REQUEST_SHA,
    baseBranch: env.TRAVIS_PULL_REQUEST_BRANCH && env.TRAVIS_BRANCH,
    buildUrl: env.TRAVIS_BUILD_WEB_URL,
    jobUrl: env.TRAVIS_JOB_WEB_URL,
  }),
};

const semaphore: KnownCi = {
  title: 'Semaphore',
  isHere: (env) => Boolean(env.SEMAPHORE),
  read: (env) => ({
    serviceName: 'semaphore',
    number: env.SEMAPHORE_WORKFLOW_ID,
    jobId: env.SEMAPHORE_JOB_ID,
    branch: tagOf(env.SEMAPHORE_GIT_TAG_NAME) ?? env.SEMAPHORE_GIT_WORKING_BRANCH,
    pullRequest: env.SEMAPHORE_GIT_PR_NUMBER,
    sha: env.SEMAPHORE_GIT_SHA,
    headSha: env.SEMAPHORE_GIT_PR_SHA,
    baseBranch: env.SEMAPHORE_GIT_PR_NUMBER && env.SEMAPHORE_GIT_BRANCH,
    buildUrl: addressOf(env.SEMAPHORE_ORGANIZATION_URL, 'workflows', env.SEMAPHORE_WORKFLOW_ID),
    jobUrl: addressOf(env.SEMAPHORE_ORGANIZATION_URL, 'jobs', env.SEMAPHORE_JOB_ID),
  }),
};

/** For a pull request BRANCH_NAME is `PR-<number>`: CHANGE_BRANCH says what it is called. */
const jenkins: KnownCi = {
  title: 'Jenkins',
  isHere: (env) => Boolean(env.JENKINS_URL || env.JENKINS_HOME),
  read: (env) => ({
    serviceName: 'jenkins',
    number: env.BUILD_NUMBER,
    jobId: env.BUILD_ID,
    branch: tagOf(env.TAG_NAME) ?? firstOf(env, 'CHANGE_BRANCH', 'ghprbSourceBranch', 'BRANCH_NAME'),
    pullRequest: firstOf(env, 'CHANGE_ID', 'ghprbPullId'),
    sha: env.GIT_COMMIT,
    headSha: env.ghprbActualCommit,
    baseBranch: firstOf(env, 'CHANGE_TARGET', 'ghprbTargetBranch'),
    buildUrl: env.BUILD_URL,
    jobUrl: env.BUILD_URL,
  }),
};

const appVeyor: KnownCi = {
  title: 'AppVeyor',
  isHere: (env) => Boolean(env.APPVEYOR),
  read: (env) => ({
    serviceName: 'appveyor',
    number: env.APPVEYOR_BUILD_VERSION,
    jobId: env.APPVEYOR_BUILD_ID,
    jobNumber: env.APPVEYOR_BUILD_NUMBER,
    branch:
      tagOf(env.APPVEYOR_REPO_TAG_NAME) ??
      firstOf(env, 'APPVEYOR_PULL_REQUEST_HEAD_REPO_BRANCH', 'APPVEYOR_REPO_BRANCH'),
    pullRequest: env.APPVEYOR_PULL_REQUEST_NUMBER,
    sha: env.APPVEYOR_REPO_COMMIT,
    headSha: env.APPVEYOR_PULL_REQUEST_HEAD_COMMIT,
    baseBranch: env.APPVEYOR_PULL_REQUEST_NUMBER && env.APPVEYOR_REPO_BRANCH,
    buildUrl: addressOf('https://ci.appveyor.com/project', env.APPVEYOR_REPO_NAME, 'build', env.APPVEYOR_BUILD_VERSION),
  }),
};

/** In the order in which they are looked for: the first that is there counts. */
export const KNOWN_CIS: readonly KnownCi[] = [
  circleCi,
  GITHUB_ACTIONS,
  gitlab,
  travis,
  semaphore,
  jenkins,
  appVeyor,
  ...OTHER_CIS,
];

/** The CI that set these variables; undefined on a developer's machine, or in a CI that is not known. */
export function findCi(env: Environment): KnownCi | undefined {
  return KNOWN_CIS.find((ci) => ci.isHere(env));
}
