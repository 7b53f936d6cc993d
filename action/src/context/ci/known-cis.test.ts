import { expect, test } from 'vitest';
import type { CiFacts } from './ci-facts.ts';
import { KNOWN_CIS } from './known-cis.ts';
import { readCi } from './read-ci.ts';

const SHA = 'a'.repeat(40);
const HEAD = 'b'.repeat(40);
const BASE = 'c'.repeat(40);

/** By CI: variables as it sets them for a pull request where it has them, and what is read of them. */
const ROWS: Readonly<Record<string, readonly [env: Record<string, string>, facts: CiFacts]>> = {
  'Woodpecker CI': [
    {
      CI: 'woodpecker',
      CI_REPO: 'acme/shop',
      CI_PIPELINE_NUMBER: '71',
      CI_WORKFLOW_NUMBER: '2',
      CI_STEP_NUMBER: '3',
      CI_PIPELINE_EVENT: 'pull_request',
      CI_PIPELINE_URL: 'https://ci.example/repos/1/pipeline/71',
      CI_STEP_URL: 'https://ci.example/repos/1/pipeline/71/3',
      CI_COMMIT_SHA: SHA,
      CI_COMMIT_BRANCH: 'main',
      CI_COMMIT_SOURCE_BRANCH: 'coupons',
      CI_COMMIT_TARGET_BRANCH: 'main',
      CI_COMMIT_PULL_REQUEST: '7',
    },
    {
      serviceName: 'woodpecker',
      number: '71',
      jobId: '71.2.3',
      branch: 'coupons',
      pullRequest: '7',
      sha: SHA,
      baseBranch: 'main',
      buildUrl: 'https://ci.example/repos/1/pipeline/71',
      jobUrl: 'https://ci.example/repos/1/pipeline/71/3',
      repoName: 'acme/shop',
      eventType: 'pull_request',
    },
  ],
  TeamCity: [
    { TEAMCITY_VERSION: '2026.1', BUILD_NUMBER: '71', BUILD_VCS_NUMBER: SHA, BUILD_URL: 'https://ci.example/build/9' },
    { serviceName: 'teamcity', number: '71', sha: SHA, buildUrl: 'https://ci.example/build/9' },
  ],
  'Cirrus CI': [
    {
      CIRRUS_CI: 'true',
      CIRRUS_BUILD_ID: '5551',
      CIRRUS_TASK_ID: '6661',
      CIRRUS_BRANCH: 'pull/7',
      CIRRUS_PR: '7',
      CIRRUS_CHANGE_IN_REPO: SHA,
      CIRRUS_BASE_BRANCH: 'main',
      CIRRUS_BASE_SHA: BASE,
      CIRRUS_REPO_FULL_NAME: 'acme/shop',
    },
    {
      serviceName: 'cirrus-ci',
      number: '5551',
      jobId: '6661',
      pullRequest: '7',
      sha: SHA,
      baseBranch: 'main',
      baseSha: BASE,
      buildUrl: 'https://cirrus-ci.com/build/5551',
      jobUrl: 'https://cirrus-ci.com/task/6661',
      repoName: 'acme/shop',
    },
  ],
  'AWS CodeBuild': [
    {
      CODEBUILD_BUILD_ID: 'shop:7c2b',
      CODEBUILD_BUILD_NUMBER: '71',
      CODEBUILD_WEBHOOK_TRIGGER: 'pr/7',
      CODEBUILD_WEBHOOK_HEAD_REF: 'refs/heads/coupons',
      CODEBUILD_WEBHOOK_BASE_REF: 'refs/heads/main',
      CODEBUILD_WEBHOOK_EVENT: 'PULL_REQUEST_UPDATED',
      CODEBUILD_RESOLVED_SOURCE_VERSION: SHA,
      CODEBUILD_BUILD_URL: 'https://console.example/build/71',
    },
    {
      serviceName: 'codebuild',
      number: '71',
      jobId: 'shop:7c2b',
      branch: 'coupons',
      pullRequest: '7',
      sha: SHA,
      baseBranch: 'main',
      buildUrl: 'https://console.example/build/71',
      eventType: 'PULL_REQUEST_UPDATED',
    },
  ],
  CircleCI: [
    {
      CIRCLECI: 'true',
      CIRCLE_WORKFLOW_ID: '7c2b',
      CIRCLE_BUILD_NUM: '812',
      CIRCLE_BRANCH: 'coupons',
      CI_PULL_REQUEST: 'https://github.com/acme/shop/pull/7',
      CIRCLE_SHA1: SHA,
      CIRCLE_BUILD_URL: 'https://circleci.com/gh/acme/shop/812',
    },
    {
      serviceName: 'circleci',
      number: '7c2b',
      jobNumber: '812',
      branch: 'coupons',
      pullRequest: '7',
      sha: SHA,
      buildUrl: 'https://circleci.com/gh/acme/shop/812',
      jobUrl: 'https://circleci.com/gh/acme/shop/812',
    },
  ],
  'GitHub Actions': [
    {
      GITHUB_ACTIONS: 'true',
      GITHUB_SERVER_URL: 'https://github.com',
      GITHUB_REPOSITORY: 'acme/shop',
      GITHUB_RUN_ID: '4711',
      GITHUB_JOB: 'test',
      GITHUB_HEAD_REF: 'coupons',
      GITHUB_REF_NAME: '7/merge',
      GITHUB_REF: 'refs/pull/7/merge',
      GITHUB_SHA: SHA,
      GITHUB_RUN_ATTEMPT: '2',
      GITHUB_EVENT_NAME: 'pull_request',
    },
    {
      serviceName: 'github',
      number: '4711',
      jobId: 'test',
      branch: 'coupons',
      pullRequest: '7',
      sha: SHA,
      buildUrl: 'https://github.com/acme/shop/actions/runs/4711',
      jobUrl: 'https://github.com/acme/shop/actions/runs/4711',
      repoName: 'acme/shop',
      attempt: '2',
      eventType: 'pull_request',
    },
  ],
  'GitLab CI': [
    {
      GITLAB_CI: 'true',
      CI_PIPELINE_IID: '71',
      CI_PIPELINE_ID: '900',
      CI_PIPELINE_SOURCE: 'merge_request_event',
      CI_PROJECT_PATH: 'mallory/shop',
      CI_MERGE_REQUEST_PROJECT_PATH: 'acme/web/shop',
      CI_JOB_NAME: 'test: [node, 20]',
      CI_COMMIT_REF_NAME: 'coupons',
      CI_MERGE_REQUEST_IID: '7',
      CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main',
      CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: '',
      CI_MERGE_REQUEST_DIFF_BASE_SHA: BASE,
      CI_COMMIT_SHA: SHA,
      CI_PIPELINE_URL: 'https://gitlab.example/acme/shop/-/pipelines/900',
      CI_JOB_URL: 'https://gitlab.example/acme/shop/-/jobs/9001',
    },
    {
      serviceName: 'gitlab-ci',
      number: '71',
      runId: '900',
      eventType: 'merge_request_event',
      repoName: 'acme/web/shop',
      jobId: 'test: [node, 20]',
      branch: 'coupons',
      pullRequest: '7',
      sha: SHA,
      baseBranch: 'main',
      baseSha: BASE,
      buildUrl: 'https://gitlab.example/acme/shop/-/pipelines/900',
      jobUrl: 'https://gitlab.example/acme/shop/-/jobs/9001',
    },
  ],
  'Travis CI': [
    {
      TRAVIS: 'true',
      TRAVIS_BUILD_NUMBER: '71',
      TRAVIS_JOB_NUMBER: '71.2',
      TRAVIS_BRANCH: 'main',
      TRAVIS_PULL_REQUEST: '7',
      TRAVIS_PULL_REQUEST_BRANCH: 'coupons',
      TRAVIS_PULL_REQUEST_SHA: HEAD,
      TRAVIS_COMMIT: SHA,
      TRAVIS_TAG: '',
      TRAVIS_BUILD_WEB_URL: 'https://app.travis-ci.com/acme/shop/builds/1',
    },
    {
      serviceName: 'travis-ci',
      number: '71',
      jobId: '71.2',
      branch: 'coupons',
      pullRequest: '7',
      sha: SHA,
      headSha: HEAD,
      baseBranch: 'main',
      buildUrl: 'https://app.travis-ci.com/acme/shop/builds/1',
    },
  ],
  Semaphore: [
    {
      SEMAPHORE: 'true',
      SEMAPHORE_WORKFLOW_ID: 'w-1',
      SEMAPHORE_JOB_ID: 'j-1',
      SEMAPHORE_GIT_WORKING_BRANCH: 'coupons',
      SEMAPHORE_GIT_BRANCH: 'main',
      SEMAPHORE_GIT_PR_NUMBER: '7',
      SEMAPHORE_GIT_PR_SHA: HEAD,
      SEMAPHORE_GIT_SHA: SHA,
      SEMAPHORE_ORGANIZATION_URL: 'https://acme.semaphoreci.com',
    },
    {
      serviceName: 'semaphore',
      number: 'w-1',
      jobId: 'j-1',
      branch: 'coupons',
      pullRequest: '7',
      sha: SHA,
      headSha: HEAD,
      baseBranch: 'main',
      buildUrl: 'https://acme.semaphoreci.com/workflows/w-1',
      jobUrl: 'https://acme.semaphoreci.com/jobs/j-1',
    },
  ],
  Jenkins: [
    {
      JENKINS_URL: 'https://ci.acme.example/',
      BUILD_NUMBER: '71',
      BUILD_ID: '71',
      BRANCH_NAME: 'PR-7',
      CHANGE_BRANCH: 'coupons',
      CHANGE_ID: '7',
      CHANGE_TARGET: 'main',
      GIT_COMMIT: SHA,
      BUILD_URL: 'https://ci.acme.example/job/shop/71/',
    },
    {
      serviceName: 'jenkins',
      number: '71',
      jobId: '71',
      branch: 'coupons',
      pullRequest: '7',
      sha: SHA,
      baseBranch: 'main',
      buildUrl: 'https://ci.acme.example/job/shop/71/',
      jobUrl: 'https://ci.acme.example/job/shop/71/',
    },
  ],
  AppVeyor: [
    {
      APPVEYOR: 'True',
      APPVEYOR_BUILD_VERSION: '1.0.71',
      APPVEYOR_BUILD_ID: '900',
      APPVEYOR_BUILD_NUMBER: '71',
      APPVEYOR_REPO_BRANCH: 'main',
      APPVEYOR_REPO_COMMIT: SHA,
      APPVEYOR_REPO_NAME: 'acme/shop',
    },
    {
      serviceName: 'appveyor',
      number: '1.0.71',
      jobId: '900',
      jobNumber: '71',
      branch: 'main',
      sha: SHA,
      buildUrl: 'https://ci.appveyor.com/project/acme/shop/build/1.0.71',
    },
  ],
  'Solano CI': [
    { TDDIUM: 'true', TDDIUM_SESSION_ID: '71', TDDIUM_TID: '3', TDDIUM_CURRENT_BRANCH: 'coupons', TDDIUM_PR_ID: '7' },
    {
      serviceName: 'tddium',
      number: '71',
      jobId: '3',
      branch: 'coupons',
      pullRequest: '7',
      buildUrl: 'https://ci.solanolabs.com/reports/71',
    },
  ],
  'Azure Pipelines': [
    {
      TF_BUILD: 'True',
      BUILD_BUILDID: '900',
      BUILD_SOURCEBRANCH: 'refs/pull/7/merge',
      BUILD_SOURCEBRANCHNAME: 'merge',
      BUILD_SOURCEVERSION: SHA,
      SYSTEM_PULLREQUEST_PULLREQUESTNUMBER: '7',
      SYSTEM_PULLREQUEST_SOURCEBRANCH: 'refs/heads/feature/coupons',
      SYSTEM_PULLREQUEST_SOURCECOMMITID: HEAD,
      SYSTEM_PULLREQUEST_TARGETBRANCH: 'refs/heads/main',
      SYSTEM_COLLECTIONURI: 'https://dev.azure.com/acme/',
      SYSTEM_TEAMPROJECT: 'the shop',
    },
    {
      serviceName: 'Azure Pipelines',
      number: '900',
      jobId: '900',
      branch: 'feature/coupons',
      pullRequest: '7',
      sha: SHA,
      headSha: HEAD,
      baseBranch: 'main',
      buildUrl: 'https://dev.azure.com/acme/the%20shop/_build/results?buildId=900',
    },
  ],
  Buildkite: [
    {
      BUILDKITE: 'true',
      BUILDKITE_BUILD_ID: 'f62a',
      BUILDKITE_BUILD_NUMBER: '71',
      BUILDKITE_JOB_ID: 'e44f',
      BUILDKITE_BRANCH: 'coupons',
      BUILDKITE_PULL_REQUEST: 'false',
      BUILDKITE_COMMIT: SHA,
      BUILDKITE_BUILD_URL: 'https://buildkite.com/acme/shop/builds/71',
    },
    {
      serviceName: 'buildkite',
      number: 'f62a',
      jobId: 'f62a',
      jobNumber: '71',
      branch: 'coupons',
      sha: SHA,
      buildUrl: 'https://buildkite.com/acme/shop/builds/71',
      jobUrl: 'https://buildkite.com/acme/shop/builds/71#e44f',
    },
  ],
  Codefresh: [
    { CF_BRANCH: 'coupons', CF_BUILD_ID: '5f', CF_PULL_REQUEST_NUMBER: '7', CF_REVISION: SHA },
    { serviceName: 'Codefresh', number: '5f', jobId: '5f', branch: 'coupons', pullRequest: '7', sha: SHA },
  ],
  Codeship: [
    { CI_NAME: 'codeship', CI_BUILD_NUMBER: '71', CI_BRANCH: 'coupons', CI_COMMIT_ID: SHA },
    { serviceName: 'codeship', number: '71', jobId: '71', branch: 'coupons', sha: SHA },
  ],
  Surf: [
    { SURF_SHA1: SHA, SURF_REF: 'refs/heads/coupons' },
    { serviceName: 'surf', number: SHA, branch: 'coupons', sha: SHA },
  ],
  Wercker: [
    { WERCKER: 'true', WERCKER_BUILD_ID: '5f', WERCKER_GIT_BRANCH: 'coupons', WERCKER_GIT_COMMIT: SHA },
    { serviceName: 'wercker', number: '5f', jobId: '5f', branch: 'coupons', sha: SHA },
  ],
  Drone: [
    { DRONE: 'true', DRONE_BUILD_NUMBER: '71', DRONE_BRANCH: 'main', DRONE_PULL_REQUEST: '', DRONE_COMMIT: SHA },
    { serviceName: 'drone', number: '71', jobId: '71', branch: 'main', sha: SHA },
  ],
  'Xcode Cloud': [
    {
      CI_XCODE_PROJECT: 'Shop.xcodeproj',
      CI_BUILD_NUMBER: '71',
      CI_PULL_REQUEST_SOURCE_BRANCH: 'coupons',
      CI_PULL_REQUEST_NUMBER: '7',
      CI_COMMIT: SHA,
    },
    { serviceName: 'xcode-cloud', number: '71', branch: 'coupons', pullRequest: '7', sha: SHA },
  ],
  RWX: [
    {
      RWX: 'true',
      RWX_RUN_ID: 'r-1',
      RWX_TASK_ID: 't-1',
      RWX_GIT_REF_NAME: 'coupons',
      RWX_GIT_COMMIT_SHA: SHA,
      RWX_RUN_URL: 'https://cloud.rwx.com/r-1',
      RWX_TASK_URL: 'https://cloud.rwx.com/t-1',
      RWX_GIT_REPOSITORY_NAME: 'acme/shop',
      RWX_TASK_ATTEMPT_NUMBER: '2',
    },
    {
      serviceName: 'rwx',
      number: 'r-1',
      jobId: 't-1',
      branch: 'coupons',
      sha: SHA,
      buildUrl: 'https://cloud.rwx.com/r-1',
      jobUrl: 'https://cloud.rwx.com/t-1',
      repoName: 'acme/shop',
      attempt: '2',
    },
  ],
  'Bitbucket Pipelines': [
    {
      BITBUCKET_BUILD_NUMBER: '71',
      BITBUCKET_STEP_UUID: '{5f}',
      BITBUCKET_BRANCH: 'coupons',
      BITBUCKET_PR_ID: '7',
      BITBUCKET_PR_DESTINATION_BRANCH: 'main',
      BITBUCKET_COMMIT: SHA,
      BITBUCKET_REPO_FULL_NAME: 'acme/shop',
    },
    {
      serviceName: 'bitbucket',
      number: '71',
      jobId: '{5f}',
      branch: 'coupons',
      pullRequest: '7',
      sha: SHA,
      baseBranch: 'main',
      buildUrl: 'https://bitbucket.org/acme/shop/pipelines/results/71',
      repoName: 'acme/shop',
    },
  ],
  COVERALLS_RUN_LOCALLY: [{ COVERALLS_RUN_LOCALLY: '1' }, { serviceName: 'coveralls-universal', eventType: 'manual' }],
};

test.each(KNOWN_CIS.map((ci) => [ci.title]))('what %s says of its run is read', (title) => {
  const [env, facts] = ROWS[title] as (typeof ROWS)[string];
  const read = readCi(env, { file: {}, options: {} });
  expect(read.ci?.title).toBe(title);
  expect(read.facts).toEqual(facts);
});

test('a CI that is not known says what the generic variables do', () => {
  const env = {
    CI_NAME: 'ci.acme',
    CI_BUILD_NUMBER: '71',
    CI_JOB_ID: '3',
    CI_BRANCH: 'coupons',
    CI_PULL_REQUEST: 'https://git.acme.example/shop/pulls/7',
    GIT_ID: SHA,
    CI_BUILD_URL: 'https://ci.acme.example/71',
    CI_JOB_URL: 'https://ci.acme.example/71/3',
  };
  expect(readCi(env, { file: {}, options: {} })).toMatchObject({
    ci: undefined,
    facts: {
      serviceName: 'ci.acme',
      number: '71',
      jobId: '3',
      branch: 'coupons',
      pullRequest: '7',
      sha: SHA,
      buildUrl: 'https://ci.acme.example/71',
      jobUrl: 'https://ci.acme.example/71/3',
    },
  });
});

test('later sources win: generic, the CI, the file, COVERALLS_ variables, the command line', () => {
  const generic = { CI_NAME: 'generic', CI_BUILD_NUMBER: '1', CI_JOB_ID: '1', CI_BRANCH: 'of-generic' };
  const ofCi = { ...generic, SURF_SHA1: SHA, SURF_REF: 'refs/heads/of-ci' };
  const file = { serviceName: 'of-file' };
  const read = (env: Record<string, string>, options = {}) => readCi(env, { file, options }).facts;
  expect(read(ofCi)).toMatchObject({ serviceName: 'of-file', number: SHA, jobId: '1', branch: 'of-ci' });
  const variables = { ...ofCi, COVERALLS_SERVICE_NAME: 'of-variable', COVERALLS_GIT_BRANCH: 'of-variable' };
  expect(read(variables)).toMatchObject({ serviceName: 'of-variable', branch: 'of-variable', number: SHA });
  expect(read(variables, { branch: 'of-option' })).toMatchObject({ serviceName: 'of-variable', branch: 'of-option' });
});

test.each([
  ['TRAVIS_PULL_REQUEST', { TRAVIS: 'true', TRAVIS_PULL_REQUEST: 'false' }],
  ['BUILDKITE_PULL_REQUEST', { BUILDKITE: 'true', BUILDKITE_PULL_REQUEST: 'false' }],
  ['DRONE_PULL_REQUEST', { DRONE: 'true', DRONE_PULL_REQUEST: '' }],
  ['CI_PULL_REQUEST', { CIRCLECI: 'true', CI_PULL_REQUEST: '' }],
])('%s may say that there is no pull request', (_, env) => {
  expect(readCi(env, { file: {}, options: {} }).facts).not.toHaveProperty('pullRequest');
});

test('a tag is sent as one', () => {
  const env = { GITLAB_CI: 'true', CI_COMMIT_TAG: 'v1.2', CI_COMMIT_REF_NAME: 'v1.2' };
  expect(readCi(env, { file: {}, options: {} }).facts.branch).toBe('refs/tags/v1.2');
});

test('a merge train of GitLab is of its merge request, of its own commit, and on no branch', () => {
  const [env] = ROWS['GitLab CI'] ?? [{}];
  const train = { CI_MERGE_REQUEST_EVENT_TYPE: 'merge_train', CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: HEAD };
  const { ofCi } = readCi({ ...env, ...train }, { file: {}, options: {} });
  expect(ofCi).toMatchObject({ branch: 'refs/merge-requests/7/train', pullRequest: '7', sha: SHA, baseBranch: 'main' });
  expect([ofCi.headSha, ofCi.baseSha]).toEqual([undefined, undefined]);
});
