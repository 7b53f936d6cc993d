import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { shaOf } from '../support/coverage-api.ts';
import { HEAD, startTokenScene, TOKENS, type TokenScene } from '../support/provider-token-scene.ts';

let scene: TokenScene;
beforeAll(async () => {
  scene = await startTokenScene();
  await scene.service.newRepo({ service: 'github', name: 'acme/shop', commit_status_fail_threshold: 50 });
});
afterAll(() => scene.end());

const jobOf = async (url: string) => scene.service.store.jobs.find(Number(url.slice(url.lastIndexOf('/') + 1)));
const pathsSince = (count: number) =>
  scene.github
    .requests()
    .slice(count)
    .map(({ path }) => path);

describe("a person's token with repo_name", () => {
  test.each(['classic', 'fineGrained', 'oauth', 'userOfApp'] as const)('uploads and closes: %s', async (kind) => {
    const credentials = { repo_token: TOKENS[kind], repo_name: 'Acme/Shop' };
    const number = `person-${kind}`;
    const accepted = await scene.upload({ ...credentials, service_number: number, parallel: true });
    expect([accepted.status, accepted.text]).toEqual([200, expect.stringContaining(`"Job #${number}.1"`)]);
    expect((await jobOf(accepted.json.url))?.facts).toMatchObject({ trust: 'provider', serviceNumber: number });
    const closed = await scene.close(credentials, number);
    expect([closed.status, closed.json]).toEqual([200, { done: true, url: expect.any(String), jobs: 1 }]);
  });

  test('joins the build of jobs that came with the repo token', async () => {
    const { json } = await scene.service.api.readRepo('acme/shop');
    const number = 'mixed';
    const own = await scene.upload({
      repo_token: json.token ?? '',
      service_number: number,
      parallel: true,
      flag_name: 'a',
    });
    const theirs = await scene.upload({
      repo_token: TOKENS.classic,
      repo_name: 'acme/shop',
      service_number: number,
      parallel: true,
      flag_name: 'b',
    });
    expect([own.json.message, theirs.json.message]).toEqual([`Job #${number}.1`, `Job #${number}.2`]);
    expect((await jobOf(own.json.url))?.facts.trust).toBe('secret');
  });
});

describe("a workflow's own token", () => {
  test('uploads and closes as the official action does: number is the run’s id', async () => {
    const run = scene.addRun();
    const credentials = { repo_token: TOKENS.workflow, repo_name: 'acme/shop' };
    const accepted = await scene.upload({ ...credentials, service_number: String(run), parallel: true });
    expect([accepted.status, accepted.text]).toEqual([200, expect.stringContaining(`Job #${run}.1`)]);
    expect((await jobOf(accepted.json.url))?.facts.trust).toBe('provider');
    const closed = await scene.close(credentials, run);
    expect([closed.status, closed.json.jobs]).toEqual([200, 1]);
  });

  test('works where the job id is the run’s id and the number is not', async () => {
    const run = scene.addRun({ runNumber: 88 });
    const fields = { repo_token: TOKENS.workflow, repo_name: 'acme/shop', service_number: '88' };
    expect((await scene.upload({ ...fields, service_job_id: String(run) })).status).toBe(200);
  });

  test('finds the run by its number where the job id is another number', async () => {
    const run = scene.addRun();
    const fields = { repo_token: TOKENS.workflow, repo_name: 'acme/shop', service_job_id: '4711' };
    expect((await scene.upload({ ...fields, service_number: String(run) })).status).toBe(200);
  });

  test('needs no repo_name, since it covers one repo', async () => {
    const run = scene.addRun();
    const accepted = await scene.upload({ repo_token: TOKENS.workflow, service_number: String(run), parallel: true });
    expect([accepted.status, accepted.text]).toEqual([200, expect.stringContaining(`Job #${run}.1`)]);
    expect((await scene.close({ repo_token: TOKENS.workflow }, run)).status).toBe(200);
  });

  test('may name the merge commit that the run of a pull request tests, or its head, or both', async () => {
    const head = shaOf('head of 7');
    const merge = shaOf('merge of 7');
    scene.github.addPullRequest('acme/shop', { number: 7, headSha: head, baseRef: 'main', mergeCommitSha: merge });
    const fields = { repo_token: TOKENS.workflow, repo_name: 'acme/shop', service_pull_request: '7' };
    for (const commits of [
      { commit_sha: merge },
      { commit_sha: head },
      { commit_sha: head.toUpperCase(), service_tested_sha: merge },
    ]) {
      const run = scene.addRun({ event: 'pull_request', headSha: head, headBranch: 'change-7' });
      const { status, text } = await scene.upload({ ...fields, ...commits, service_number: String(run) });
      expect([status, text]).toEqual([200, expect.stringContaining(`Job #${run}.1`)]);
    }
  });

  test('asks for a run once, and about each token every time', async () => {
    const run = String(scene.addRun());
    const fields = { repo_name: 'acme/shop', service_number: run, parallel: true };
    const before = scene.github.requests().length;
    for (const flag_name of ['a', 'b', 'c']) {
      expect((await scene.upload({ ...fields, repo_token: TOKENS.workflow, flag_name })).status).toBe(200);
    }
    const asked = pathsSince(before).filter((path) => !path.includes('/statuses'));
    expect(asked.filter((path) => path.includes('/actions/runs/'))).toHaveLength(1);
    expect(asked.filter((path) => path.startsWith('/installation/repositories'))).toHaveLength(3);
    const other = await scene.upload({ ...fields, repo_token: TOKENS.otherWorkflow });
    expect([other.status, other.json.message]).toEqual([
      422,
      expect.stringContaining('covers 1 repo, and not this one'),
    ]);
  });

  test('of an App is looked for on further pages', async () => {
    for (let i = 0; i < 120; i += 1) scene.github.addRepo(`bulk/repo-${i}`);
    scene.github.addRepo('acme/late');
    await scene.service.newRepo({ service: 'github', name: 'acme/late' });
    const { id } = scene.github.addRun('acme/late', { headSha: HEAD });
    const before = scene.github.requests().length;
    const fields = { repo_token: TOKENS.app, repo_name: 'acme/late', service_number: String(id) };
    expect((await scene.upload(fields)).status).toBe(200);
    expect(pathsSince(before).filter((path) => path.startsWith('/installation/'))).toEqual([
      expect.stringContaining('per_page=100&page=1'),
      expect.stringContaining('per_page=100&page=2'),
    ]);
  });
});

test('no token is in an answer, a log line or the database, and GitHub was asked what it describes', () =>
  scene.checkSecrecy());
