import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { job, type RepoJson, shaOf, sourceFile } from '../support/coverage-api.ts';
import { APP, privateKey, publicKey } from '../support/github-app-scene.ts';
import { type GithubStandIn, startGithubStandIn } from '../support/github-stand-in/github-stand-in.ts';
import { HOOK_SECRET, sendDelivery } from '../support/hooks-client.ts';
import { type Service, startService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

let github: GithubStandIn;
let service: Service;

beforeAll(async () => {
  github = await startGithubStandIn();
  github.addApp({ id: APP, slug: 'coverage', publicKey });
  const app = { GITHUB_APP_ID: String(APP), GITHUB_APP_PRIVATE_KEY: privateKey, GITHUB_WEBHOOK_SECRET: HOOK_SECRET };
  const issuers = { GITHUB_OIDC_ISSUERS: github.idTokenIssuer() };
  service = await startService({ github, env: { GITHUB_TOKEN: '', ...app, ...issuers } });
});
afterAll(async () => {
  await service.stop();
  expect(github.violations()).toEqual([]);
  await github.close();
});

type Repo = RepoJson & { token: string };

/** A private repo of an owner who has installed the App. */
async function newRepo(owner: string): Promise<{ readonly repo: Repo; readonly installation: number }> {
  const name = `${owner}/shop`;
  github.addRepo(name, { private: true });
  github.addCommit(name, { sha: shaOf('base'), branch: 'main' });
  for (const number of [7, 8])
    github.addPullRequest(name, { number, headSha: shaOf(`head ${number}`), baseRef: 'main' });
  const installation = github.installApp({ app: APP, owner });
  return { repo: await service.newRepo({ service: 'github', name }), installation };
}

/** Uploads a build of a pull request and waits until nothing is due any more; answers its id. */
async function announce(repo: Repo, pullRequest: number): Promise<string> {
  const { id } = await service.uploadAlone({
    ...job({ repo_token: repo.token, source_files: [sourceFile('src/a.ts', [1, 0])] }),
    commit_sha: shaOf(`head ${pullRequest}`),
    service_number: String(pullRequest),
    service_pull_request: String(pullRequest),
    git: { branch: `topic-${pullRequest}` },
  });
  await service.delivered();
  return id;
}

const arrived = (repo: Repo, pullRequest: number): readonly number[] => [
  github.statuses(repo.name, shaOf(`head ${pullRequest}`)).length,
  github.comments(repo.name, pullRequest).length,
];
const warningsOf = async (repo: Repo) =>
  ((await service.api.readRepo(repo.name)).json as { warnings?: string[] }).warnings;
const page = async (path: string) =>
  (await service.api.send(path, { headers: { authorization: `token ${service.adminToken}` } })).text;
const tell = async (delivery: Parameters<typeof sendDelivery>[1]) =>
  expect(await sendDelivery(service.url, delivery)).toMatchObject({ status: 200 });

const LOST =
  /^Nothing has been announced since 20[-\d: ]{14} UTC: the GitHub App was uninstalled by .* owner; install it again/;

describe('a repo that the App lost', () => {
  test('takes coverage, says why nothing is announced, and catches up once the App is back', async () => {
    const { repo, installation } = await newRepo('acme');
    await announce(repo, 7);
    expect(arrived(repo, 7)).toEqual([1, 1]);
    const gone = github.installation(installation);
    github.removeInstallation(installation);
    await tell(github.deliveries.installation(gone, 'deleted', [repo.name]));
    expect(await warningsOf(repo)).toEqual([expect.stringMatching(LOST)]);
    expect(await page(`/github/${repo.name}`)).toContain('the GitHub App was uninstalled by the repo');

    const id = await announce(repo, 8);
    const build = await service.build(id);
    expect(build).toMatchObject({ state: 'closed', covered_percent: 50 });
    expect(build.warnings).toContainEqual(expect.stringMatching(LOST));
    expect(build.verdict).toMatchObject({ provisional: true });
    expect(await page(`/builds/${id}`)).toContain('the GitHub App is not installed for the repo');
    expect(arrived(repo, 8)).toEqual([0, 0]);

    const again = github.installation(github.installApp({ app: APP, owner: 'acme' }));
    await tell(github.deliveries.installation(again, 'created', [repo.name]));
    await waitFor(() => arrived(repo, 8).join() === '1,1', { what: 'what waited' });
    await service.delivered();
    expect(await warningsOf(repo)).toEqual([]);
    expect([arrived(repo, 7), arrived(repo, 8)]).toEqual([
      [1, 1],
      [1, 1],
    ]);
  });

  test('and that is reached again without an event: what arrives proves it, and what waited follows', {
    timeout: 40_000,
  }, async () => {
    const { repo, installation } = await newRepo('umbrella');
    github.suspendInstallation(installation);
    await tell(github.deliveries.installation(github.installation(installation), 'suspend'));
    const id = await announce(repo, 7);
    expect(await warningsOf(repo)).toEqual([expect.stringContaining('was suspended; lift the suspension')]);
    expect(await page(`/builds/${id}`)).toContain(
      'the installation of the GitHub App is suspended; lift the suspension',
    );
    github.unsuspendInstallation(installation);
    await announce(repo, 8);
    for (const number of [7, 8])
      await waitFor(() => arrived(repo, number).join() === '1,1', {
        what: 'what waited',
        meanwhile: service.time.skipPause,
      });
    await service.delivered();
    expect(await warningsOf(repo)).toEqual([]);
  });

  test.each([
    ['its pull request is compared with its merge base, not with main', 'head 7', 'success'],
    ['its head gets the status, though the temporary merge commit was uploaded', 'merge 7', 'success'],
  ])('what was built in the meantime is told as if it had never been away: %s', async (_, uploaded, expected) => {
    const owner = `owner-${uploaded.split(' ')[0]}`;
    const { repo, installation } = await newRepo(owner);
    const tip = github.addCommit(repo.name, { sha: shaOf('tip'), parents: [shaOf('base')], branch: 'main' }).sha;
    const [base, head] = [shaOf('base'), shaOf('head 7')];
    github.addPullRequest(repo.name, {
      number: 7,
      headSha: head,
      baseSha: base,
      baseRef: 'main',
      mergeCommitSha: shaOf('merge 7'),
    });
    const built = (commit: string, number: string, lines: readonly number[], fields: object) =>
      service.uploadAlone({
        ...job({ repo_token: repo.token, service_number: number, source_files: [sourceFile('src/a.ts', [...lines])] }),
        commit_sha: commit,
        ...fields,
      });
    await built(base, '1', [1, 0], { git: { branch: 'main' } });
    await built(tip, '2', [1, 1], { git: { branch: 'main' } });
    github.suspendInstallation(installation);
    const { id } = await built(shaOf(uploaded), '3', [1, 0], { service_pull_request: '7', git: { branch: 'topic' } });
    expect((await service.build(id)).verdict).toMatchObject({ provisional: true });
    github.unsuspendInstallation(installation);
    await tell(github.deliveries.installation(github.installation(installation), 'unsuspend'));
    const last = (sha: string) => github.lastStatuses(repo.name, sha).get('coverage');
    await waitFor(() => last(head)?.state === expected, { what: 'the status of the head' });
    await service.delivered();
    expect(last(shaOf('merge 7'))).toBeUndefined();
    expect((await service.build(id)).verdict).toMatchObject({ state: 'success', provisional: false });
  });
});

describe('an id-token of a pull request that the App cannot look at', () => {
  /** A pull request's run of the repo itself that tests a merge commit; answers the claims of its ID token. */
  async function newRun(owner: string, run: { readonly headRepo?: string } = {}) {
    const { repo, installation } = await newRepo(owner);
    const [head, merge] = [shaOf('head 7'), shaOf('merge 7')];
    const of = { headSha: head, headRef: 'topic', baseSha: shaOf('base'), baseRef: 'main', mergeCommitSha: merge };
    github.addPullRequest(repo.name, { number: 7, ...of });
    const { id } = github.addRun(repo.name, { headSha: head, headBranch: 'topic', event: 'pull_request', ...run });
    const claims = { run_id: String(id), sha: merge, ref: 'refs/pull/7/merge', head_ref: 'topic', base_ref: 'main' };
    const token = () => github.issueIdToken(repo.name, { aud: service.url, ...claims, event_name: 'pull_request' });
    const send = (fields: object = {}) =>
      service.api.uploadJob({
        ...job({ repo_token: token(), source_files: [sourceFile('src/a.ts', [1, 0])] }),
        service_name: 'github',
        service_number: String(id),
        service_pull_request: '7',
        commit_sha: head,
        service_tested_sha: merge,
        git: { branch: 'topic' },
        ...fields,
      });
    const built = async ({ url }: { readonly url: string }) => {
      const found = await service.store.jobs.find(Number(url.slice(url.lastIndexOf('/') + 1)));
      return service.closed(String(found?.buildId));
    };
    return { repo, installation, run: String(id), token, send, built };
  }

  const KEPT = { unverified: true, unverified_reason: 'access-denied', provisional_since: expect.any(String) };

  test.each([
    ['suspended', 'the installation of the GitHub App is suspended'],
    ['uninstalled', 'the GitHub App is not installed for the repo'],
  ])('is kept unverified while the App is %s, and judged once it is back', async (how, why) => {
    const { repo, installation, send, built } = await newRun(`kept-${how}`);
    const before = github.installation(installation);
    if (how === 'suspended') github.suspendInstallation(installation);
    else github.removeInstallation(installation);
    await tell(github.deliveries.installation(before, how === 'suspended' ? 'suspend' : 'deleted', [repo.name]));
    const sent = await send();
    expect([sent.status, sent.json.message]).toEqual([
      200,
      expect.stringContaining('and unverified until GitHub lets'),
    ]);
    expect(sent.json.message).toContain(why);
    const build = await built(sent.json);
    expect(build).toMatchObject({ ...KEPT, is_base: { may_be: 'no', reason: 'unverified' } });
    expect(await page(`/builds/${build.id}`)).toContain('it is judged as soon as the access is back');
    expect(arrived(repo, 7)).toEqual([0, 0]);

    const again = how === 'suspended' ? installation : github.installApp({ app: APP, owner: `kept-${how}` });
    github.unsuspendInstallation(again);
    const event = how === 'suspended' ? 'unsuspend' : 'created';
    await tell(github.deliveries.installation(github.installation(again), event, [repo.name]));
    await waitFor(async () => (await service.build(build.id)).provisional_since === null, { what: 'the judgment' });
    await service.delivered();
    expect(await service.build(build.id)).toMatchObject({ unverified: false, unverified_reason: null });
    expect(arrived(repo, 7)).toEqual([expect.any(Number), 1]);
    expect(github.lastStatuses(repo.name, shaOf('head 7')).get('coverage')?.description).not.toContain('Unverified');
  });

  test.each([
    ['of a fork', { headRepo: 'mona/shop' }, {}],
    ['of another commit than the upload says', {}, { commit_sha: shaOf('head 8') }],
  ])('stays unverified where its run turns out to be %s', async (what, run, fields) => {
    const owner = `not-${what.length}`;
    const { installation, send, built } = await newRun(owner, run);
    github.suspendInstallation(installation);
    const build = await built((await send(fields)).json);
    expect(build).toMatchObject(KEPT);
    github.unsuspendInstallation(installation);
    await tell(github.deliveries.installation(github.installation(installation), 'unsuspend'));
    const judged = { unverified: true, unverified_reason: 'not-confirmed', provisional_since: null };
    await waitFor(async () => (await service.build(build.id)).provisional_since === null, { what: 'the judgment' });
    expect(await service.build(build.id)).toMatchObject(judged);
    expect(await page(`/builds/${build.id}`)).toContain('did not confirm that its run tested this commit');
  });

  test('joins no build that another token opened, and closes its own', async () => {
    const { repo, installation, run, token, send, built } = await newRun('meeting');
    const stated = { parallel: true, service_number: run, commit_sha: shaOf('head 7') };
    const own = await service.upload({ ...job({ repo_token: repo.token }), ...stated });
    github.suspendInstallation(installation);
    const kept = await send({ parallel: true });
    expect([kept.status, (await service.build(own.build)).jobs]).toEqual([200, expect.objectContaining({ length: 1 })]);
    const closed = await service.api.closeBuild({ repo_token: token(), build_num: run });
    expect([closed.status, closed.json.jobs]).toEqual([200, 1]);
    expect(await built(kept.json)).toMatchObject({ ...KEPT, state: 'closed' });
    expect(await service.build(own.build)).toMatchObject({ state: 'open', unverified: false });
  });
});
