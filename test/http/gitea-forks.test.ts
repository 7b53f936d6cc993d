import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Build } from '../../server/src/core/builds/build.ts';
import { shaOf } from '../support/coverage-api.ts';
import { type GiteaStandIn, startGiteaStandIn } from '../support/gitea-stand-in/gitea-stand-in.ts';
import type { RunSetUp } from '../support/github-stand-in/set-up.ts';
import { ALL, type HostForks, openHostForks } from '../support/host-forks.ts';
import { type Service, startService } from '../support/service.ts';

/** Rule 29 at Gitea and Forgejo, where a fork's pull request runs in the repo that it goes to. */

const NAME = 'acme/shop';
const [MAIN, TOPIC, EVE, MALLORY] = ['main', 'topic', 'eve', 'mallory'].map(shaOf) as [string, string, string, string];
const JOB_TOKEN = '0123456789'.repeat(4);

describe.each(['gitea', 'forgejo'] as const)('a fork at %s', (kind) => {
  let host: GiteaStandIn;
  let service: Service;
  let forks: HostForks;
  let token: string;
  let main: Build;
  beforeAll(async () => {
    host = await startGiteaStandIn({ flavor: kind });
    host.addRepo(NAME);
    host.addCommit(NAME, { sha: MAIN, branch: 'main' });
    for (const sha of [TOPIC, EVE]) host.addCommit(NAME, { sha, parents: [MAIN] });
    const change = { baseRef: 'main', baseSha: MAIN };
    host.addPullRequest(NAME, { ...change, number: 12, headSha: TOPIC, headRef: 'topic' });
    host.addPullRequest(NAME, { ...change, number: 13, headSha: EVE, headRef: 'main', headRepo: 'eve/shop' });
    host.addPullRequest(NAME, { ...change, number: 14, headSha: MALLORY, headRef: 'fix', headRepo: 'mallory/shop' });
    const setting = kind.toUpperCase();
    const env = { [`${setting}_URL`]: host.url, [`${setting}_TOKEN`]: host.token, RUN_CHECKS_PER_MINUTE: '0' };
    service = await startService({ env });
    ({ token } = await service.newRepo({ service: kind, name: NAME }));
    const told = () => ({
      comments: [12, 13, 14].map((number) => host.comments(NAME, number)),
      statuses: [MAIN, TOPIC, EVE, MALLORY].map((sha) => host.statuses(NAME, sha)),
    });
    forks = await openHostForks({ service, host: kind, ci: `${kind}-actions`, repo: NAME, told });
    const sent = { repo_token: token, service_number: run({ event: 'push' }), commit_sha: MAIN };
    main = await forks.uploaded({ ...sent, service_branch: 'main' }, ALL);
  });
  afterAll(async () => {
    await service.stop();
    await host.close();
    expect(host.violations()).toEqual([]);
  });

  /** A run of the repo itself, of main. */
  const run = (change: Partial<RunSetUp> = {}) => String(host.addRun(NAME, { headSha: MAIN, ...change }).id);
  const OF_EVE = { headSha: EVE, headBranch: 'main', headRepo: 'eve/shop', event: 'pull_request', actor: 'eve' };
  /** What her job sends, without a token. */
  const ofFork = (change: Partial<RunSetUp> = {}): object => {
    const service_number = run({ ...OF_EVE, ...change });
    return { repo_token: undefined, service_number, service_pull_request: '13', commit_sha: EVE };
  };

  test.each<[string, () => object]>([
    ['names no run', () => ({ ...ofFork(), service_number: 'x' })],
    ['names a run that is not there', () => ({ ...ofFork(), service_number: '4711' })],
    ['names a push to the repo', () => ({ ...ofFork(), service_number: run(), commit_sha: MAIN })],
    [
      'names a run of one of its own branches',
      () => ({
        ...{ ...ofFork(), service_number: run({ headSha: TOPIC, headBranch: 'topic', event: 'pull_request' }) },
        ...{ service_pull_request: '12', commit_sha: TOPIC },
      }),
    ],
    ['names a run that has secrets', () => ofFork({ event: 'pull_request_target' })],
    ['names a run that ended before', () => ofFork({ status: 'completed', updatedAt: '2020-01-01T00:00:00Z' })],
    ["names another's pull request", () => ({ ...ofFork(), service_pull_request: '14' })],
    ['names a pull request of the repo itself', () => ({ ...ofFork(), service_pull_request: '12' })],
    ['names no pull request', () => ({ ...ofFork(), service_pull_request: undefined })],
    ['uploads for a commit of the repo', () => ({ ...ofFork(), commit_sha: MAIN })],
    ['uploads for a commit beside its own', () => ({ ...ofFork(), service_tested_sha: MAIN })],
    [
      'has the token of its job',
      () => {
        host.addJob(JOB_TOKEN, { repo: NAME, ofFork: true });
        return { ...ofFork(), repo_token: `${kind}:${JOB_TOKEN}` };
      },
    ],
    [
      'has the token of a job under pull_request_target',
      () => {
        host.addJob(JOB_TOKEN, { repo: NAME });
        return { ...ofFork({ event: 'pull_request_target' }), repo_token: `${kind}:${JOB_TOKEN}` };
      },
    ],
  ])('gains nothing where it %s', async (_, forge) => {
    const fields = forge();
    const before = await forks.everything();
    expect((await forks.upload(fields)).status).toBe(422);
    expect(await forks.everything()).toEqual(before);
  });

  test('gains nothing where its setting is off, and closes no build of others', async () => {
    await forks.set({ accept_forks: false });
    const before = await forks.everything();
    const { status, json } = await forks.upload(ofFork());
    expect([status, json.message]).toEqual([422, expect.stringContaining('the setting accept_forks')]);
    await forks.set({ accept_forks: null });
    expect((await forks.close({ repo_name: NAME }, main.number)).status).toBe(422);
    expect(await forks.everything()).toEqual(before);
  });

  test.each<[string, () => object]>([
    ['its run alone', () => ofFork()],
    ['the repo token', () => ({ ...ofFork(), repo_token: token })],
    ['the repo token in a run that has it', () => ({ ...ofFork({ event: 'pull_request_target' }), repo_token: token })],
    [
      'the repo token in a run that follows its own',
      () => ({ ...ofFork(), repo_token: token, service_number: run({ event: 'workflow_run' }) }),
    ],
  ])('whose branch is called main moves nothing of main, by %s', async (name, sent) => {
    const claims = { service_branch: 'main', compare_sha: MAIN, flag_name: name };
    const build = await forks.uploaded({ ...sent(), ...claims, git: { branch: 'main', head: { id: EVE } } });
    expect(build).toMatchObject({ trust: 'run', pullRequest: 13, commit: EVE });
    expect(build.id).not.toBe(main.id);
    expect(await forks.badge()).toContain('coverage: 100');
    expect(host.lastStatuses(NAME, EVE).get('coverage')?.description).toMatch(/^Unverified: /);
    expect(host.comments(NAME, 13)).toMatchObject([{ body: expect.stringContaining('Unverified: ') }]);
  });

  test('and a push that names a pull request of another commit says nothing there', async () => {
    const sent = { repo_token: token, service_number: run({ event: 'push' }), commit_sha: MAIN };
    const build = await forks.uploaded({ ...sent, service_branch: 'main', service_pull_request: '12' }, ALL);
    expect([build.pullRequest, build.branch]).toEqual([undefined, 'main']);
    expect(host.comments(NAME, 12)).toEqual([]);
  });
});
