import { addressOf, firstOf, type KnownCi, tagOf } from './ci-facts.ts';

/*
 * The official client sends no number for several of these, so that nothing could close their builds. Here the id of
 * the run is the number too.
 */

const solano: KnownCi = {
  title: 'Solano CI',
  isHere: (env) => Boolean(env.TDDIUM),
  read: (env) => ({
    serviceName: 'tddium',
    number: env.TDDIUM_SESSION_ID,
    jobId: env.TDDIUM_TID,
    branch: env.TDDIUM_CURRENT_BRANCH,
    pullRequest: env.TDDIUM_PR_ID,
    buildUrl: addressOf('https://ci.solanolabs.com/reports', env.TDDIUM_SESSION_ID),
  }),
};

/** BUILD_SOURCEBRANCHNAME is the last part of a branch alone, and `merge` for a pull request. */
const azure: KnownCi = {
  title: 'Azure Pipelines',
  isHere: (env) => Boolean(env.TF_BUILD),
  read: (env) => {
    const source = env.SYSTEM_PULLREQUEST_SOURCEBRANCH || env.BUILD_SOURCEBRANCH || env.BUILD_SOURCEBRANCHNAME;
    return {
      serviceName: 'Azure Pipelines',
      number: env.BUILD_BUILDID,
      jobId: env.BUILD_BUILDID,
      branch: withoutHeads(source),
      pullRequest: firstOf(env, 'SYSTEM_PULLREQUEST_PULLREQUESTNUMBER', 'SYSTEM_PULLREQUEST_PULLREQUESTID'),
      sha: env.BUILD_SOURCEVERSION,
      headSha: env.SYSTEM_PULLREQUEST_SOURCECOMMITID,
      baseBranch: withoutHeads(env.SYSTEM_PULLREQUEST_TARGETBRANCH),
      buildUrl:
        env.SYSTEM_TEAMPROJECT && env.BUILD_BUILDID
          ? addressOf(
              env.SYSTEM_COLLECTIONURI,
              encodeURIComponent(env.SYSTEM_TEAMPROJECT),
              `_build/results?buildId=${env.BUILD_BUILDID}`,
            )
          : undefined,
    };
  },
};

const buildkite: KnownCi = {
  title: 'Buildkite',
  isHere: (env) => Boolean(env.BUILDKITE),
  read: (env) => ({
    serviceName: 'buildkite',
    number: env.BUILDKITE_BUILD_ID,
    jobId: env.BUILDKITE_BUILD_ID,
    jobNumber: env.BUILDKITE_BUILD_NUMBER,
    branch: tagOf(env.BUILDKITE_TAG) ?? env.BUILDKITE_BRANCH,
    // "false" if there is none.
    pullRequest: env.BUILDKITE_PULL_REQUEST,
    // A build that somebody starts may say HEAD.
    sha: env.BUILDKITE_COMMIT === 'HEAD' ? undefined : env.BUILDKITE_COMMIT,
    baseBranch: env.BUILDKITE_PULL_REQUEST_BASE_BRANCH,
    buildUrl: env.BUILDKITE_BUILD_URL,
    jobUrl: env.BUILDKITE_BUILD_URL && env.BUILDKITE_JOB_ID && `${env.BUILDKITE_BUILD_URL}#${env.BUILDKITE_JOB_ID}`,
  }),
};

const codefresh: KnownCi = {
  title: 'Codefresh',
  isHere: (env) => Boolean(env.CF_BRANCH),
  read: (env) => ({
    serviceName: 'Codefresh',
    number: env.CF_BUILD_ID,
    jobId: env.CF_BUILD_ID,
    branch: env.CF_BRANCH,
    pullRequest: env.CF_PULL_REQUEST_NUMBER,
    sha: env.CF_REVISION,
    baseBranch: env.CF_PULL_REQUEST_TARGET,
    buildUrl: env.CF_BUILD_URL,
  }),
};

const codeship: KnownCi = {
  title: 'Codeship',
  isHere: (env) => env.CI_NAME === 'codeship',
  read: (env) => ({
    serviceName: 'codeship',
    jobId: env.CI_BUILD_NUMBER,
    branch: env.CI_BRANCH,
    sha: env.CI_COMMIT_ID,
  }),
};

/** It has neither run nor job: all that a commit's jobs share is the commit. */
const surf: KnownCi = {
  title: 'Surf',
  isHere: (env) => Boolean(env.SURF_SHA1),
  read: (env) => ({
    serviceName: 'surf',
    number: env.SURF_SHA1,
    branch: withoutHeads(env.SURF_REF),
    sha: env.SURF_SHA1,
  }),
};

const wercker: KnownCi = {
  title: 'Wercker',
  isHere: (env) => Boolean(env.WERCKER),
  read: (env) => ({
    serviceName: 'wercker',
    number: env.WERCKER_BUILD_ID,
    jobId: env.WERCKER_BUILD_ID,
    branch: env.WERCKER_GIT_BRANCH,
    sha: env.WERCKER_GIT_COMMIT,
    buildUrl: env.WERCKER_BUILD_URL,
  }),
};

/** For a pull request DRONE_BRANCH is the one it goes into. */
const drone: KnownCi = {
  title: 'Drone',
  isHere: (env) => Boolean(env.DRONE),
  read: (env) => ({
    serviceName: 'drone',
    number: env.DRONE_BUILD_NUMBER,
    jobId: env.DRONE_BUILD_NUMBER,
    branch:
      tagOf(env.DRONE_TAG) ?? firstOf(env, ...(env.DRONE_PULL_REQUEST ? ['DRONE_SOURCE_BRANCH'] : []), 'DRONE_BRANCH'),
    // May be set and empty.
    pullRequest: env.DRONE_PULL_REQUEST,
    sha: firstOf(env, 'DRONE_COMMIT_SHA', 'DRONE_COMMIT'),
    baseBranch: env.DRONE_PULL_REQUEST && firstOf(env, 'DRONE_TARGET_BRANCH', 'DRONE_BRANCH'),
    buildUrl: env.DRONE_BUILD_LINK,
  }),
};

/** For a pull request CI_COMMIT_BRANCH is the one it goes into. */
const woodpecker: KnownCi = {
  title: 'Woodpecker CI',
  isHere: (env) => env.CI === 'woodpecker',
  read: (env) => ({
    serviceName: 'woodpecker',
    number: env.CI_PIPELINE_NUMBER,
    jobId: [env.CI_PIPELINE_NUMBER, env.CI_WORKFLOW_NUMBER, env.CI_STEP_NUMBER].filter(Boolean).join('.'),
    branch:
      tagOf(env.CI_COMMIT_TAG) ??
      firstOf(env, ...(env.CI_COMMIT_PULL_REQUEST ? ['CI_COMMIT_SOURCE_BRANCH'] : []), 'CI_COMMIT_BRANCH'),
    pullRequest: env.CI_COMMIT_PULL_REQUEST,
    sha: env.CI_COMMIT_SHA,
    baseBranch: env.CI_COMMIT_PULL_REQUEST && env.CI_COMMIT_TARGET_BRANCH,
    buildUrl: env.CI_PIPELINE_URL,
    jobUrl: env.CI_STEP_URL,
    repoName: env.CI_REPO,
    eventType: env.CI_PIPELINE_EVENT,
  }),
};

/** It passes no branch and no pull request to a process: git says the branch. */
const teamCity: KnownCi = {
  title: 'TeamCity',
  isHere: (env) => Boolean(env.TEAMCITY_VERSION),
  read: (env) => ({
    serviceName: 'teamcity',
    number: env.BUILD_NUMBER,
    sha: env.BUILD_VCS_NUMBER,
    buildUrl: env.BUILD_URL,
  }),
};

/** The branch of a pull request is called `pull/<number>`. */
const cirrus: KnownCi = {
  title: 'Cirrus CI',
  isHere: (env) => Boolean(env.CIRRUS_CI),
  read: (env) => ({
    serviceName: 'cirrus-ci',
    number: env.CIRRUS_BUILD_ID,
    jobId: env.CIRRUS_TASK_ID,
    branch: tagOf(env.CIRRUS_TAG) ?? (env.CIRRUS_PR ? undefined : env.CIRRUS_BRANCH),
    pullRequest: env.CIRRUS_PR,
    sha: env.CIRRUS_CHANGE_IN_REPO,
    baseBranch: env.CIRRUS_PR && env.CIRRUS_BASE_BRANCH,
    baseSha: env.CIRRUS_PR && env.CIRRUS_BASE_SHA,
    buildUrl: addressOf('https://cirrus-ci.com/build', env.CIRRUS_BUILD_ID),
    jobUrl: addressOf('https://cirrus-ci.com/task', env.CIRRUS_TASK_ID),
    repoName: env.CIRRUS_REPO_FULL_NAME,
  }),
};

/** A webhook's build names its source as `branch/<name>`, `tag/<name>` or `pr/<number>`. */
const codeBuild: KnownCi = {
  title: 'AWS CodeBuild',
  isHere: (env) => Boolean(env.CODEBUILD_BUILD_ID),
  read: (env) => ({
    serviceName: 'codebuild',
    number: env.CODEBUILD_BUILD_NUMBER,
    jobId: env.CODEBUILD_BUILD_ID,
    branch: env.CODEBUILD_WEBHOOK_TRIGGER?.startsWith('tag/')
      ? `refs/tags/${env.CODEBUILD_WEBHOOK_TRIGGER.slice('tag/'.length)}`
      : withoutHeads(env.CODEBUILD_WEBHOOK_HEAD_REF),
    pullRequest: /^pr\/(\d+)$/.exec(firstOf(env, 'CODEBUILD_WEBHOOK_TRIGGER', 'CODEBUILD_SOURCE_VERSION') ?? '')?.[1],
    sha: env.CODEBUILD_RESOLVED_SOURCE_VERSION,
    baseBranch: withoutHeads(env.CODEBUILD_WEBHOOK_BASE_REF),
    buildUrl: env.CODEBUILD_BUILD_URL,
    eventType: env.CODEBUILD_WEBHOOK_EVENT,
  }),
};

const xcodeCloud: KnownCi = {
  title: 'Xcode Cloud',
  isHere: (env) => Boolean(env.CI_XCODE_PROJECT),
  read: (env) => ({
    serviceName: 'xcode-cloud',
    number: env.CI_BUILD_NUMBER,
    branch: tagOf(env.CI_TAG) ?? firstOf(env, 'CI_PULL_REQUEST_SOURCE_BRANCH', 'CI_BRANCH'),
    pullRequest: env.CI_PULL_REQUEST_NUMBER,
    sha: env.CI_COMMIT,
    headSha: env.CI_PULL_REQUEST_SOURCE_COMMIT,
    baseBranch: env.CI_PULL_REQUEST_TARGET_BRANCH,
    baseSha: env.CI_PULL_REQUEST_TARGET_COMMIT,
    buildUrl: env.CI_BUILD_URL,
  }),
};

const rwx: KnownCi = {
  title: 'RWX',
  isHere: (env) => Boolean(env.RWX),
  read: (env) => ({
    serviceName: 'rwx',
    number: env.RWX_RUN_ID,
    jobId: env.RWX_TASK_ID,
    branch: env.RWX_GIT_REF_NAME,
    sha: env.RWX_GIT_COMMIT_SHA,
    buildUrl: env.RWX_RUN_URL,
    jobUrl: env.RWX_TASK_URL,
    repoName: env.RWX_GIT_REPOSITORY_NAME,
    attempt: env.RWX_TASK_ATTEMPT_NUMBER,
  }),
};

export const BITBUCKET_PIPELINES: KnownCi = {
  title: 'Bitbucket Pipelines',
  isHere: (env) => Boolean(env.BITBUCKET_BUILD_NUMBER),
  read: (env) => ({
    serviceName: 'bitbucket',
    number: env.BITBUCKET_BUILD_NUMBER,
    jobId: env.BITBUCKET_STEP_UUID,
    branch: tagOf(env.BITBUCKET_TAG) ?? env.BITBUCKET_BRANCH,
    pullRequest: env.BITBUCKET_PR_ID,
    sha: env.BITBUCKET_COMMIT,
    baseBranch: env.BITBUCKET_PR_DESTINATION_BRANCH,
    buildUrl: addressOf(
      'https://bitbucket.org',
      env.BITBUCKET_REPO_FULL_NAME,
      'pipelines/results',
      env.BITBUCKET_BUILD_NUMBER,
    ),
    repoName: env.BITBUCKET_REPO_FULL_NAME,
  }),
};

const local: KnownCi = {
  title: 'COVERALLS_RUN_LOCALLY',
  isHere: (env) => Boolean(env.COVERALLS_RUN_LOCALLY),
  read: () => ({ serviceName: 'coveralls-universal', eventType: 'manual' }),
};

/** In the order in which they are looked for, behind those of known-cis.ts. */
export const OTHER_CIS: readonly KnownCi[] = [
  solano,
  azure,
  buildkite,
  codefresh,
  codeship,
  surf,
  wercker,
  woodpecker,
  drone,
  teamCity,
  cirrus,
  codeBuild,
  xcodeCloud,
  rwx,
  BITBUCKET_PIPELINES,
  local,
];

function withoutHeads(ref: string | undefined): string | undefined {
  return ref?.replace(/^refs\/heads\//, '');
}
