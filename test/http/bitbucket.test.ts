import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BitbucketStandIn, startBitbucketStandIn } from '../support/bitbucket-stand-in/bitbucket-stand-in.ts';
import { openBrowser } from '../support/page-browser.ts';
import { type Service, startService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

const NAME = 'acme/shop';
const SECRET = 'secret-token-of-the-webhook';
const [BASE, HEAD, LANDED] = ['a', 'b', 'c'].map((digit) => digit.repeat(40)) as [string, string, string];

let bitbucket: BitbucketStandIn;
let service: Service;
let token: string;
beforeAll(async () => {
  bitbucket = await startBitbucketStandIn();
  bitbucket.addRepo(NAME, { private: true });
  bitbucket.addCommit(NAME, { sha: BASE, branch: 'main' });
  bitbucket.addCommit(NAME, { sha: HEAD, parents: [BASE], branch: 'topic', tree: 'e'.repeat(40) });
  bitbucket.addCommit(NAME, { sha: LANDED, parents: [BASE], tree: 'e'.repeat(40) });
  const pull = { headSha: HEAD, headRef: 'topic', baseRef: 'main' };
  bitbucket.addPullRequest(NAME, { ...pull, number: 12, title: 'Take coupons' });
  service = await startService({
    env: {
      BITBUCKET_API_URL: bitbucket.url,
      BITBUCKET_TOKEN: bitbucket.token,
      BITBUCKET_WEBHOOK_SECRET: SECRET,
      BITBUCKET_URL: bitbucket.web,
      BITBUCKET_CLIENT_ID: 'key',
      BITBUCKET_CLIENT_SECRET: 'secret-of-the-consumer',
    },
  });
  ({ token } = await service.newRepo({ service: 'bitbucket', name: NAME }));
});
afterAll(async () => {
  await service.stop();
  await bitbucket.close();
  expect(bitbucket.violations()).toEqual([]);
});

const job = (commit: string, coverage: readonly number[], more: object = {}) => ({
  repo_token: token,
  service_name: 'bitbucket',
  service_number: '71',
  commit_sha: commit,
  source_files: [{ name: 'src/a.ts', source_digest: 'd'.repeat(32), coverage }],
  ...more,
});
const ofPull = { service_pull_request: '12', service_branch: 'topic' };
const eventually = <T>(what: string, look: () => T | undefined) =>
  waitFor(async () => look(), { what, intervalMs: 5, meanwhile: service.time.skipPause });
const statusOf = (commit: string) => bitbucket.lastStatuses(NAME, commit).get('coverage');
const page = async (path: string): Promise<string> =>
  (await service.api.send(path, { headers: { authorization: `token ${service.adminToken}`, accept: 'text/html' } }))
    .text;
const hook = (event: string, payload: object, secret = SECRET) => {
  const body = JSON.stringify(payload);
  const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  const headers = { 'content-type': 'application/json', 'X-Event-Key': event, 'X-Hub-Signature': signature };
  return fetch(`${service.url}/hooks/bitbucket`, { method: 'POST', headers, body });
};
const repository = () => ({ uuid: bitbucket.idOf(NAME), full_name: NAME, is_private: false });

describe('a pull request at Bitbucket', () => {
  test('has its status, pending and then final', async () => {
    await service.uploadAlone(job(BASE, [1, 1, 1, 1], { service_branch: 'main', service_number: '70' }));
    await eventually('the status of a branch', () => (statusOf(BASE)?.state === 'success' ? true : undefined));
    const opened = await service.upload(job(HEAD, [1, 1, 0, 0], { ...ofPull, parallel: true }));
    await eventually('pending', () => (statusOf(HEAD)?.state === 'pending' ? true : undefined));
    await service.close(token, '71');
    await service.closed(opened.build);
    const failed = await eventually('failed', () => (statusOf(HEAD)?.state === 'failure' ? statusOf(HEAD) : undefined));
    expect(failed.description).toMatch(/^50\.00%, −50\.00 points from 100\.00%/);
    expect(failed.targetUrl).toBe(`${service.url}/builds/${opened.build}`);
  });

  test('has one comment without HTML, its mark not shown, which every build edits', async () => {
    const [comment] = await eventually('the comment', () => {
      const found = bitbucket.comments(NAME, 12);
      return found.length > 0 ? found : undefined;
    });
    expect(comment?.body.split('\n')[0]).toBe(`[//]: # (coverage: ${service.url} repo 1)`);
    expect(comment?.body).not.toMatch(/<\w/);
    const { build } = await service.upload(job(HEAD, [1, 1, 1, 0], { ...ofPull, service_number: '72' }));
    await service.closed(build);
    await eventually('the edit', () => bitbucket.comments(NAME, 12).find(({ body }) => body.includes('75.00%')));
    expect(bitbucket.comments(NAME, 12)).toHaveLength(1);
  });

  test('is shown on our pages, which link to Bitbucket and show its own step to paste', async () => {
    expect(await page(`/bitbucket/${NAME}/pulls/12`)).toContain('Take coupons');
    await service.newRepo({ service: 'bitbucket', name: 'acme/empty' });
    const empty = await page('/bitbucket/acme/empty');
    expect(empty).toContain('Put your own test command where the comment is');
    expect(empty).toContain('and a last step with');
    expect(empty).toContain('node coverage.mjs report');
    expect(empty).toContain(`oidc: { audiences: [${service.url}] }`);
    expect(empty).not.toContain('Save the token as a secret');
  });

  test('lands by its event, which shows the beginning of the commit: the build of the same tree counts', async () => {
    const side = (branch: string, hash: string) => ({
      branch: { name: branch },
      commit: { hash },
      repository: repository(),
    });
    const pullrequest = {
      ...{ id: 12, state: 'MERGED', merge_commit: { hash: LANDED.slice(0, 12) } },
      source: side('topic', HEAD.slice(0, 12)),
      destination: side('main', BASE.slice(0, 12)),
    };
    const payload = { repository: repository(), pullrequest };
    bitbucket.faults.next(1, { kind: 'status', status: 500 });
    const failed = await hook('pullrequest:fulfilled', payload);
    expect([failed.status, await failed.text()]).toEqual([
      503,
      expect.stringContaining('did not include the whole commit'),
    ]);
    expect((await hook('pullrequest:fulfilled', payload)).status).toBe(200);
    const landed = await waitFor(
      async () => (await service.store.builds.ofPullRequest(1, 12, 10)).flatMap((one) => one.landed ?? [])[0],
      { what: 'a build that landed', intervalMs: 5, meanwhile: service.time.skipPause },
    );
    expect(landed).toMatchObject({ branch: 'main', commit: LANDED, how: 'same-tree' });
  });
});

describe('signing in with Bitbucket', () => {
  test.each([
    ['mona', 'admin', [200, 200]],
    ['rita', 'read', [200, 403]],
    ['gus', undefined, [404, 404]],
  ] as const)('%s, who has the right %s', async (login, right, statuses) => {
    const access = right === undefined ? {} : { [NAME]: right };
    bitbucket.addToken(`token-of-${login}`, { login, scopes: ['account'], knowsItself: true, access });
    const browser = openBrowser(service.url);
    const { location = '' } = await browser.get('/sign-in/bitbucket');
    expect(new URL(location).searchParams.get('code_challenge_method')).toBe('S256');
    await browser.follow(bitbucket.authorize(location, `token-of-${login}`).slice(service.url.length));
    const [repo, settings] = [`/bitbucket/${NAME}`, `/bitbucket/${NAME}/settings`];
    expect([(await browser.get(repo)).status, (await browser.get(settings)).status]).toEqual(statuses);
  });
});

test('the webhook is made by one press, and repaired by the next', async () => {
  const press = async () => {
    const { json } = await service.api.send<{ webhook?: { result: string } }>(
      `/api/v1/repos/bitbucket/${NAME}/webhook`,
      {
        method: 'POST',
        headers: { authorization: `token ${service.adminToken}` },
      },
    );
    return json.webhook?.result;
  };
  expect([await press(), await press()]).toEqual(['made', 'unchanged']);
  const [hook] = bitbucket.hooks;
  expect(hook?.fields).toMatchObject({ url: `${service.url}/hooks/bitbucket`, secret: SECRET, active: true });
  if (hook !== undefined) hook.fields = { ...hook.fields, events: ['repo:push'] };
  expect([await press(), bitbucket.hooks.length]).toEqual(['repaired', 1]);
});

describe('messages of Bitbucket', () => {
  test('without the right signature are not believed', async () => {
    const payload = { repository: repository() };
    expect((await hook('repo:push', payload, 'wrong')).status).toBe(401);
    const { status } = await fetch(`${service.url}/hooks/bitbucket`, { method: 'POST', body: '{}' });
    expect(status).toBe(401);
  });

  test('that do not fit say where', async () => {
    const answer = await hook('pullrequest:created', { repository: repository() });
    expect([answer.status, await answer.text()]).toEqual([
      422,
      expect.stringContaining('pullrequest.state is missing'),
    ]);
    const odd = await hook('no event', { repository: repository() });
    expect(await odd.text()).toContain('X-Event-Key must name the event');
  });

  test('that a pipeline ended close its build, and our own statuses nothing', async () => {
    const { build } = await service.upload(
      job(HEAD, [1, 1, 1, 1], { ...ofPull, service_number: '73', parallel: true }),
    );
    const status = (url: string) => ({
      repository: repository(),
      commit_status: { key: '1', state: 'SUCCESSFUL', refname: 'topic', url, commit: { hash: HEAD } },
    });
    expect((await hook('repo:commit_status_updated', status(`${service.url}/builds/${build}`))).status).toBe(202);
    const results = `https://bitbucket.org/${NAME}/addon/pipelines/home#!/results/73`;
    expect((await hook('repo:commit_status_updated', status(results))).status).toBe(200);
    await service.closed(build);
  });

  test('of a push name the branch that counts, whatever else was pushed with it', async () => {
    const change = (name: string, hash: string) => ({ new: { type: 'branch', name, target: { hash } }, old: null });
    const push = { changes: [{ new: null }, change('topic', HEAD), change('main', BASE)] };
    expect((await hook('repo:push', { repository: repository(), push })).status).toBe(200);
    expect((await hook('repo:push', { repository: repository(), push: { changes: [{ new: null }] } })).status).toBe(
      202,
    );
  });

  test('that a repo was renamed are followed by its id', async () => {
    bitbucket.renameRepo(NAME, 'acme/store');
    const changes = { full_name: { old: NAME, new: 'acme/store' } };
    const payload = { repository: { ...repository0(), full_name: 'acme/store' }, changes };
    expect((await hook('repo:updated', payload)).status).toBe(200);
    expect((await service.store.repos.find(1))?.name).toBe('acme/store');
    bitbucket.renameRepo('acme/store', NAME);
    expect((await hook('repo:updated', { repository: repository() })).status).toBe(200);
  });
});

const repository0 = () => ({ uuid: bitbucket.idOf('acme/store') });
