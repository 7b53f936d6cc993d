import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type BitbucketServerStandIn,
  startBitbucketServerStandIn,
} from '../support/bitbucket-server-stand-in/bitbucket-server-stand-in.ts';
import { openBrowser } from '../support/page-browser.ts';
import { type Service, startService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

const NAME = 'ACME/shop';
const PERSONAL = '~mona/notes';
const SECRET = 'secret-token-of-the-webhook';
const [BASE, HEAD, LANDED] = ['a', 'b', 'c'].map((digit) => digit.repeat(40)) as [string, string, string];

let center: BitbucketServerStandIn;
let service: Service;
let token: string;
beforeAll(async () => {
  center = await startBitbucketServerStandIn();
  for (const name of [NAME, PERSONAL]) {
    center.addRepo(name, { private: true });
    center.addCommit(name, { sha: BASE, branch: 'main' });
  }
  center.addCommit(NAME, { sha: HEAD, parents: [BASE], branch: 'topic', tree: 'e'.repeat(40) });
  center.addCommit(NAME, { sha: LANDED, parents: [BASE], tree: 'e'.repeat(40) });
  const pull = { headSha: HEAD, headRef: 'topic', baseRef: 'main' };
  center.addPullRequest(NAME, { ...pull, number: 12, title: 'Take coupons' });
  service = await startService({
    env: {
      BITBUCKET_SERVER_URL: center.url,
      BITBUCKET_SERVER_TOKEN: center.token,
      BITBUCKET_SERVER_WEBHOOK_SECRET: SECRET,
      BITBUCKET_SERVER_CLIENT_ID: 'client',
      BITBUCKET_SERVER_CLIENT_SECRET: 'client-secret-0123456789',
    },
  });
  ({ token } = await service.newRepo({ service: 'stash', name: NAME }));
});
afterAll(async () => {
  await service.stop();
  await center.close();
  expect(center.violations()).toEqual([]);
});

const job = (commit: string, coverage: readonly number[], more: object = {}) => ({
  repo_token: token,
  service_name: 'jenkins',
  service_number: '71',
  commit_sha: commit,
  source_files: [{ name: 'src/a.ts', source_digest: 'd'.repeat(32), coverage }],
  ...more,
});
const ofPull = { service_pull_request: '12', service_branch: 'topic' };
const eventually = <T>(what: string, look: () => T | undefined) =>
  waitFor(async () => look(), { what, intervalMs: 5, meanwhile: service.time.skipPause });
const buildOf = (commit: string, name = NAME) => center.builds(name, commit).find(({ key }) => key === 'coverage');
const page = async (path: string): Promise<string> =>
  (await service.api.send(path, { headers: { authorization: `token ${service.adminToken}`, accept: 'text/html' } }))
    .text;
const hook = (event: string, payload: object, secret = SECRET) => {
  const body = JSON.stringify(payload);
  const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  const headers = { 'content-type': 'application/json', 'X-Event-Key': event, 'X-Hub-Signature': signature };
  return fetch(`${service.url}/hooks/stash`, { method: 'POST', headers, body });
};
const repository = (name = NAME) => ({
  id: center.idOf(name),
  slug: name.split('/')[1],
  project: { key: name.split('/')[0] },
});

describe('a pull request at Bitbucket Data Center', () => {
  test('has its status, pending and then final, and with what builds are required by', async () => {
    await service.uploadAlone(job(BASE, [1, 1, 1, 1], { service_branch: 'main', service_number: '70' }));
    await eventually('the status of a branch', () => (buildOf(BASE)?.state === 'SUCCESSFUL' ? true : undefined));
    const opened = await service.upload(job(HEAD, [1, 1, 0, 0], { ...ofPull, parallel: true }));
    await eventually('pending', () => (buildOf(HEAD)?.state === 'INPROGRESS' ? true : undefined));
    await service.close(token, '71');
    await service.closed(opened.build);
    const failed = await eventually('failed', () => (buildOf(HEAD)?.state === 'FAILED' ? buildOf(HEAD) : undefined));
    expect(failed).toMatchObject({ parent: 'coverage', ref: 'refs/heads/topic' });
    expect(failed.description).toMatch(/^50\.00%, −50\.00 points from 100\.00%/);
    expect(failed.url).toBe(`${service.url}/builds/${opened.build}`);
  });

  test('has one comment without HTML, which every build edits', async () => {
    const comment = await eventually('the comment', () => center.comments(NAME, 12)[0]);
    expect(comment.body.split('\n')[0]).toBe(`[//]: # (coverage: ${service.url} repo 1)`);
    expect(comment.body).not.toMatch(/<\w/);
    const { build } = await service.upload(job(HEAD, [1, 1, 1, 0], { ...ofPull, service_number: '72' }));
    await service.closed(build);
    await eventually('the edit', () => center.comments(NAME, 12).find(({ body }) => body.includes('75.00%')));
    expect(center.comments(NAME, 12)).toHaveLength(1);
  });

  test('lands by its event: the build of the same tree counts for the branch', async () => {
    const ref = (name: string, latestCommit: string) => ({ displayId: name, latestCommit, repository: repository() });
    const merged = { id: 12, state: 'MERGED', properties: { mergeCommit: { id: LANDED } } };
    const pullRequest = { ...merged, fromRef: ref('topic', HEAD), toRef: ref('main', BASE) };
    expect((await hook('pr:merged', { pullRequest })).status).toBe(200);
    const landed = await waitFor(
      async () => (await service.store.builds.ofPullRequest(1, 12, 10)).flatMap((one) => one.landed ?? [])[0],
      { what: 'a build that landed', intervalMs: 5, meanwhile: service.time.skipPause },
    );
    expect(landed).toMatchObject({ branch: 'main', commit: LANDED, how: 'same-tree' });
  });
});

test('a repo in somebody’s own project has its pages, its status, and a stage of Jenkins to paste', async () => {
  const { token: own } = await service.newRepo({ service: 'stash', name: PERSONAL });
  const empty = await page(`/stash/${PERSONAL}`);
  expect(empty).toContain("credentials('coverage-repo-token')");
  expect(empty).toContain('as the credential');
  expect(empty).toContain('and a last stage with');
  await service.uploadAlone(job(BASE, [1], { repo_token: own, service_branch: 'main' }));
  await eventually('its status', () => (buildOf(BASE, PERSONAL)?.state === 'SUCCESSFUL' ? true : undefined));
  expect(await page(`/stash/${PERSONAL}`)).toContain('100.00%');
});

describe('signing in with Bitbucket Data Center', () => {
  test.each([
    ['mona', 'admin', [200, 200]],
    ['rita', 'read', [200, 403]],
    ['gus', undefined, [404, 404]],
  ] as const)('%s, who has the right %s', async (login, right, statuses) => {
    const access = right === undefined ? {} : { [NAME]: right };
    center.addPerson(`token-of-${login}`, { login, access });
    const browser = openBrowser(service.url);
    const { location = '' } = await browser.get('/sign-in/stash');
    expect(new URL(location).searchParams.get('code_challenge_method')).toBe('S256');
    await browser.follow(center.authorize(location, `token-of-${login}`).slice(service.url.length));
    const [repo, settings] = [`/stash/${NAME}`, `/stash/${NAME}/settings`];
    expect([(await browser.get(repo)).status, (await browser.get(settings)).status]).toEqual(statuses);
  });
});

test('the webhook is made by one press, and repaired by the next', async () => {
  const press = async () => {
    const { json } = await service.api.send<{ webhook?: { result: string } }>(`/api/v1/repos/stash/${NAME}/webhook`, {
      method: 'POST',
      headers: { authorization: `token ${service.adminToken}` },
    });
    return json.webhook?.result;
  };
  expect([await press(), await press()]).toEqual(['made', 'unchanged']);
  const [hook] = center.hooks;
  expect(hook?.fields).toMatchObject({
    url: `${service.url}/hooks/stash`,
    configuration: { secret: SECRET },
    active: true,
  });
  if (hook !== undefined) hook.fields = { ...hook.fields, events: ['repo:refs_changed'] };
  expect([await press(), center.hooks.length]).toEqual(['repaired', 1]);
  const doctor = async () => {
    const headers = { authorization: `token ${service.adminToken}` };
    const { text } = await service.api.send('/readyz?verbose', { headers });
    const { checks } = JSON.parse(text) as { readonly checks: readonly { name: string; seen: string }[] };
    return checks.find(({ name }) => name === 'stash-webhook')?.seen;
  };
  if (hook !== undefined) hook.last = { outcome: 'ERROR', description: 'connection refused' };
  expect(await doctor()).toBe(`The last message to the webhook of ${NAME} failed, with "connection refused".`);
  if (hook !== undefined) hook.last = { outcome: 'SUCCESS', description: '200' };
  expect(await doctor()).not.toContain('failed, with');
});

describe('messages of Bitbucket Data Center', () => {
  test('without the right signature are not believed, and those that do not fit say where', async () => {
    expect((await hook('pr:opened', {}, 'wrong')).status).toBe(401);
    const odd = await hook('repo:refs_changed', { repository: repository() });
    expect([odd.status, await odd.text()]).toEqual([422, expect.stringContaining('changes is missing')]);
    expect((await hook('diagnostics:ping', { test: true })).status).toBe(202);
  });

  test('of a push name the branch that counts', async () => {
    const change = (name: string, type = 'UPDATE') => ({
      ...{ ref: { displayId: name, type: 'BRANCH' }, toHash: BASE, type },
    });
    const changes = [change('gone', 'DELETE'), change('topic'), change('main')];
    expect((await hook('repo:refs_changed', { repository: repository(), changes })).status).toBe(200);
    expect((await hook('repo:refs_changed', { repository: repository(), changes: [] })).status).toBe(202);
  });

  test('that a repo was renamed are followed by its id', async () => {
    center.renameRepo(NAME, 'ACME/store');
    const payload = { old: { ...repository('ACME/store'), slug: 'shop' }, new: repository('ACME/store') };
    expect((await hook('repo:modified', payload)).status).toBe(200);
    expect((await service.store.repos.find(1))?.name).toBe('ACME/store');
  });
});
