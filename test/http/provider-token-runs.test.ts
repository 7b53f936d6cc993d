import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { shaOf } from '../support/coverage-api.ts';
import { HEAD, startTokenScene, TOKENS, type TokenScene, type Upload } from '../support/provider-token-scene.ts';

let scene: TokenScene;
let ownToken: string;
beforeAll(async () => {
  scene = await startTokenScene();
  ({ token: ownToken } = await scene.service.newRepo({ service: 'github', name: 'acme/shop' }));
});
afterAll(() => scene.end());

const OTHER = shaOf('another commit');
const workflow = { repo_token: TOKENS.workflow, repo_name: 'acme/shop' };

/** The id of the build that an upload went to. */
async function uploaded(fields: Upload): Promise<number> {
  const { status, text, json } = await scene.upload({ parallel: true, ...fields });
  expect([status, text]).toEqual([200, expect.stringContaining('Job #')]);
  const job = await scene.service.store.jobs.find(Number(json.url.slice(json.url.lastIndexOf('/') + 1)));
  return job?.buildId ?? 0;
}

const uploadedOwn = (number: number, commit: string) =>
  uploaded({ repo_token: ownToken, service_number: String(number), commit_sha: commit });
const found = (id: number) => scene.service.store.builds.find(id);

describe("rule 29: a workflow's own token", () => {
  test("adds no job to another commit's open build, whose number it names", async () => {
    const [ours, theirs] = [scene.addRun(), scene.addRun({ headSha: OTHER })];
    const build = await uploadedOwn(theirs, OTHER);
    const other = await uploaded({ ...workflow, service_job_id: String(ours), service_number: String(theirs) });
    expect(other).not.toBe(build);
    expect(await found(build)).toMatchObject({ jobs: 1, commit: OTHER, state: 'open' });
    // Nor does it draw that commit's later jobs and its close into its own.
    expect(await uploadedOwn(theirs, OTHER)).toBe(build);
    expect((await scene.close({ repo_token: ownToken }, theirs)).json.jobs).toBe(1);
    expect(await found(other)).toMatchObject({ jobs: 1, commit: HEAD, state: 'open' });
  });

  test('adds no job to a build of its commit that another run opened', async () => {
    const [ours, theirs] = [scene.addRun(), scene.addRun()];
    const build = await uploaded({ ...workflow, service_number: String(theirs) });
    const other = await uploaded({ ...workflow, service_job_id: String(ours), service_number: String(theirs) });
    expect([other === build, (await found(build))?.jobs]).toEqual([false, 1]);
  });

  test("joins the build of its run that the repo's token opened, by the run's id or number", async () => {
    const run = scene.addRun({ runNumber: 4_088 });
    for (const number of [run, 4_088]) {
      const build = await uploadedOwn(number, HEAD);
      const fields = { ...workflow, flag_name: 'unit', service_job_id: String(run), service_number: String(number) };
      expect(await uploaded(fields)).toBe(build);
    }
  });

  test('closes and reruns no build of another commit that bears the number of its run', async () => {
    const run = scene.addRun();
    const build = await uploadedOwn(run, OTHER);
    const unknown = [422, { error: true, message: `No build matching CI build number ${run} found` }];
    const closed = await scene.close(workflow, run);
    expect([closed.status, closed.json]).toEqual(unknown);
    const left = await found(build);
    expect([left?.state, left?.result]).toEqual(['open', undefined]);
    expect((await scene.close({ repo_token: ownToken }, run)).status).toBe(200);
    const query = new URLSearchParams({ ...workflow, build_num: String(run) });
    const rerun = await scene.service.api.send(`/rerun_build?${query}`, { method: 'POST' });
    expect([rerun.status, rerun.json]).toEqual(unknown);
    expect(await found(build)).toMatchObject({ result: { closeCount: 1 } });
  });

  test('closes and reruns the build that it opened for the merge commit alone', async () => {
    const [head, merge] = [shaOf('head of 9'), shaOf('merge of 9')];
    scene.github.addPullRequest('acme/shop', { number: 9, headSha: head, baseRef: 'main', mergeCommitSha: merge });
    const run = scene.addRun({ event: 'pull_request', headSha: head, headBranch: 'change-9' });
    const fields = { service_pull_request: '9', commit_sha: merge, service_number: String(run) };
    const build = await uploaded({ ...workflow, ...fields });
    expect((await scene.close(workflow, run)).json).toMatchObject({ done: true, jobs: 1 });
    const query = new URLSearchParams({ ...workflow, build_num: String(run) });
    expect((await scene.service.api.send(`/rerun_build?${query}`, { method: 'POST' })).status).toBe(200);
    expect((await found(build))?.commit).toBe(merge);
  });
});
