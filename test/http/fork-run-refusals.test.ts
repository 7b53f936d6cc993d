import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { job, shaOf } from '../support/coverage-api.ts';
import { type Fields, FORK_TOKEN, HEAD, MAIN, MALLORYS, MERGE, REPO } from '../support/fork-github.ts';
import { type ForkScene, startForkScene } from '../support/fork-scene.ts';
import { someOf } from '../support/property-runs.ts';
import { startService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

const MOVES_TIME = { skip: process.env.TEST_MONGODB_URL !== undefined };

let scene: ForkScene;
beforeAll(async () => {
  scene = await startForkScene({ RUN_CHECKS_PER_MINUTE: '0' });
  const { service, shop } = scene;
  await service.uploadAlone({ ...job({ repo_token: shop.token, service_number: '1', commit_sha: MAIN }) });
  const ofPull = { service_number: '71', service_pull_request: '7', commit_sha: HEAD };
  await service.uploadAlone({ ...job({ repo_token: shop.token, ...ofPull }) });
});
afterAll(() => scene.end());

const ago = (minutes: number): string => new Date(scene.service.time.clock.now() - minutes * 60_000).toISOString();

describe('what a forger with a public run id may not do: nothing is stored', () => {
  type Forged = (scene: ForkScene) => readonly [run: string, fields?: Fields];
  const table: Readonly<Record<string, readonly [Forged, string]>> = {
    'name a run that is not there': [() => ['4711'], 'GitHub has no run 4711 there.'],
    'name no run': [() => ['', { service_job_id: 'test' }], 'No field holds the id of a run.'],
    'name a run of another repo': [
      ({ github }) => [String(github.addRun('acme/other', { headSha: HEAD, event: 'pull_request' }).id)],
      'GitHub has no run ',
    ],
    'name a push to the repo': [
      ({ run }) => [run({ event: 'push', headRepo: REPO, headSha: MAIN, headBranch: 'main' }), { commit_sha: MAIN }],
      'was started by push, and does not test a pull request. Send the repo',
    ],
    'name a run of one of its own branches': [
      ({ run }) => [run({ headRepo: REPO })],
      'belongs to the repo itself, and gets its secrets.',
    ],
    'name a run that has secrets': [({ run }) => [run({ event: 'pull_request_target' })], 'pull_request_target'],
    'name a run that ended before': [
      ({ run }) => [run({ status: 'completed', updatedAt: ago(11) })],
      'ended more than 10 minutes ago.',
    ],
    'name a run that nobody approved': [
      ({ run }) => [run({ status: 'completed', conclusion: 'action_required', updatedAt: ago(1) })],
      'is waiting for approval, so none of it has run.',
    ],
    'name no pull request': [({ run }) => [run(), { service_pull_request: undefined }], 'names no pull request.'],
    "name another's pull request": [
      ({ run }) => [run({ headRepo: 'mallory/shop', headSha: MALLORYS }), { commit_sha: MALLORYS }],
      'does not test the pull request 7.',
    ],
    "name another's pull request with its head": [
      ({ run }) => [run({ headRepo: 'mallory/shop' })],
      'does not test the pull request 7.',
    ],
    'name a pull request that is not there': [({ run }) => [run(), { service_pull_request: '70' }], 'request 70.'],
    "name the pull request of the run's other branch": [
      ({ run }) => [run({ headBranch: 'mine' })],
      'does not test the pull request 7.',
    ],
    'upload for a commit of the repo': [
      ({ run }) => [run(), { commit_sha: MAIN }],
      `tests the commit ${HEAD} or a merge of it, but the job is for "${MAIN}".`,
    ],
    'upload for a commit beside its own': [({ run }) => [run(), { service_tested_sha: MAIN }], `for "${MAIN}".`],
    'upload for a merge into its own branch': [
      ({ run, github }) => {
        const sha = shaOf('a merge the wrong way round');
        github.addCommit(REPO, { sha, parents: [HEAD, MAIN], message: `Merge ${MAIN} into ${HEAD}` });
        return [run(), { commit_sha: sha }];
      },
      'or a merge of it',
    ],
    'upload for the commit that merged it': [
      ({ run, github }) => {
        const sha = shaOf('merged into main');
        github.addCommit(REPO, { sha, parents: [MAIN, HEAD], message: 'Merge pull request #7 from eve/prices' });
        return [run(), { commit_sha: sha }];
      },
      'or a merge of it',
    ],
    'upload for two merges': [
      ({ run }) => [run(), { commit_sha: MERGE, service_tested_sha: shaOf('another') }],
      'or a merge of it',
    ],
    'upload for no commit': [({ run }) => [run(), { commit_sha: undefined }], 'The job names no commit.'],
    'upload from a push of Dependabot': [
      ({ run }) => [run({ event: 'push', headRepo: REPO, actor: 'dependabot[bot]' })],
      'was started by push',
    ],
  };

  test.each(someOf(Object.entries(table)))('%s', async (_, [forge, sentence]) => {
    const [run, fields] = forge(scene);
    const before = await scene.everything();
    const { status, json } = await scene.upload(run, fields);
    expect([status, json]).toEqual([422, { message: expect.stringContaining(sentence), error: true }]);
    expect(json.message).toMatch(/^No repo_token was sent, and no run vouches for this in the repo "acme\/shop"\. /);
    expect(await scene.everything()).toEqual(before);
  });

  test('upload where the setting is off, which the sentence names; with a token of the run too', async () => {
    await scene.set({ accept_forks: false });
    const before = await scene.everything();
    const run = scene.run();
    expect((await scene.upload(run)).json.message).toMatch(/from runs without secrets.*the setting accept_forks\.$/);
    const byToken = await scene.upload(run, { repo_token: FORK_TOKEN });
    expect([byToken.status, byToken.json.message]).toEqual([422, expect.stringContaining('accept_forks is on')]);
    expect((await scene.close({ repo_name: REPO }, run)).json.message).toContain('accept_forks');
    expect(await scene.everything()).toEqual(before);
    await scene.set({ accept_forks: null });
  });

  test('learn whether a private repo is here, whatever its setting', async () => {
    const vault = await scene.service.newRepo({ service: 'github', name: 'acme/vault' });
    const said = async (name: string): Promise<string> => {
      const answers = [
        await scene.upload(scene.run(), { repo_name: name }),
        await scene.close({ repo_name: name }, '7'),
      ];
      return JSON.stringify(answers.map(({ status, json }) => [status, json.message])).replaceAll(name, 'NAME');
    };
    const ofNone = await said('acme/none');
    expect(ofNone).toContain('no repo_token was sent');
    expect(ofNone).toContain('(accept_forks)');
    const asked = scene.github.requests().length;
    expect(await said('acme/vault')).toBe(ofNone);
    expect(scene.github.requests()).toHaveLength(asked);
    await scene.set({ accept_forks: true }, vault);
    expect(await said('acme/vault')).toBe(ofNone);
    scene.github.faults.next(1, { kind: 'status', status: 403 }, ({ path }) => path.includes('/actions/runs'));
    expect(await said('acme/vault')).toBe(ofNone);
    await scene.set({ visibility: 'public', accept_forks: false }, vault);
    expect(await said('acme/vault')).not.toBe(ofNone);
  });

  test('with a token of the run: name another pull request, or close what has a secret', async () => {
    const before = await scene.everything();
    const run = scene.run();
    const other = await scene.upload(run, { repo_token: FORK_TOKEN, service_pull_request: '8' });
    expect([other.status, other.json.message]).toEqual([422, expect.stringContaining('not test the pull request 8')]);
    const closed = await scene.close({ repo_token: FORK_TOKEN, repo_name: REPO }, run);
    expect([closed.status, closed.json.message]).toEqual([422, expect.stringContaining(`number ${run} found`)]);
    expect(await scene.everything()).toEqual(before);
  });

  test('rerun a build', async () => {
    const run = scene.run();
    expect((await scene.upload(run)).status).toBe(200);
    const before = await scene.everything();
    const query = new URLSearchParams({ repo_name: REPO, build_num: run });
    const { status, json } = await scene.service.api.send(`/rerun_build?${query}`, { method: 'POST' });
    expect([status, json.message]).toEqual([422, expect.stringContaining('no repo_token was sent')]);
    expect(await scene.everything()).toEqual(before);
  });
});

describe('GitHub', () => {
  const atRun = ({ path }: { readonly path: string }) => path.includes('/actions/runs');

  test('that does not show the run to this server: refused, with what the operator can do', async () => {
    const before = await scene.everything();
    scene.github.faults.next(1, { kind: 'status', status: 401 }, atRun);
    const { status, json } = await scene.upload(scene.run());
    expect([status, json.message]).toEqual([
      422,
      expect.stringMatching(/does not let this server see the run\. The op/),
    ]);
    expect(await scene.everything()).toEqual(before);
  });

  test('of which this server has no credential', async () => {
    const service = await startService({ env: { GITHUB_API_URL: scene.github.url } });
    await service.newRepo({ service: 'github', name: REPO });
    await service.api.changeSettings(REPO, { visibility: 'public' });
    const fields = { repo_name: REPO, service_name: 'github', service_number: scene.run() };
    const { status, json } = await service.api.uploadJob({ ...job({ repo_token: '' }), ...fields });
    expect([status, json.message]).toEqual([
      422,
      expect.stringMatching(/no credential of its own for GitHub.*GITHUB_TO/),
    ]);
    await service.stop();
  });
});

test('a repo and an address keep room for what has a secret', async () => {
  const env = { MAX_REPO_OPEN_BUILDS: '2', MAX_ADDRESS_JOBS_PER_MINUTE: '4' };
  const small = await startForkScene({ RUN_CHECKS_PER_MINUTE: '0', ...env });
  const send = async (fields?: Fields) => (await small.upload(small.run(), { parallel: true, ...fields })).status;
  expect([await send(), await send()]).toEqual([200, 429]);
  const fields = { repo_token: small.shop.token, parallel: true, commit_sha: MAIN };
  expect((await small.service.api.uploadJob(job(fields))).status).toBe(200);
  // What was taken counts for its address too: nobody knows who sent it.
  expect([await send({ parallel: false }), await send({ parallel: false })]).toEqual([200, 200]);
  expect((await small.upload(small.run(), { parallel: false })).json.message).toContain('address');
  await small.end();
});

test('runs are asked about a limited number of times a minute, and the jobs of one once', MOVES_TIME, async () => {
  const limited = await startForkScene({ RUN_CHECKS_PER_MINUTE: '4' });
  const asked = () => limited.github.requests().filter(({ path }) => /\/actions\/runs\?|\/pulls\?/.test(path)).length;
  const run = limited.run();
  const jobs = ['unit', 'e2e', 'web'].map((name) =>
    limited.upload(run, { service_job_id: `${run}-${name}`, flag_name: name, parallel: true }),
  );
  expect((await Promise.all(jobs)).map(({ status }) => status)).toEqual([200, 200, 200]);
  // The list of runs, and the pull requests of this one.
  expect(asked()).toBe(2);
  const alone = limited.run();
  expect((await limited.upload(alone)).status).toBe(200);
  expect(asked()).toBe(3);
  const before = await limited.everything();
  const { status, headers, json } = await limited.upload(limited.run());
  expect([status, json.message]).toEqual([429, expect.stringContaining('Too many runs without secrets')]);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  expect(asked()).toBe(3);
  expect(await limited.everything()).toEqual(before);
  expect((await limited.upload(run, { flag_name: 'more', parallel: true })).status).toBe(200);
  await limited.service.time.pass(60_000);
  expect((await limited.upload(limited.run())).status).toBe(200);
  await limited.end();
});

test('three made-up runs a second from one address, even its own, keep no run of a fork out', MOVES_TIME, async () => {
  const attacked = await startForkScene();
  const { github, service } = attacked;
  const asked = (path: RegExp): number => github.requests().filter((one) => path.test(one.path)).length;
  const lists = (): number => asked(/\/actions\/runs\?/);
  // Nothing but the pause before the next list is cut short.
  const passUnasked = (): void => {
    if (github.requests().every(({ status }) => status !== undefined)) void service.time.pass(100);
  };
  const forged: number[] = [];
  const pending = new Set<Promise<unknown>>();
  for (let second = 0; second < 12; second += 1) {
    for (let count = 0; count < 3; count += 1) {
      const upload = attacked.upload(String(4_711 + 3 * second + count)).then(({ status }) => forged.push(status));
      pending.add(upload);
      void upload.finally(() => pending.delete(upload));
    }
    let status: number | undefined;
    void attacked.upload(attacked.run()).then((answer) => {
      status = answer.status;
    });
    const answered = await waitFor(() => status, {
      what: 'the upload of a fork',
      intervalMs: 5,
      meanwhile: passUnasked,
    });
    expect(answered).toBe(200);
  }
  await waitFor(() => pending.size === 0 || undefined, {
    what: 'the forged ones to be answered',
    intervalMs: 5,
    meanwhile: passUnasked,
  });
  expect(new Set(forged)).toEqual(new Set([422, 429]));
  // A list each five seconds, and few questions about what is in none.
  expect(lists()).toBeLessThanOrEqual(15);
  expect(asked(/\/actions\/runs\/\d+$/)).toBeLessThanOrEqual(6);
  await attacked.end();
});
