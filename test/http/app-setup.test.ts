import { createHash, createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Store } from '../../server/src/storage/store.ts';
import { job, shaOf } from '../support/coverage-api.ts';
import { type GithubStandIn, startGithubStandIn } from '../support/github-stand-in/github-stand-in.ts';
import { openBrowser, type PageBrowser } from '../support/page-browser.ts';
import { newPerson, signedIn } from '../support/people.ts';
import { type Service, startService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

let github: GithubStandIn;
let service: Service;
async function start(): Promise<void> {
  github = await startGithubStandIn({ now: () => service?.time.clock.now() ?? Date.now() });
  service = await startService({ env: { GITHUB_URL: github.url, GITHUB_API_URL: github.url } });
}
async function stop(): Promise<void> {
  await service.stop();
  expect(github.violations()).toEqual([]);
  await github.close();
}

/** The form that leads to GitHub, of the page that was answered. */
function formOf(text: string) {
  const [, action = ''] = /<form method="post" action="(http[^"]*)"/.exec(text) ?? [];
  const [, manifest = ''] = /name="manifest" value="([^"]*)"/.exec(text) ?? [];
  return { action: action.replaceAll('&amp;', '&'), manifest: manifest.replaceAll('&quot;', '"') };
}

/** Our first page, the form at GitHub, and where GitHub sends the browser back to. */
async function begin(browser: PageBrowser, fields: Readonly<Record<string, string>> = {}) {
  await browser.get('/setup');
  const answer = await browser.send('/setup', { token: service.adminToken, ...fields });
  const { action, manifest } = formOf(answer.text);
  const back = async (): Promise<string> => (await browser.send(action, { manifest })).location ?? '';
  return { answer, action, manifest: manifest && JSON.parse(manifest), back };
}

/** The answer to a webhook that is signed with a secret. */
async function hook(secret = '', { api } = service): Promise<number> {
  const body = JSON.stringify({ zen: 'Keep it sealed.' });
  const headers = {
    'content-type': 'application/json',
    'x-github-event': 'ping',
    'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  };
  return (await api.send('/hooks/github', { method: 'POST', headers, body })).status;
}

const stored = () => service.store.hostApps.list();

describe('an App', () => {
  beforeEach(start);
  afterEach(stop);

  test('is made by the manifest flow, kept sealed, and used at once', async () => {
    const browser = openBrowser(service.url);
    const { answer, action, manifest, back } = await begin(browser, { owner: 'acme' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-security-policy')).toContain(`form-action ${github.url};`);
    expect((await browser.get('/setup')).headers.get('content-security-policy')).toContain("form-action 'self';");
    expect(action).toMatch(`${github.url}/organizations/acme/settings/apps/new?state=`);
    expect(manifest).toMatchObject({
      hook_attributes: { url: `${service.url}/hooks/github` },
      callback_urls: [`${service.url}/sign-in/github/callback`],
      public: false,
      default_permissions: {
        statuses: 'write',
        pull_requests: 'write',
        checks: 'write',
        contents: 'read',
        actions: 'read',
        metadata: 'read',
      },
      default_events: ['pull_request', 'push', 'workflow_run', 'repository'],
    });
    const address = await back();
    const made = await browser.get(address);
    expect(made.status).toBe(200);
    expect(made.text).toContain(`href="${github.url}/apps/coverage-127-0-0-1/installations/new"`);
    const [kept] = await stored();
    expect(kept).toMatchObject({ service: 'github', revision: 1 });
    expect(JSON.stringify(await stored())).not.toMatch(/PRIVATE KEY|127-0-0-1/);

    github.addRepo('acme/shop', { private: true });
    const sha = shaOf('announced by the App that was made');
    github.addCommit('acme/shop', { sha, branch: 'main' });
    github.installApp({ app: 900_001, owner: 'acme' });
    const { token } = await service.newRepo({ service: 'github', name: 'acme/shop' });
    await service.uploadAlone(job({ repo_token: token, commit_sha: sha }));
    const arrived = () => github.statuses('acme/shop', sha).find(({ state }) => state !== 'pending');
    expect(await waitFor(arrived, { what: 'the status', meanwhile: service.time.skipPause })).toBeDefined();

    github.visitAs('mona', { 'acme/shop': 'admin' });
    const person = openBrowser(service.url);
    expect((await person.follow('/sign-in/github?next=/account/tokens')).text).toContain('<span class="name">mona');

    const headers = { authorization: `token ${service.adminToken}` };
    const told = await service.api.send<{ entries: object[] }>('/api/v1/audit?action=app.made', { headers });
    expect(told.json.entries).toMatchObject([{ action: 'app.made', after: { host: github.url, id: 900_001 } }]);

    // The way back leads once.
    expect((await browser.get(address)).status).toBe(403);
    expect(await stored()).toHaveLength(1);
    const log = service.log.text();
    expect(log).not.toContain(new URL(address).searchParams.get('code'));
  });

  test('that was made is replaced only where that is confirmed, and once', async () => {
    const [one, other] = [openBrowser(service.url), openBrowser(service.url)];
    const [first, second] = [await (await begin(one)).back(), await (await begin(other)).back()];
    expect((await one.get(first)).status).toBe(200);
    expect((await other.get(second)).status).toBe(409);
    expect((await begin(other)).answer.status).toBe(409);
    const again = await (await begin(other, { replace: 'yes' })).back();
    expect((await other.get(again)).status).toBe(200);
    expect(await stored()).toMatchObject([{ revision: 2 }]);
    const [former, present] = github.webhookSecrets();
    expect([await hook(former), await hook(present)]).toEqual([401, 202]);
  });
});

describe('a server that starts again', () => {
  const folder = mkdtempSync(join(tmpdir(), 'app-setup-'));
  const [key, nextKey] = ['1', '2'].map((seed) => createHash('sha256').update(seed).digest('hex')) as [string, string];
  const env = { DATABASE_URL: `sqlite:${join(folder, 'coverage.db')}` };
  afterAll(() => rmSync(folder, { recursive: true }));

  test('signs in as its App, also after a change of the key, at no other GitHub, not with the former key', async () => {
    github = await startGithubStandIn({ now: () => service?.time.clock.now() ?? Date.now() });
    const own = { ...env, GITHUB_API_URL: github.url };
    service = await startService({ env: { ...own, SECRET_KEY: key } });
    const browser = openBrowser(service.url);
    expect((await browser.get(await (await begin(browser)).back())).status).toBe(200);
    const takesHooks = async (settings: Readonly<Record<string, string>>): Promise<number> => {
      await service.stop();
      service = await startService({ env: settings });
      return hook(github.webhookSecrets()[0]);
    };
    expect(await takesHooks({ ...own, SECRET_KEY: nextKey, SECRET_KEY_PREVIOUS: key })).toBe(202);
    expect(await takesHooks({ ...own, SECRET_KEY: nextKey })).toBe(202);
    expect(await takesHooks({ ...env, SECRET_KEY: nextKey, GITHUB_URL: 'https://ghe.example' })).toBe(404);
    await stop();
    const withFormerKey = startService({ env: { ...own, SECRET_KEY: key } });
    await expect(withFormerKey).rejects.toThrow(/SECRET_KEY cannot decrypt any of the stored Apps/);
  });
});

test('an App is used by the other servers of its store within ten seconds, and so is the one after it', async () => {
  const key = createHash('sha256').update('of both').digest('hex');
  github = await startGithubStandIn({ now: () => service?.time.clock.now() ?? Date.now() });
  const env = { GITHUB_URL: github.url, GITHUB_API_URL: github.url, SECRET_KEY: key };
  service = await startService({ env, changeStore: (store) => ({ ...store, isShared: true }) });
  const shared = { ...service.store, close: async () => {} };
  const changeStore = (own: Store): Store => {
    void own.close();
    return shared;
  };
  const other = await startService({ env, changeStore });
  expect((await openBrowser(other.url).get('/sign-in/github')).status).toBe(404);
  for (const replace of ['', 'yes']) {
    const browser = openBrowser(service.url);
    expect((await browser.get(await (await begin(browser, { replace })).back())).status).toBe(200);
    const secret = github.webhookSecrets().at(-1);
    expect(await hook(secret, other)).not.toBe(202);
    await other.time.pass(10_000);
    const isTaken = async () => (await hook(secret, other)) === 202 || undefined;
    await waitFor(isTaken, { what: 'the other server to use the App', intervalMs: 5 });
  }
  expect((await openBrowser(other.url).get('/sign-in/github')).status).toBe(302);
  await other.stop();
  await stop();
});

describe('is refused, and nothing is stored,', () => {
  beforeAll(start);
  afterAll(stop);
  afterEach(async () => expect(await stored()).toEqual([]));

  test('without a token of an administrator', async () => {
    const user = await service.tokenOf('alice');
    for (const [token, status] of [
      ['', 401],
      ['wrong', 401],
      [user, 403],
    ] as const)
      expect((await begin(openBrowser(service.url), { token })).answer.status).toBe(status);
    await newPerson(service, 'bob');
    expect((await begin(await signedIn(service, 'bob'), { token: '' })).answer.status).toBe(401);
    const forged = openBrowser(service.url);
    expect((await forged.send('/setup', { token: service.adminToken, csrf: 'no' })).status).toBe(403);
  });

  test('with a state that another browser was given, or none, or too late', async () => {
    const browser = openBrowser(service.url);
    const back = await (await begin(browser)).back();
    expect((await openBrowser(service.url).get(back)).status).toBe(403);
    expect((await browser.get(back.replace(/state=[^&]*/, 'state=forged'))).status).toBe(403);
    const slow = openBrowser(service.url);
    const late = await (await begin(slow)).back();
    await service.time.pass(60 * 60_000);
    expect((await slow.get(late)).status).toBe(403);
  });

  test('in the session of somebody else, or of who is no administrator any more', async () => {
    await newPerson(service, 'ada', true);
    const ada = await signedIn(service, 'ada');
    const back = await (await begin(ada)).back();
    const other = openBrowser(service.url);
    for (const [name, value] of ada.cookies) if (name.endsWith('setup')) other.cookies.set(name, value);
    expect((await other.get(back)).status).toBe(403);
  });

  test('with a code that GitHub does not know, or for an organization that is none', async () => {
    const browser = openBrowser(service.url);
    const back = await (await begin(browser)).back();
    expect((await browser.get(back.replace(/code=[^&]*/, 'code=0123'))).status).toBe(403);
    const { answer } = await begin(browser, { owner: '../evil' });
    expect(answer.status).toBe(422);
  });
});

describe('a server that signs in by its environment', () => {
  let other: Service;
  beforeAll(async () => {
    other = await startService({
      env: { GITHUB_TOKEN: 'ghp_of-the-environment', GITHUB_WEBHOOK_SECRET: 'x'.repeat(20) },
    });
  });
  afterAll(() => other.stop());

  test('makes no App, and says why to administrators alone', async () => {
    const stranger = openBrowser(other.url);
    expect((await stranger.get('/setup')).text).not.toContain('GITHUB_TOKEN');
    const refused = await stranger.send('/setup', { token: other.adminToken });
    expect([refused.status, refused.text]).toEqual([
      409,
      expect.stringContaining('with GITHUB_TOKEN, GITHUB_WEBHOOK_SECRET from its environment'),
    ]);
    await newPerson(other, 'ada', true);
    const page = await (await signedIn(other, 'ada')).get('/setup');
    expect(page.text).toContain('<code>GITHUB_TOKEN, GITHUB_WEBHOOK_SECRET</code>');
    expect(page.text).not.toContain('<form method="post" action="/setup"');
  });
});
