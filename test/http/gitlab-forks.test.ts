import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Build } from '../../server/src/core/builds/build.ts';
import { shaOf } from '../support/coverage-api.ts';
import { type GitlabStandIn, startGitlabStandIn } from '../support/gitlab-stand-in/gitlab-stand-in.ts';
import type { RunningJob } from '../support/gitlab-stand-in/model.ts';
import { ALL, type HostForks, openHostForks } from '../support/host-forks.ts';
import { type Service, startService } from '../support/service.ts';

/** Rule 29 at GitLab: what a merge request of a fork gains, by each token that one of its jobs may have. */

const NAME = 'acme/web/shop';
const [EVES, MALLORYS] = ['eve/shop', 'mallory/shop'];
const [MAIN, TOPIC, EVE, MALLORY, CLOSED] = ['main', 'topic', 'eve', 'mallory', 'closed'].map(shaOf) as [
  string,
  string,
  string,
  string,
  string,
];
const FORK_TOKEN = 'glcbt-64_fork_token_0123456789';
const OWN_TOKEN = 'glcbt-64_own_token_0123456789';

let gitlab: GitlabStandIn;
let service: Service;
let forks: HostForks;
let token: string;
let main: Build;
beforeAll(async () => {
  gitlab = await startGitlabStandIn();
  gitlab.addRepo(NAME);
  for (const name of [EVES, MALLORYS]) gitlab.addRepo(name, { parent: NAME });
  gitlab.addCommit(NAME, { sha: MAIN, branch: 'main' });
  for (const sha of [TOPIC, EVE]) gitlab.addCommit(NAME, { sha, parents: [MAIN] });
  const change = { baseRef: 'main', baseSha: MAIN };
  gitlab.addPullRequest(NAME, { ...change, number: 12, headSha: TOPIC, headRef: 'topic' });
  gitlab.addPullRequest(NAME, { ...change, number: 13, headSha: EVE, headRef: 'main', headRepo: EVES });
  gitlab.addPullRequest(NAME, { ...change, number: 14, headSha: MALLORY, headRef: 'fix', headRepo: MALLORYS });
  const closed = { headSha: CLOSED, headRef: 'old', headRepo: EVES, state: 'closed' } as const;
  gitlab.addPullRequest(NAME, { ...change, ...closed, number: 15 });
  service = await startService({ env: { GITLAB_URL: gitlab.url, GITLAB_TOKEN: gitlab.token } });
  ({ token } = await service.newRepo({ service: 'gitlab', name: NAME }));
  const told = () => ({
    notes: [12, 13, 14, 15].map((number) => gitlab.comments(NAME, number)),
    statuses: [MAIN, TOPIC, EVE, MALLORY].map((sha) => gitlab.jobs(NAME, sha)),
  });
  forks = await openHostForks({ service, host: 'gitlab', ci: 'gitlab-ci', repo: NAME, told });
  main = await forks.uploaded(
    { repo_token: token, service_number: '71', service_branch: 'main', commit_sha: MAIN },
    ALL,
  );
});
afterAll(async () => {
  await service.stop();
  await gitlab.close();
  expect(gitlab.violations()).toEqual([]);
});

/** A job of Eve's merge request in her own project, with its token. */
function ofFork(change: Partial<RunningJob> = {}): object {
  const job = { repo: EVES, pipeline: 77, sha: EVE, ref: 'main', source: 'merge_request_event', status: 'running' };
  gitlab.addJob(FORK_TOKEN, { ...job, ...change });
  return { repo_token: FORK_TOKEN, service_number: '5', service_pull_request: '13', commit_sha: EVE };
}

describe('what a job of a fork may not do with its own token: nothing is stored', () => {
  test.each<[string, () => object, string]>([
    ["name another's merge request", () => ({ ...ofFork(), service_pull_request: '14' }), 'does not test the pull'],
    ['name one of the project itself', () => ({ ...ofFork(), service_pull_request: '12' }), 'does not test the pull'],
    ['name one that is not there', () => ({ ...ofFork(), service_pull_request: '99' }), 'does not test the pull'],
    ['name none', () => ({ ...ofFork(), service_pull_request: undefined }), 'names no pull request'],
    ['upload for a commit of the project', () => ({ ...ofFork(), commit_sha: MAIN }), `for "${MAIN}"`],
    ["upload for another's commit", () => ({ ...ofFork(), commit_sha: MALLORY }), `for "${MALLORY}"`],
    ['upload for a commit beside its own', () => ({ ...ofFork(), service_tested_sha: MAIN }), `for "${MAIN}"`],
    ['upload for no commit', () => ({ ...ofFork(), commit_sha: undefined }), 'names no commit'],
    ['upload once it has ended', () => ofFork({ status: 'success' }), 'GET /job'],
    ['upload from a branch without a merge request', () => ofFork({ ref: 'topic' }), 'GET /job'],
    ['upload from the ref of a merge request of its own', () => ofFork({ ref: 'refs/merge-requests/12/head' }), 'GET'],
    ['upload for a merge request that was closed', () => ofFork({ ref: 'old', sha: CLOSED }), 'GET /job'],
    ["upload from another's project", () => ofFork({ repo: MALLORYS }), 'GET /job'],
    [
      'name its pipeline without a token',
      () => ({ ...ofFork(), repo_token: undefined, service_run_id: '77' }),
      "the id of a run proves nothing. Send a job's CI_JOB_TOKEN in the field repo_token.",
    ],
  ])('%s', async (_, forge, sentence) => {
    const fields = forge();
    const before = await forks.everything();
    const { status, json } = await forks.upload(fields);
    expect([status, json.message]).toEqual([422, expect.stringContaining(sentence)]);
    expect(await forks.everything()).toEqual(before);
  });

  test('upload where the setting is off, or close a build of others', async () => {
    const sent = ofFork();
    await forks.set({ accept_forks: false });
    const before = await forks.everything();
    expect((await forks.upload(sent)).text).toContain('accept_forks is on');
    await forks.set({ accept_forks: null });
    expect((await forks.close({ repo_token: FORK_TOKEN, repo_name: NAME }, '71')).status).toBe(422);
    expect(await forks.everything()).toEqual(before);
  });
});

test('a fork whose branch is called main moves nothing of main, whatever its job claims', async () => {
  const claims = { service_number: '71', service_branch: 'main', compare_sha: MAIN, service_base_sha: MAIN };
  const build = await forks.uploaded({ ...ofFork(), ...claims, git: { branch: 'main', head: { id: EVE } } });
  expect(build).toMatchObject({ trust: 'run', pullRequest: 13, commit: EVE, tag: false });
  expect(build.id).not.toBe(main.id);
  expect(build.result?.base?.rule).toBe('merge-base');
  expect(await forks.badge()).toContain('coverage: 100');
  expect(gitlab.jobs(NAME, EVE).at(-1)?.description).toMatch(/^Unverified: /);
  expect(gitlab.comments(NAME, 13)).toMatchObject([{ body: expect.stringContaining('Unverified: ') }]);
});

/** Anybody who may push can have a fork's merge request tested in the project itself, with the project's secrets. */
describe('a pipeline of a fork’s merge request that runs in the project', () => {
  const REF = 'refs/merge-requests/13/head';
  const pipeline = (): number =>
    gitlab.addRun(NAME, { headSha: EVE, headBranch: REF, event: 'merge_request_event', actor: 'mona' }).id;
  const sent = (run: number, repo_token: string, number: string) => ({
    ...{ repo_token, service_number: number, service_run_id: String(run), commit_sha: EVE },
    ...{ service_pull_request: '13', service_branch: 'main', flag_name: number },
  });

  test('is unverified by the token of its job', async () => {
    const run = pipeline();
    const job = { repo: NAME, sha: EVE, ref: REF, source: 'merge_request_event', status: 'running' };
    gitlab.addJob(OWN_TOKEN, { ...job, pipeline: run });
    expect(await forks.uploaded(sent(run, OWN_TOKEN, '201'))).toMatchObject({ trust: 'run', pullRequest: 13 });
  });

  test('is refused with its id-token', async () => {
    const run = pipeline();
    const before = await forks.everything();
    const claims = {
      ...{ project_path: NAME, project_id: String(gitlab.idOf(NAME)), ref: 'main', ref_path: REF, sha: EVE },
      ...{ pipeline_id: String(run), pipeline_source: 'merge_request_event', user_login: 'mona', aud: service.url },
    };
    const { status, text } = await forks.upload(sent(run, gitlab.signIdToken(claims), '202'));
    expect([status, text]).toEqual([422, expect.stringContaining('builds a commit of a fork')]);
    expect(await forks.everything()).toEqual(before);
  });

  test.each([
    ['its merge request', {}],
    ['the branch main alone', { service_pull_request: undefined }],
    ["another's merge request", { service_pull_request: '12' }],
  ])('is unverified with the repo token, where the job names %s', async (name, claims) => {
    const build = await forks.uploaded({ ...sent(pipeline(), token, name), ...claims });
    expect(build).toMatchObject({ trust: 'run', runCheck: { run: 'fork', trust: 'secret' }, pullRequest: 13 });
    expect(await forks.badge()).toContain('coverage: 100');
    expect(gitlab.comments(NAME, 12)).toEqual([]);
  });
});

describe('a merge request that a pipeline of another event names', () => {
  const ofPush = () => gitlab.addRun(NAME, { headSha: MAIN, headBranch: 'main', event: 'push' }).id;
  const sent = (run: number, repo_token: string) => ({
    ...{ repo_token, service_number: `push ${run}`, service_run_id: String(run), commit_sha: MAIN },
    ...{ service_pull_request: '12', service_branch: 'main' },
  });

  test.each<[string, (run: number) => string]>([
    ['the repo token', () => token],
    [
      'the token of its job',
      (pipeline) => {
        gitlab.addJob(OWN_TOKEN, { repo: NAME, pipeline, sha: MAIN, ref: 'main', source: 'push', status: 'running' });
        return OWN_TOKEN;
      },
    ],
    [
      'its id-token',
      (run) =>
        gitlab.signIdToken({
          ...{ project_path: NAME, project_id: String(gitlab.idOf(NAME)), ref: 'main', ref_path: 'refs/heads/main' },
          ...{ pipeline_id: String(run), pipeline_source: 'push', user_login: 'mona', sha: MAIN, aud: service.url },
        }),
    ],
  ])('counts for nothing where its head is another commit: %s', async (_, tokenOf) => {
    const run = ofPush();
    const build = await forks.uploaded(sent(run, tokenOf(run)), ALL);
    expect([build.pullRequest, build.branch]).toEqual([undefined, 'main']);
    expect(build.warnings).toEqual([expect.stringContaining('GitLab says that its head is')]);
    expect(gitlab.comments(NAME, 12)).toEqual([]);
    expect(gitlab.jobs(NAME, TOPIC)).toEqual([]);
  });
});
