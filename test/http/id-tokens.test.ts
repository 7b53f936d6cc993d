import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type IdTokenScene, PULL, startIdTokenScene } from '../support/id-token-scene.ts';
import { HEAD, type Upload } from '../support/provider-token-scene.ts';
import { waitFor } from '../support/wait-for.ts';

let scene: IdTokenScene;
beforeAll(async () => {
  scene = await startIdTokenScene();
  await scene.service.newRepo({ service: 'github', name: 'acme/shop' });
});
afterAll(() => scene.end());

const idOf = (url: string): number => Number(url.slice(url.lastIndexOf('/') + 1));

/** The facts of the job that an upload made. */
async function stored(token: string, fields: Upload = {}) {
  const { status, text, json } = await scene.uploadWith(token, fields);
  expect([status, text]).toEqual([200, expect.stringContaining('Job #')]);
  const job = await scene.service.store.jobs.find(idOf(json.url));
  return job?.facts;
}

describe('an upload with an id-token', () => {
  test("is of the token's run, whatever it leaves out", async () => {
    const facts = await stored(scene.token({ run_attempt: '2' }), { service_job_id: '', commit_sha: '' });
    expect(facts).toMatchObject({
      commit: HEAD,
      branch: 'main',
      serviceNumber: scene.runs.push,
      serviceAttempt: 2,
      serviceEventType: 'push',
      trust: 'provider',
      vouchedRun: { id: scene.runs.push, headCommit: HEAD },
    });
    // Only GitHub's keys were asked for, and nothing of its API.
    expect(scene.github.requests().every(({ path }) => path.startsWith('/_services/token/.well-known/'))).toBe(true);
  });

  test('completes a commit that was sent in short', async () => {
    const facts = await stored(scene.token(), { commit_sha: HEAD.slice(0, 8), flag_name: 'short' });
    expect([facts?.commit, facts?.testedCommit]).toEqual([HEAD, undefined]);
  });

  test('may come in the header', async () => {
    const token = scene.token();
    const { service } = scene;
    const body = JSON.stringify({ source_files: [], parallel: true, commit_sha: HEAD });
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    expect((await service.api.send('/api/v1/jobs', { method: 'POST', headers, body })).status).toBe(200);
  });

  test("of a pull request is of its head, tested at the token's merge commit", async () => {
    const fields = { commit_sha: PULL.head, service_tested_sha: PULL.merge, service_branch: 'topic' };
    expect(await stored(scene.token(scene.ofPull), { ...fields, service_pull_request: '7' })).toMatchObject({
      commit: PULL.head,
      testedCommit: PULL.merge,
      pullRequest: 7,
      branch: 'topic',
      vouchedRun: { id: scene.runs.pull, headCommit: PULL.head },
    });
    const bare = { service_job_id: '', commit_sha: '', flag_name: 'bare' };
    expect(await stored(scene.token(scene.ofPull), bare)).toMatchObject({
      commit: PULL.head,
      testedCommit: PULL.merge,
      pullRequest: 7,
      branch: 'topic',
    });
    // Two uploads of one run: the host is asked once about each head that they name.
    expect(scene.github.requests().filter(({ path }) => path.includes('/actions/runs/'))).toHaveLength(2);
  });

  test('of a tag or a merge queue is of that ref', async () => {
    const tag = await stored(scene.token({ ref: 'refs/tags/v1' }), { flag_name: 'tag', service_branch: 'v1' });
    expect(tag).toMatchObject({ branch: 'v1', tag: true });
    const queue = `gh-readonly-queue/main/pr-7-${HEAD}`;
    const queued = await stored(scene.token({ ref: `refs/heads/${queue}`, event_name: 'merge_group' }), {});
    expect(queued).toMatchObject({ branch: queue, mergeQueue: true, baseBranch: 'main', baseCommit: HEAD });
  });

  test('passes again with the same content, and not with another one', async () => {
    const token = scene.token();
    const fields = { service_number: scene.runs.push, flag_name: 'once' };
    const [first, again] = [await scene.uploadWith(token, fields), await scene.uploadWith(token, fields)];
    expect([first.status, again.status, again.json]).toEqual([200, 200, first.json]);
    const builds = await scene.builds();
    const other = await scene.uploadWith(token, { ...fields, flag_name: 'twice' });
    expect([other.status, other.json.message]).toEqual([
      422,
      'repo_token is an ID token, sent without a repo_name. It was sent before with different content. An ID token ' +
        'is valid for one upload or one close: ask for a new one for each.',
    ]);
    const { service } = scene;
    const job = await service.store.jobs.find(idOf(first.json.url));
    expect([await scene.builds(), (await service.store.jobs.ofBuild(job?.buildId ?? 0)).at(-1)?.facts.flag]).toEqual([
      builds,
      'once',
    ]);
  });

  test('binds the repo to its id at GitHub', async () => {
    const repo = await scene.service.store.repos.findByName('github', 'acme/shop');
    expect(repo?.providerId).toMatch(/^3\d{9}$/);
  });

  test('is checked, and its repo looked up, once', async () => {
    const look = vi.spyOn(scene.service.store.repos, 'findByProviderId');
    await stored(scene.token(), { flag_name: 'looked-up' });
    expect(look).toHaveBeenCalledTimes(1);
    look.mockRestore();
  });
});

describe('closing and reading with an id-token', () => {
  test("closes and reruns its run's build, and shows its JSON", async () => {
    const { service, runs } = scene;
    const { json } = await scene.uploadWith(scene.token({ run_id: runs.push }), {
      service_number: runs.push,
      flag_name: 'last',
      parallel: true,
    });
    const build = (await service.store.jobs.find(idOf(json.url)))?.buildId;
    const token = scene.token();
    const closed = await scene.close({ repo_token: token, repo_name: 'acme/shop' }, runs.push);
    expect([closed.status, closed.json]).toMatchObject([200, { done: true, url: `${service.url}/builds/${build}` }]);
    expect((await scene.close({ repo_token: token, repo_name: 'acme/shop' }, runs.push)).status).toBe(200);
    const other = await scene.close({ repo_token: token, carryforward: 'all' }, runs.push);
    expect([other.status, other.json.message]).toEqual([422, expect.stringContaining('with different content')]);
    const query = new URLSearchParams({ repo_token: scene.token(), build_num: runs.push });
    expect((await service.api.send(`/rerun_build?${query}`, { method: 'POST' })).status).toBe(200);
    const read = (token: string) =>
      service.api.send(`/builds/${build}.json`, { headers: { authorization: `Bearer ${token}` } });
    expect((await read(token)).status).toBe(200);
    expect((await read(scene.token({ run_id: runs.fork }))).status).toBe(401);
  });

  test('closes the build of its run where no number is named', async () => {
    const { service, runs } = scene;
    const other = await scene.service.newRepo({ service: 'github', name: 'acme/other' });
    const open = { repo_token: other.token, service_number: '4711', parallel: true };
    expect((await scene.upload(open)).status).toBe(200);
    const run = { run_id: runs.push, sha: HEAD };
    const token = () => scene.github.issueIdToken('acme/other', { aud: service.url, ...run });
    expect((await scene.close({ repo_token: token() })).status).toBe(422);
    const fields = { commit_sha: HEAD, parallel: true };
    expect((await scene.uploadWith(token(), fields)).status).toBe(200);
    expect((await scene.close({ repo_token: token() })).json).toMatchObject({ done: true, jobs: 1 });
    expect((await scene.close({ repo_token: other.token }, 4711)).json).toMatchObject({ done: true, jobs: 1 });
  });

  test('closes no build of another run', async () => {
    const { status, json } = await scene.close({ repo_token: scene.token() }, scene.runs.pull);
    expect([status, json.message]).toEqual([422, expect.stringContaining(`build_num is "${scene.runs.pull}", but`)]);
    const named = await scene.close({ repo_token: scene.token(), repo_name: 'acme/other' }, scene.runs.push);
    expect([named.status, named.json.message]).toEqual([
      422,
      expect.stringContaining('repo_name is "acme/other", but'),
    ]);
  });
});

const MOVES_TIME = { skip: process.env.TEST_MONGODB_URL !== undefined };

test(
  'the keys are asked for once, and again for a key that is not known, with a pause between',
  MOVES_TIME,
  async () => {
    const { github, service } = scene;
    const upload = (flag_name: string) => scene.uploadWith(scene.token(), { flag_name });
    expect((await upload('first')).status).toBe(200);
    expect(github.idTokenKeyRequests()).toBe(1);
    github.rotateIdTokenKey();
    await service.time.pass(31_000);
    const rotated = await Promise.all(['a', 'b', 'c'].map(upload));
    expect(rotated.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(github.idTokenKeyRequests()).toBe(2);
    for (const kid of ['x', 'y'])
      expect((await scene.uploadWith(scene.token({}, { kid }))).json.message).toContain(
        `key "${kid}", which is not one of`,
      );
    expect(github.idTokenKeyRequests()).toBe(2);
  },
);

test('what GitHub cannot be asked about is to be sent again', MOVES_TIME, async () => {
  const { github, service } = scene;
  const ofPull = { ...scene.ofPull, run_id: String(scene.addRun({ headSha: PULL.head, event: 'pull_request' })) };
  github.faults.when(({ path }) => (path.includes('/actions/runs/') ? { kind: 'status', status: 503 } : undefined));
  const answer = await scene.uploadWith(scene.token(ofPull), { commit_sha: PULL.head, flag_name: 'away' });
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)]);
  expect(answer.json.message).toContain('GitHub did not answer in time. Nothing was stored; send it again.');
  github.faults.clear();
  await service.time.pass(25 * 60 * 60_000);
  github.stopIdTokens(true);
  const at = Math.floor(service.time.clock.now() / 1_000);
  const late = await scene.uploadWith(scene.token({ iat: at, nbf: at, exp: at + 300 }));
  expect([late.status, late.json.message]).toEqual([503, expect.stringContaining('could not be fetched: it answered')]);
});

test('what an expired token was used for is swept away', MOVES_TIME, async () => {
  const { store, time } = scene.service;
  const use = (digest: string) => store.usedIdTokens.use({ key: 'k', digest, expiresAt: time.clock.now() + 1 });
  expect([await use('first'), await use('second')]).toEqual(['first', 'first']);
  await time.pass(31 * 60_000);
  await waitFor(async () => (await use('second')) === 'second' || undefined, { what: 'the sweep', intervalMs: 5 });
});

test('no token is in an answer, a log line or the database', () => scene.checkSecrecy());
