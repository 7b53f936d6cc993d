import type { BuildJson } from '@coverage/shared';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Build } from '../../server/src/core/builds/build.ts';
import { job, shaOf, sourceFile } from '../support/coverage-api.ts';
import { type Fields, FORK_TOKEN, HEAD, MAIN, MERGE, REPO } from '../support/fork-github.ts';
import { type ForkScene, startForkScene } from '../support/fork-scene.ts';
import { HOOK_SECRET, sendDelivery } from '../support/hooks-client.ts';
import { someOf } from '../support/property-runs.ts';
import { waitFor } from '../support/wait-for.ts';

let scene: ForkScene;
let token: string;
let trusted: { readonly main: BuildJson; readonly ofPull: BuildJson };
beforeAll(async () => {
  scene = await startForkScene({ RUN_CHECKS_PER_MINUTE: '0' });
  token = scene.shop.token;
  const { service } = scene;
  const main = await service.uploadAlone(job({ repo_token: token, service_number: '1', commit_sha: MAIN }));
  const fields = { service_number: '71', service_job_id: '1001', service_pull_request: '7', commit_sha: HEAD };
  const ofPull = await service.uploadAlone({ ...job({ repo_token: token, flag_name: 'unit' }), ...fields });
  trusted = { main, ofPull };
  await arrived('coverage', ofPull.url);
});
afterAll(() => scene.end());

const FULL = [sourceFile('src/a.ts', [1, 1, null])];
const lastStatus = (context = 'coverage') => scene.github.lastStatuses(REPO, HEAD).get(context);
const comment = () => scene.github.comments(REPO, 7)[0]?.body ?? '';

function arrived(context: string, url: string) {
  const look = () => (lastStatus(context)?.targetUrl === url ? lastStatus(context) : undefined);
  return waitFor(look, { what: `${context} of ${url}`, intervalMs: 5, meanwhile: scene.service.time.skipPause });
}

/** The build that an upload went to, and what was there before. */
async function accepted(run: string, fields: Fields = {}) {
  const before = await scene.builds();
  const { status, text, json } = await scene.upload(run, { source_files: FULL, ...fields });
  expect([status, text]).toEqual([200, expect.stringContaining('Job #')]);
  const stored = await scene.service.store.jobs.find(Number(json.url.slice(json.url.lastIndexOf('/') + 1)));
  const after = await scene.builds();
  const build = after.find(({ id }) => id === stored?.buildId) as Build;
  const changed = after.filter((one) => !before.some((known) => JSON.stringify(known) === JSON.stringify(one)));
  return { build, job: stored, changed: changed.map(({ id }) => id), isNew: before.every(({ id }) => id !== build.id) };
}

const json = async (path: string) => (await scene.service.api.send<Record<string, unknown>>(path)).json;
const page = async (path: string): Promise<string> => {
  const answer = await fetch(`${scene.service.url}${path}`, { headers: { accept: 'text/html' } });
  return answer.text();
};

describe('what a forger with a public run id gains: an unverified build of his own pull request', () => {
  type Claim = readonly [string, (run: string) => Fields];
  const claims: readonly Claim[] = [
    ['as our action uploads', () => ({})],
    ['tested at the merge commit', () => ({ service_tested_sha: MERGE })],
    ['as clients upload that know the merge commit alone', () => ({ commit_sha: MERGE, service_job_id: undefined })],
    ['by the id in the job id alone', () => ({ service_number: undefined })],
    ['by the number of a trusted build', (run) => ({ service_number: '71', service_job_id: run })],
    ["by a trusted build's job id", (run) => ({ service_number: run, service_job_id: '1001' })],
    ['for a branch of the repo', () => ({ git: { branch: 'main', head: { id: HEAD } } })],
    ['for a tag', () => ({ git: { branch: 'refs/tags/v1' } })],
    ['for a merge queue', () => ({ git: { branch: `gh-readonly-queue/main/pr-7-${MAIN}` } })],
    ['with a base of his choice', () => ({ compare_sha: HEAD, compare_ref: 'main', service_base_sha: HEAD })],
    ['at a higher attempt', () => ({ service_attempt: 99 })],
    ["with the page of another's run", () => ({ service_build_url: `https://github.com/${REPO}/actions/runs/71` })],
  ];
  test.each(someOf(claims))('%s', async (_, claim) => {
    const run = scene.run();
    const { build, job: stored, changed, isNew } = await accepted(run, claim(run));
    expect([changed, isNew]).toEqual([[build.id], true]);
    expect(build).toMatchObject({
      trust: 'run',
      vouchedRun: { id: run },
      serviceNumber: run,
      pullRequest: 7,
      commit: HEAD,
      target: HEAD,
      branch: 'prices',
      tag: false,
      mergeQueue: false,
      attempt: 1,
      jobs: 1,
      state: 'closed',
    });
    expect(build.buildUrl).toBeUndefined();
    expect(stored?.facts.serviceJobId ?? run).toMatch(new RegExp(`^${run}`));
    expect(build.result?.base?.buildId).toBe(Number(trusted.main.id));
  });

  test('no place of a trusted build: lists, numbers, badge, trend, flags, commit, status and comment', async () => {
    const shown = async () => ({
      badge: await page(`/github/${REPO}/badge.svg`),
      trend: (await json(`/github/${REPO}/trend.json`)).points,
      ofBranch: await json(`/github/${REPO}.json?branch=main`),
      newest: (await json(`/github/${REPO}.json`)).id,
      flags: await page(`/github/${REPO}/flags`),
      commit: (await json(`/builds/${HEAD}.json`)).id,
      status: lastStatus()?.targetUrl,
      flagStatus: lastStatus('coverage (unit)')?.targetUrl,
      comment: comment(),
    });
    const before = await shown();
    expect(before).toMatchObject({ newest: trusted.ofPull.id, commit: trusted.ofPull.id });
    const { url } = trusted.ofPull;
    expect([before.status, before.flagStatus]).toEqual([url, `${url}?check=flag:unit`]);
    const { build } = await accepted(scene.run(), { flag_name: 'unit' });
    await accepted(scene.run(), { flag_name: 'other' });
    await waitFor(() => lastStatus('coverage (other)'), {
      what: 'what the second announces',
      intervalMs: 5,
      meanwhile: scene.service.time.skipPause,
    });
    expect(await shown()).toEqual(before);
    const [repoPage, pull] = [await page(`/github/${REPO}`), await page(`/github/${REPO}/pulls/7`)];
    const [row] = repoPage.slice(repoPage.indexOf('/pulls/7"')).split('</tr>');
    expect(row).not.toContain('unverified');
    expect(repoPage).toContain('unverified fork');
    const at = (id: string | number): number => pull.search(new RegExp(`/builds/${id}\\b`));
    expect(at(trusted.ofPull.id)).toBeGreaterThan(0);
    expect(at(trusted.ofPull.id)).toBeLessThan(at(build.id));
    const later = await scene.service.uploadAlone(
      job({ repo_token: token, flag_name: 'other', service_number: '2', commit_sha: shaOf('next of main') }),
    );
    // Neither base nor origin of a carried flag, and the flag that it alone had is missing nowhere.
    expect(later.base?.build).toBe(trusted.main.id);
    expect(later.flags.map(({ name, carried_from }) => [name, carried_from])).toEqual([['other', null]]);
  });
});

describe('an unverified build', () => {
  test('says so on page, comment, status, lists and JSON, and is shown to its pull request', async () => {
    const alone = await startForkScene();
    const run = alone.run();
    const { json: answer } = await alone.upload(run);
    const [build] = await alone.builds();
    const status = await waitFor(() => alone.github.lastStatuses(REPO, HEAD).get('coverage'), {
      what: 'the status',
      intervalMs: 5,
      meanwhile: alone.service.time.skipPause,
    });
    expect(status).toMatchObject({ state: 'success', description: expect.stringMatching(/^Unverified: 50\.00%/) });
    const [said] = await waitFor(
      () => (alone.github.comments(REPO, 7).length > 0 ? alone.github.comments(REPO, 7) : undefined),
      {
        what: 'the comment',
        intervalMs: 5,
        meanwhile: alone.service.time.skipPause,
      },
    );
    expect(said?.body).toContain('Unverified: it was uploaded without a token for this repo');
    const read = async (path: string) => (await fetch(`${alone.service.url}${path}`)).text();
    expect(JSON.parse(await read(`/builds/${build?.id}.json`))).toMatchObject({
      unverified: true,
      is_base: { may_be: 'no', reason: 'unverified' },
    });
    expect(JSON.parse(await read(`/github/${REPO}.json?page=1`)).builds[0]).toMatchObject({ unverified: true });
    expect(await read(`/github/${REPO}/builds/${build?.id}`)).toContain('unverified');
    expect(await read(`/github/${REPO}/badge.svg`)).toContain('unknown');
    expect(answer.message).toBe(`Job #${run}.1`);
    expect(alone.github.violations()).toEqual([]);
    await alone.end();
  });

  test('gives its contexts and its comment to a trusted build of the commit that comes later', async () => {
    const other = await startForkScene();
    const at = (one: ForkScene) => one.github.lastStatuses(REPO, HEAD).get('coverage')?.targetUrl;
    const until = (url: string) =>
      waitFor(() => (at(other) === url && other.github.comments(REPO, 7)[0]?.body.includes(url)) || undefined, {
        what: `what ${url} announces`,
        intervalMs: 5,
        meanwhile: other.service.time.skipPause,
      });
    await other.upload(other.run());
    const [first] = await other.builds();
    await until(`${other.service.url}/builds/${first?.id}`);
    const fields = { service_number: '71', service_pull_request: '7', commit_sha: HEAD };
    const secret = await other.service.uploadAlone({ ...job({ repo_token: other.shop.token }), ...fields });
    await until(secret.url);
    expect(other.github.comments(REPO, 7)).toHaveLength(1);
    await other.upload(other.run());
    await other.builds();
    expect(at(other)).toBe(secret.url);
    expect(other.github.comments(REPO, 7)[0]?.body).toContain(secret.url);
    await other.end();
  });

  test.each<[string, () => Fields]>([
    ['with a token of the run, which has no secret either', () => ({ repo_token: FORK_TOKEN })],
    ['a few minutes after the run ended', () => ({})],
  ])('is made %s', async (name, fields) => {
    const updatedAt = new Date(scene.service.time.clock.now() - 9 * 60_000).toISOString();
    const run = scene.run(name.includes('ended') ? { status: 'completed', updatedAt } : {});
    const { build, isNew } = await accepted(run, fields());
    expect([build.trust, build.serviceNumber, isNew]).toEqual(['run', run, true]);
  });

  test('is made by Dependabot, whose pull request is one of the repo', async () => {
    const head = shaOf('head of dependabot');
    const change = { headSha: head, headRef: 'bump', baseRef: 'main' };
    scene.github.addPullRequest(REPO, { ...change, number: 9, login: 'dependabot[bot]' });
    const run = scene.run({ headRepo: REPO, headSha: head, headBranch: 'bump', actor: 'dependabot[bot]' });
    const { build } = await accepted(run, { commit_sha: head, service_pull_request: '9' });
    expect([build.trust, build.pullRequest]).toEqual(['run', 9]);
  });

  test('takes no job of the repo’s own token, and gives its own build none', async () => {
    const run = scene.run();
    const { build } = await accepted(run, { parallel: true });
    const fields = { service_name: 'github', service_number: run, commit_sha: HEAD, service_pull_request: '7' };
    const own = await scene.service.upload({ ...job({ repo_token: token, parallel: true }), ...fields });
    expect(Number(own.build)).not.toBe(build.id);
    const second = await accepted(run, { parallel: true, flag_name: 'second' });
    expect([second.build.id, second.build.jobs]).toEqual([build.id, 2]);
    expect((await scene.service.build(own.build)).jobs).toHaveLength(1);
    expect((await scene.close({ repo_token: token }, run)).json.jobs).toBe(1);
    expect((await scene.builds()).find(({ id }) => id === build.id)?.state).toBe('open');
  });
});

describe('a close without a secret', () => {
  test('closes the build of its run', async () => {
    const run = scene.run();
    const { build } = await accepted(run, { parallel: true });
    expect(build.state).toBe('open');
    const { status, json: answer } = await scene.close({ repo_name: REPO }, run);
    expect([status, answer]).toMatchObject([200, { done: true, jobs: 1, url: expect.stringMatching(`${build.id}$`) }]);
    expect((await scene.builds()).find(({ id }) => id === build.id)?.state).toBe('closed');
  });

  test.each<[string, (run: string, other: string) => string | undefined]>([
    ['of a trusted build of the same run', (run) => run],
    ["of another run's build", (_, other) => other],
    ['without a number', () => undefined],
  ])('%s is refused', async (_, numberOf) => {
    const run = scene.run();
    const other = scene.run({ event: 'push', headRepo: REPO, headSha: MAIN });
    for (const [number, commit] of [
      [run, HEAD],
      [other, MAIN],
    ]) {
      const fields = { service_name: 'github', service_number: number, commit_sha: commit };
      await scene.service.upload({ ...job({ repo_token: token, parallel: true }), ...fields });
    }
    const before = await scene.everything();
    const { status, json: answer } = await scene.close({ repo_name: REPO, carryforward: 'all' }, numberOf(run, other));
    expect([status, answer.error]).toEqual([422, true]);
    expect(await scene.everything()).toEqual(before);
  });

  test('that names nothing, by the repo’s token, passes it by', async () => {
    const fields = { service_number: undefined, service_job_id: undefined, service_name: 'nameless' };
    const own = await scene.service.upload({ ...job({ repo_token: token, parallel: true }), ...fields });
    const { build } = await accepted(scene.run(), { parallel: true });
    expect((await scene.close({ repo_token: token })).json.url).toMatch(new RegExp(`/${own.build}$`));
    expect((await scene.builds()).find(({ id }) => id === build.id)?.state).toBe('open');
  });
});

describe('a fork’s pull request at a commit that a branch of the repo has', () => {
  const UNPROVEN = { state: 'error', description: 'Unverified: no upload with a token yet' };
  const adopt = ({ github }: ForkScene) =>
    github.addCommit(REPO, { sha: HEAD, parents: [MAIN], branch: 'prices-of-eve' });
  const contextsOf = ({ github }: ForkScene) => github.lastStatuses(REPO, HEAD);
  const trustedUpload = (one: ForkScene): Promise<BuildJson> =>
    one.service.uploadAlone({
      ...job({ repo_token: one.shop.token, service_number: '72', commit_sha: HEAD }),
      service_branch: 'prices-of-eve',
    });
  const until = (one: ForkScene, look: (status: ReturnType<ReturnType<typeof contextsOf>['get']>) => boolean) =>
    waitFor(() => look(contextsOf(one).get('coverage')) || undefined, {
      what: 'the status',
      intervalMs: 5,
      meanwhile: one.service.time.skipPause,
    });

  test.each<[string, (one: ForkScene) => Promise<unknown>]>([
    [
      'before the one with a token',
      async (one) => {
        await one.upload(one.run(), { flag_name: 'evil', source_files: FULL });
        await until(one, (status) => status?.state === 'error');
        expect([...contextsOf(one).keys()]).toEqual(['coverage']);
        await trustedUpload(one);
      },
    ],
    [
      'after the one with a token',
      async (one) => {
        await trustedUpload(one);
        await one.upload(one.run(), { source_files: FULL });
        await one.builds();
      },
    ],
    [
      'together with the one with a token',
      (one) => Promise.all([one.upload(one.run(), { source_files: FULL }), trustedUpload(one)]),
    ],
  ])('gains nothing there when it comes %s', async (_, upload) => {
    const one = await startForkScene();
    adopt(one);
    await upload(one);
    await one.builds();
    const trusted = (await one.builds()).find(({ trust }) => trust !== 'run');
    const url = `${one.service.url}/builds/${trusted?.id}`;
    await until(one, (status) => status?.targetUrl === url);
    const seen = one.github.statuses(REPO, HEAD).filter(({ context }) => context === 'coverage');
    expect(seen.at(-1)).toMatchObject({ state: 'success', targetUrl: url });
    // Whatever was said before was no success.
    expect(seen.slice(0, -1).every(({ state }) => state === 'error')).toBe(true);
    await one.end();
  });

  test('ends in error alone, and says why; once no branch has it, as any other', async () => {
    const one = await startForkScene();
    adopt(one);
    const run = one.run();
    await one.upload(run, { source_files: FULL });
    await until(one, (status) => status !== undefined);
    expect(contextsOf(one).get('coverage')).toMatchObject(UNPROVEN);
    const [build] = await one.builds();
    const { json: shown } = await one.service.api.send<BuildJson>(`/builds/${build?.id}.json`);
    expect(shown.warnings).toContainEqual(expect.stringContaining('A branch of the repo itself points to this commit'));
    one.github.addCommit(REPO, { sha: MAIN, branch: 'prices-of-eve' });
    await one.upload(run, { flag_name: 'late', source_files: FULL });
    await until(one, (status) => status?.state === 'success');
    await one.end();
  });

  test('is evaluated again when a branch is pushed to it', async () => {
    const one = await startForkScene({ GITHUB_WEBHOOK_SECRET: HOOK_SECRET });
    await one.upload(one.run(), { source_files: FULL });
    await until(one, (status) => status?.state === 'success');
    adopt(one);
    const pushed = one.github.deliveries.push(REPO, 'refs/heads/prices-of-eve', HEAD);
    const answer = await sendDelivery(one.service.url, pushed);
    expect(JSON.stringify(answer)).toContain('a branch of the repo points to its commit now');
    await until(one, (status) => status?.state === 'error');
    expect(contextsOf(one).get('coverage')).toMatchObject(UNPROVEN);
    await one.end();
  });

  test('Dependabot’s own pull request stays as it was, and a fork’s copy of it takes nothing', async () => {
    const one = await startForkScene();
    const head = shaOf('head of dependabot');
    one.github.addCommit(REPO, { sha: head, parents: [MAIN], branch: 'bump' });
    const change = { headSha: head, baseRef: 'main' };
    one.github.addPullRequest(REPO, { ...change, number: 9, headRef: 'bump', login: 'dependabot[bot]' });
    one.github.addPullRequest(REPO, { ...change, number: 10, headRef: 'bump', headRepo: 'eve/shop', login: 'eve' });
    const bots = one.run({ headRepo: REPO, headSha: head, headBranch: 'bump', actor: 'dependabot[bot]' });
    await one.upload(bots, { commit_sha: head, service_pull_request: '9' });
    const status = () => one.github.lastStatuses(REPO, head).get('coverage');
    const success = await waitFor(status, { what: 'the status', intervalMs: 5, meanwhile: one.service.time.skipPause });
    expect(success).toMatchObject({ state: 'success', description: expect.stringMatching(/^Unverified: 50/) });
    const copy = one.run({ headSha: head, headBranch: 'bump' });
    expect((await one.upload(copy, { commit_sha: head, service_pull_request: '10' })).status).toBe(200);
    expect(await one.builds()).toHaveLength(2);
    expect(status()).toEqual(success);
    await one.end();
  });
});
