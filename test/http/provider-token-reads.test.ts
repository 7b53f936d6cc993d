import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HEAD, startTokenScene, TOKENS, type TokenScene } from '../support/provider-token-scene.ts';

let scene: TokenScene;
beforeAll(async () => {
  scene = await startTokenScene();
  for (const name of ['acme/shop', 'acme/other']) await scene.service.newRepo({ service: 'github', name });
});
afterAll(async () => {
  await scene.checkSecrecy();
  await scene.end();
});

const workflow = { repo_token: TOKENS.workflow, repo_name: 'acme/shop' };

/** The pages of a job and its build, uploaded by a run with the workflow's own token. */
async function upload(run = scene.addRun()): Promise<{ job: string; build: string; run: number }> {
  const { json } = await scene.upload({ ...workflow, service_number: String(run) });
  const job = new URL(json.url).pathname;
  const buildId = (await scene.service.store.jobs.find(Number(job.split('/').at(-1))))?.buildId;
  return { job, build: `/builds/${buildId}`, run };
}

/** The server is done with a build: from then on it asks the host nothing by itself. */
async function closed(build: string): Promise<void> {
  const { service } = scene;
  await service.closed(build.slice('/builds/'.length));
  await service.delivered();
}

const read = (path: string, token?: string) =>
  scene.service.api.send<Record<string, unknown>>(
    path,
    token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } },
  );
const statusOf = async (path: string, token?: string): Promise<number> => (await read(path, token)).status;

describe('a job and its build are read with what uploaded them', () => {
  test("the workflow's own token, and a person's who may push", async () => {
    const { job, build } = await upload();
    for (const token of [TOKENS.workflow, TOKENS.classic]) {
      expect((await read(`${job}.json`, token)).json).toMatchObject({ commit_sha: HEAD, repo_name: 'acme/shop' });
      expect((await read(`${build}.json`, token)).json).toMatchObject({ commit_sha: HEAD, repo_name: 'acme/shop' });
    }
  });

  test('no other token of the host, and no answer tells whether the build is here', async () => {
    const { job, build } = await upload();
    const nowhere = await read('/builds/123456789.json', TOKENS.reader);
    for (const token of [TOKENS.reader, TOKENS.stranger, TOKENS.otherWorkflow, TOKENS.unknown]) {
      const answer = await read(`${build}.json`, token);
      expect(answer.status).toBe(401);
      expect(await statusOf(`${job}.json`, token)).toBe(401);
      if (token === TOKENS.reader) expect(answer.text).toBe(nowhere.text);
    }
    expect(await statusOf(`${build}.json`)).toBe(404);
  });

  test('not once the run has ended', async () => {
    const { build, run } = await upload();
    expect(await statusOf(`${build}.json`, TOKENS.workflow)).toBe(200);
    scene.github.addRun('acme/shop', { id: run, headSha: HEAD, status: 'completed' });
    // What a run said is remembered for a minute.
    await scene.service.time.pass(61_000);
    expect(await statusOf(`${build}.json`, TOKENS.workflow)).toBe(401);
  });

  test('pages, files and lists are not for it', async () => {
    const { build } = await upload();
    for (const path of [build, `${build}/source_files.json`, '/github/acme/shop.json'])
      expect([path, await statusOf(path, TOKENS.workflow)]).toEqual([path, 401]);
  });

  test('a public repo is read with any, and GitHub is not asked', async () => {
    const { job, build } = await upload();
    await closed(build);
    const repo = await scene.service.store.repos.findByName('github', 'acme/shop');
    const set = (visibility: 'public' | 'private') =>
      scene.service.store.repos.update({ repoId: repo?.id ?? 0, settings: { visibility }, at: Date.now() });
    await set('public');
    // Statuses may still be on their way.
    const questions = () => scene.github.requests().filter(({ method }) => method === 'GET').length;
    const asked = questions();
    expect(await statusOf(`${job}.json`, TOKENS.stranger)).toBe(200);
    expect(questions()).toBe(asked);
    await set('private');
  });
});
