import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type GiteaStandIn, startGiteaStandIn } from '../support/gitea-stand-in/gitea-stand-in.ts';
import { openBrowser } from '../support/page-browser.ts';
import { type Service, startService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

const NAME = 'acme/shop';
const SECRET = 'secret-of-the-webhook-0123';
const [BASE, HEAD, LANDED, FORKED] = ['a', 'b', 'c', 'd'].map((digit) => digit.repeat(40)) as [
  string,
  string,
  string,
  string,
];
const JOB_TOKEN = '0123456789'.repeat(4);

describe.each(['gitea', 'forgejo'] as const)('a pull request at %s', (service) => {
  const setting = service.toUpperCase();
  let host: GiteaStandIn;
  let ours: Service;
  let token: string;
  let run: number;
  beforeAll(async () => {
    host = await startGiteaStandIn({ flavor: service });
    host.addRepo(NAME);
    host.addCommit(NAME, { sha: BASE, branch: 'main' });
    host.addCommit(NAME, { sha: HEAD, parents: [BASE], branch: 'topic', tree: 'e'.repeat(40) });
    host.addCommit(NAME, { sha: LANDED, parents: [BASE], tree: 'e'.repeat(40) });
    host.addPullRequest(NAME, { number: 12, headSha: HEAD, headRef: 'topic', baseRef: 'main', title: 'Take coupons' });
    host.addPullRequest(NAME, {
      number: 13,
      headSha: FORKED,
      headRef: 'fix',
      headRepo: 'mallory/shop',
      baseRef: 'main',
    });
    run = host.addRun(NAME, { headSha: HEAD, headBranch: 'topic', event: 'pull_request' }).id;
    ours = await startService({
      env: {
        [`${setting}_URL`]: host.url,
        [`${setting}_TOKEN`]: host.token,
        [`${setting}_WEBHOOK_SECRET`]: SECRET,
        [`${setting}_CLIENT_ID`]: 'client',
        [`${setting}_CLIENT_SECRET`]: 'client-secret-0123456789',
        REQUIRE_SIGN_IN: 'false',
      },
    });
    ({ token } = await ours.newRepo({ service, name: NAME }));
  });
  afterAll(async () => {
    await ours.stop();
    await host.close();
    expect(host.violations()).toEqual([]);
  });

  const job = (commit: string, coverage: readonly number[], more: object = {}) => ({
    repo_token: token,
    service_name: `${service}-actions`,
    service_number: String(run),
    commit_sha: commit,
    source_files: [{ name: 'src/a.ts', source_digest: 'd'.repeat(32), coverage }],
    ...more,
  });
  const ofPull = { service_pull_request: '12', service_branch: 'topic', service_event_type: 'pull_request' };
  const eventually = <T>(what: string, look: () => T | undefined) =>
    waitFor(async () => look(), { what, intervalMs: 5, meanwhile: ours.time.skipPause });
  const statusOf = (commit: string) => host.lastStatuses(NAME, commit).get('coverage');
  const page = async (path: string): Promise<string> =>
    (await ours.api.send(path, { headers: { authorization: `token ${ours.adminToken}`, accept: 'text/html' } })).text;
  const repository = async () => ({
    id: Number((await ours.store.repos.find(1))?.providerId),
    ...{ full_name: NAME, private: false, internal: false, default_branch: 'main' },
    updated_at: new Date().toISOString(),
  });
  /** As both sign a message: without a secret the header is there and empty. */
  const hook = (event: string, payload: object, secret = SECRET) => {
    const body = JSON.stringify(payload);
    const signature = secret === '' ? '' : createHmac('sha256', secret).update(body).digest('hex');
    return fetch(`${ours.url}/hooks/${service}`, {
      method: 'POST',
      headers: {
        ...{ 'content-type': 'application/json', 'X-Gitea-Event': event, 'X-Gitea-Signature': signature },
        'X-Hub-Signature-256': `sha256=${signature}`,
      },
      body,
    });
  };

  test('has its status pending and then final, and is asked about without any event', async () => {
    const main = { service_branch: 'main', service_number: '70' };
    await ours.uploadAlone(job(BASE, [1, 1, 1, 1], main));
    await eventually('the status of a branch', () => (statusOf(BASE)?.state === 'success' ? true : undefined));
    const opened = await ours.upload(job(HEAD, [1, 1, 0, 0], { ...ofPull, parallel: true }));
    await eventually('pending', () => statusOf(HEAD));
    await ours.close(token, String(run));
    await ours.closed(opened.build);
    await eventually('failed', () => (statusOf(HEAD)?.state === 'failure' ? true : undefined));
    expect(statusOf(HEAD)?.description).toMatch(/^50\.00%, −50\.00 points from 100\.00%/);
    expect(statusOf(HEAD)?.targetUrl).toBe(`${ours.url}/builds/${opened.build}`);
  });

  test('has one comment, which every build edits', async () => {
    const { build } = await ours.upload(job(HEAD, [1, 1, 1, 0], { ...ofPull, service_number: '72' }));
    await ours.closed(build);
    const commentWith = (percent: string) => host.comments(NAME, 12).find(({ body }) => body.includes(percent));
    const { body } = await eventually('the comment', () => commentWith('Coverage 75.00%'));
    expect(body.split('\n')[0]).toBe(`<!-- coverage: ${ours.url} repo 1 -->`);
    expect(body).toContain('<details>');
    expect(host.comments(NAME, 12)).toHaveLength(1);
  });

  test('has a page that names it, with a badge of its repo', async () => {
    const shown = await page(`/${service}/${NAME}/pulls/12`);
    expect(shown).toContain('Take coupons');
    expect(shown).toContain('<span class="quiet n">#12</span>');
    expect(await page(`/${service}/${NAME}/badge.svg`)).toContain('<svg');
  });

  test('is set up by a workflow of its own, without a secret where the host gives id-tokens', async () => {
    await ours.newRepo({ service, name: 'acme/empty' });
    const empty = await page(`/${service}/acme/empty`);
    expect(empty).toContain(`As <code>.${service}/workflows/coverage.yml</code>`);
    expect(empty).toContain('node coverage.mjs report');
    expect(empty.includes('The ID token needs Forgejo 15 or newer')).toBe(service === 'forgejo');
    expect(empty.includes('enable-openid-connect: true')).toBe(service === 'forgejo');
    expect(empty.includes('Save the token as a secret')).toBe(service === 'gitea');
  });

  test('lands by its event: the build of the same tree counts for the branch', async () => {
    const change = { state: 'closed', merged: true, merge_commit_sha: LANDED };
    const ends = { head: { sha: HEAD, repo_id: 1 }, base: { ref: 'main', repo_id: 1 } };
    const payload = {
      action: 'closed',
      number: 12,
      pull_request: { ...change, ...ends },
      repository: await repository(),
    };
    expect((await hook('pull_request', payload)).status).toBe(200);
    const landed = await waitFor(
      async () => (await ours.store.builds.ofPullRequest(1, 12, 10)).flatMap((one) => one.landed ?? [])[0],
      { what: 'a build that landed', intervalMs: 5, meanwhile: ours.time.skipPause },
    );
    expect(landed).toMatchObject({ branch: 'main', commit: LANDED, how: 'same-tree' });
  });

  test('has events that need the secret, and say what is missing', async () => {
    const push = { ref: 'refs/heads/main', after: BASE, repository: await repository() };
    const unsigned = await hook('push', push, '');
    expect([unsigned.status, await unsigned.text()]).toEqual([
      401,
      expect.stringContaining('X-Gitea-Signature is missing'),
    ]);
    const wrong = await hook('push', push, 'another secret');
    expect([wrong.status, await wrong.text()]).toEqual([
      401,
      expect.stringContaining("X-Gitea-Signature is not this message's signature"),
    ]);
    expect((await hook('push', push)).status).toBe(200);
    const odd = await hook('push', { ...push, after: undefined });
    expect([odd.status, await odd.text()]).toEqual([
      422,
      expect.stringContaining('after is missing or has the wrong type'),
    ]);
    const nameless = await hook('Push Hook', push);
    expect([nameless.status, await nameless.text()]).toEqual([
      422,
      expect.stringContaining('X-Gitea-Event must name the event'),
    ]);
    expect((await hook('issues', {})).status).toBe(202);
  });

  test('has a parallel build that ends with its run, told by an event', async () => {
    const { build } = await ours.upload(job(HEAD, [1, 1, 1, 1], { ...ofPull, service_number: '9007', parallel: true }));
    const shared = { id: 9_007, repository: await repository(), html_url: `${host.url}/${NAME}/actions/runs/7` };
    const event =
      service === 'gitea'
        ? hook('workflow_run', {
            action: 'completed',
            repository: shared.repository,
            workflow_run: {
              ...{ ...shared, status: 'completed', conclusion: 'success', event: 'pull_request' },
              ...{ head_sha: HEAD, run_number: 7, run_attempt: 1, path: 'ci.yml@refs/pull/12/head' },
            },
          })
        : hook('action_run_success', {
            action: 'success',
            run: {
              ...{ ...shared, status: 'success', trigger_event: 'pull_request', commit_sha: HEAD, index_in_repo: 7 },
              ...{ prettyref: '#12', workflow_id: 'ci.yml' },
            },
          });
    expect((await event).status).toBe(200);
    await ours.closed(build);
  });

  test('has uploads by the token of its job, for its own repo and while the job runs', async () => {
    const { id } = host.addRun(NAME, { headSha: HEAD, headBranch: 'topic', event: 'pull_request' });
    const sent = { ...ofPull, repo_token: `${service}:${JOB_TOKEN}`, repo_name: NAME, service_number: String(id) };
    host.addJob(JOB_TOKEN, { repo: NAME });
    const { build } = await ours.upload(job(HEAD, [1, 1, 1, 1], sent));
    expect((await ours.store.builds.find(Number(build)))?.trust).toBe('provider');
    const lied = await ours.api.uploadJob(job(BASE, [1], sent));
    expect(lied.status).toBe(422);
    host.addRepo('acme/other');
    const elsewhere = await ours.api.uploadJob(job(HEAD, [1], { ...sent, repo_name: 'acme/other' }));
    expect(elsewhere.status).toBe(422);
    host.endToken(JOB_TOKEN);
    expect((await ours.api.uploadJob(job(HEAD, [1], sent))).status).toBe(422);
  });

  test('has no upload by the token of a fork’s job, whose run speaks for it instead', async () => {
    host.addJob(JOB_TOKEN, { repo: NAME, ofFork: true });
    const forks = host.addRun(NAME, {
      headSha: FORKED,
      headBranch: 'fix',
      headRepo: 'mallory/shop',
      event: 'pull_request',
    });
    const { status } = await ours.api.send(`/api/v1/repos/${service}/${NAME}/settings`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', authorization: `token ${ours.adminToken}` },
      body: JSON.stringify({ accept_forks: true }),
    });
    expect(status).toBe(200);
    const sent = { service_number: String(forks.id), service_pull_request: '13', repo_name: NAME };
    const byToken = await ours.api.uploadJob(job(FORKED, [1], { ...sent, repo_token: `${service}:${JOB_TOKEN}` }));
    expect(byToken.status).toBe(422);
    const { build } = await ours.upload(job(FORKED, [1, 0, 0, 0], { ...sent, repo_token: undefined }));
    expect(await ours.store.builds.find(Number(build))).toMatchObject({ trust: 'run', pullRequest: 13, branch: 'fix' });
    const claimed = await ours.api.uploadJob(
      job(FORKED, [1], { ...sent, repo_token: undefined, service_pull_request: '12' }),
    );
    expect(claimed.status).toBe(422);
  });

  test.each([
    ['mona', 'admin', [200, 200]],
    ['rita', 'pull', [200, 403]],
    ['eve', undefined, [404, 404]],
  ] as const)('is seen by who signs in: %s, who may %s', async (login, may, statuses) => {
    const secret = 'acme/secret';
    if (login === 'mona') {
      host.addRepo(secret, { private: true });
      await ours.newRepo({ service, name: secret });
    }
    host.addPerson(login, may === undefined ? {} : { [secret]: may });
    const browser = openBrowser(ours.url);
    const { location = '' } = await browser.get(`/sign-in/${service}`);
    expect(new URL(location).searchParams.get('code_challenge_method')).toBe('S256');
    await browser.follow(host.authorize(location, login).slice(ours.url.length));
    // It may do everything: it is forgotten once the repos were read.
    if (service === 'forgejo') host.endToken(`token-of-${login}`);
    const [repo, settings] = [`/${service}/${secret}`, `/${service}/${secret}/settings`];
    expect([(await browser.get(repo)).status, (await browser.get(settings)).status]).toEqual(statuses);
  });
});
