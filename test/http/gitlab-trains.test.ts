import { afterAll, beforeAll, expect, test } from 'vitest';
import { type GitlabStandIn, startGitlabStandIn } from '../support/gitlab-stand-in/gitlab-stand-in.ts';
import { type Service, startService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

/** rules.md "Branches": a merge train's pipeline is of its merge request, on no branch, and of its own commit. */

const NAME = 'acme/shop';
const [BASE, AHEAD, HEAD, TRAIN] = ['a', 'b', 'c', 'd'].map((digit) => digit.repeat(40)) as [
  string,
  string,
  string,
  string,
];
const REF = 'refs/merge-requests/12/train';

let gitlab: GitlabStandIn;
let service: Service;
let token: string;
const runs = { train: 0, detached: 0 };
beforeAll(async () => {
  gitlab = await startGitlabStandIn();
  gitlab.addRepo(NAME);
  gitlab.addCommit(NAME, { sha: BASE, branch: 'main' });
  gitlab.addCommit(NAME, { sha: HEAD, parents: [BASE], branch: 'topic' });
  // Another merge request goes before it in the train.
  gitlab.addCommit(NAME, { sha: AHEAD, parents: [BASE] });
  gitlab.addCommit(NAME, { sha: TRAIN, parents: [AHEAD, HEAD] });
  gitlab.addPullRequest(NAME, { number: 12, headSha: HEAD, headRef: 'topic', baseRef: 'main', title: 'Take coupons' });
  const event = 'merge_request_event';
  runs.train = gitlab.addRun(NAME, { headSha: TRAIN, headBranch: REF, event }).id;
  runs.detached = gitlab.addRun(NAME, { headSha: HEAD, headBranch: 'refs/merge-requests/12/head', event }).id;
  service = await startService({ env: { GITLAB_URL: gitlab.url, GITLAB_TOKEN: gitlab.token } });
  ({ token } = await service.newRepo({ service: 'gitlab', name: NAME }));
});
afterAll(async () => {
  await service.stop();
  await gitlab.close();
  expect(gitlab.violations()).toEqual([]);
});

const job = (commit: string, coverage: readonly number[], more: object = {}) => ({
  ...{ repo_token: token, service_name: 'gitlab-ci', commit_sha: commit, ...more },
  source_files: [{ name: 'src/a.ts', source_digest: 'd'.repeat(32), coverage }],
});
/** As the command sends it. */
const ofTrain = (number: string, run = runs.train) => ({
  ...{ service_number: number, service_run_id: String(run), service_event_type: 'merge_request_event' },
  ...{ service_branch: REF, service_pull_request: '12', service_base_branch: 'main' },
});
const claims = (run: number, sha: string) => ({
  ...{ project_path: NAME, ref: 'topic', ref_path: 'refs/heads/topic', sha, user_login: 'mona', aud: service.url },
  ...{ pipeline_id: String(run), pipeline_source: 'merge_request_event', project_id: String(gitlab.idOf(NAME)) },
});
const stored = (id: string) => service.store.builds.find(Number(id));

test('the base is the build of what goes before, the status is the train’s own, and nothing is written', async () => {
  await service.uploadAlone(job(BASE, [1, 1, 1, 1], { service_branch: 'main', service_number: '1' }));
  await service.uploadAlone(job(AHEAD, [1, 1, 0, 0], { ...ofTrain('2', 0), service_run_id: undefined }));
  const { build } = await service.upload(job(TRAIN, [1, 1, 1, 0], ofTrain('3')));
  const { base } = (await service.closed(build)) as { readonly base?: unknown };
  const found = await stored(build);
  expect(found).toMatchObject({ mergeQueue: true, pullRequest: 12, commit: TRAIN, target: TRAIN });
  expect(base).toMatchObject({ rule: 'merge-parent', commit_sha: AHEAD });
  const [status] = await waitFor(
    async () => {
      const jobs = gitlab.jobs(NAME, TRAIN).filter(({ name }) => name === 'coverage');
      return jobs.length > 0 ? jobs : undefined;
    },
    { what: 'the status of the train', intervalMs: 5, meanwhile: service.time.skipPause },
  );
  expect(status).toMatchObject({ status: 'success', pipelineId: runs.train });
  expect(gitlab.jobs(NAME, HEAD)).toEqual([]);
  expect(gitlab.comments(NAME, 12)).toEqual([]);
  const onMain = await service.api.send<{ builds?: readonly unknown[] }>(`/gitlab/${NAME}.json?branch=main`, {
    headers: { authorization: `token ${service.adminToken}` },
  });
  expect(onMain.json.builds).toHaveLength(1);
});

test('an id-token says that it is of the merge request: GitLab tells that it is of the train', async () => {
  const sent = { ...ofTrain('4'), repo_name: NAME, repo_token: gitlab.signIdToken(claims(runs.train, TRAIN)) };
  const { build } = await service.upload(job(TRAIN, [1, 1, 1, 0], sent));
  expect(await stored(build)).toMatchObject({ trust: 'provider', mergeQueue: true, commit: TRAIN, pullRequest: 12 });
});

test('anybody who claims a train in a usual pipeline has a usual build', async () => {
  const sent = { ...ofTrain('5', runs.detached), repo_name: NAME };
  const repo_token = gitlab.signIdToken(claims(runs.detached, HEAD));
  const { build } = await service.upload(job(HEAD, [1, 1, 1, 0], { ...sent, repo_token }));
  expect(await stored(build)).toMatchObject({ trust: 'provider', mergeQueue: false, branch: 'topic', pullRequest: 12 });
});
