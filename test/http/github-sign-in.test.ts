import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { job, shaOf } from '../support/coverage-api.ts';
import { type GithubStandIn, startGithubStandIn } from '../support/github-stand-in/github-stand-in.ts';
import type { Permissions } from '../support/github-stand-in/oauth.ts';
import { openBrowser, type PageBrowser } from '../support/page-browser.ts';
import { type Service, startService } from '../support/service.ts';

const APP = { clientId: 'Iv1.stand-in', clientSecret: 'client-secret-0123456789' };
const ENV = { GITHUB_APP_CLIENT_ID: APP.clientId, GITHUB_APP_CLIENT_SECRET: APP.clientSecret };
const MINUTE = 60_000;

let github: GithubStandIn;
let service: Service;
let page: string;
beforeAll(async () => {
  github = await startGithubStandIn({ now: () => service?.time.clock.now() ?? Date.now() });
  github.addOauthApp({ ...APP, expiresIn: 8 * 3_600 });
  for (const name of ['acme/shop', 'acme/ledger', 'acme/site']) github.addRepo(name, { private: true });
  service = await startService({ github, env: ENV });
  for (const name of ['acme/ledger', 'acme/site']) await service.api.createRepo({ service: 'github', name });
  const { token } = await service.api.createRepo({ service: 'github', name: 'acme/shop' });
  const { build } = await service.upload(job({ repo_token: token, commit_sha: shaOf('seen at GitHub') }));
  await service.closed(build);
  page = `/builds/${build}`;
});
afterEach(() => {
  github.faults.clear();
  expect(github.violations()).toEqual([]);
});
afterAll(async () => {
  await service.stop();
  await github.close();
});

/** Somebody signs in with GitHub, coming from a page. */
async function enter(login: string, permissions: Permissions, next = '/account/tokens') {
  github.visitAs(login, permissions);
  const browser = openBrowser(service.url);
  const there = await browser.follow(`/sign-in/github?${new URLSearchParams({ next })}`);
  return { browser, there };
}

const statusOf = async (browser: PageBrowser, path: string): Promise<number> => (await browser.get(path)).status;
const asked = (path: string): number => github.requests().filter((one) => one.path.startsWith(path)).length;

describe('signing in with GitHub', () => {
  test('goes there and comes back to the page, as an account of GitHub’s number', async () => {
    const { browser, there } = await enter('mona', { 'acme/shop': 'pull' }, page);
    expect(there).toMatchObject({ status: 200, path: `${service.url}${page}` });
    expect(there.text).toContain('<span class="name">mona</span>');
    const [account] = await service.store.accounts.list({ after: undefined, limit: 9 });
    expect(account).toMatchObject({ issuer: github.url, name: 'mona' });
    expect(account?.subject).toMatch(/^\d+$/);
    expect(account?.hostToken).not.toContain('ghu_');
    expect((await browser.get('/account/tokens')).text).toContain('Through GitHub');
    expect((await openBrowser(service.url).get('/sign-in')).text).toContain('Continue with GitHub');
  });

  test('is refused in a browser that did not begin it', async () => {
    github.visitAs('mona', {});
    const first = openBrowser(service.url);
    const { location = '' } = await first.get('/sign-in/github');
    const { location: back = '' } = await first.get(location);
    const elsewhere = await openBrowser(service.url).get(back);
    expect([elsewhere.status, elsewhere.text.includes('This sign-in expired. Please')]).toEqual([403, true]);
    expect(await statusOf(first, back.replace(/state=[^&]+/, 'state=forged'))).toBe(403);
  });

  test('with made-up codes makes it ask GitHub 20 times in a quarter of an hour, of one network', async () => {
    const browser = openBrowser(service.url);
    const tryCode = async (count: number): Promise<number> => {
      const { location = '' } = await browser.get('/sign-in/github');
      const state = new URL(location).searchParams.get('state') ?? '';
      return statusOf(browser, `/sign-in/github/callback?${new URLSearchParams({ code: `made-up-${count}`, state })}`);
    };
    const before = asked('/login/oauth/access_token');
    for (let count = 0; count < 20; count += 1) expect(await tryCode(count)).toBe(403);
    expect([await tryCode(20), await tryCode(21)]).toEqual([429, 429]);
    expect(asked('/login/oauth/access_token') - before).toBe(20);
    await service.time.pass(15 * MINUTE);
    expect((await enter('mona', { 'acme/shop': 'pull' }, page)).there.status).toBe(200);
  });

  test('says so when GitHub was not allowed to tell who it is', async () => {
    github.visitAs('', {});
    const answer = await openBrowser(service.url).follow('/sign-in/github');
    expect([answer.status, answer.text.includes('GitHub did not sign you in')]).toEqual([403, true]);
  });
});

describe('what somebody may do', () => {
  test.each([
    ['admin', 200, 200],
    ['maintain', 200, 200],
    ['push', 200, 403],
    ['pull', 200, 403],
    [undefined, 404, 404],
  ] as const)('with %s at GitHub', async (permission, reads, administers) => {
    const { browser } = await enter(
      `person-${permission}`,
      permission === undefined ? {} : { 'acme/shop': permission },
    );
    expect(await statusOf(browser, page)).toBe(reads);
    expect(await statusOf(browser, '/api/v1/repos/github/acme/shop/settings')).toBe(administers);
    expect(await statusOf(browser, '/github/acme/ledger')).toBe(404);
  });

  test('is asked once in five minutes, and once for a list however long it is', async () => {
    const { browser } = await enter('list', { 'acme/shop': 'pull', 'acme/ledger': 'admin' });
    const before = [asked('/repos/acme/shop'), asked('/user/repos')];
    const counts = () => [asked('/repos/acme/shop') - (before[0] ?? 0), asked('/user/repos') - (before[1] ?? 0)];
    for (let again = 0; again < 3; again += 1) await browser.get(page);
    const listed = await browser.get('/api/v1/repos');
    await browser.get('/api/v1/repos');
    const names = JSON.parse(listed.text).repos.map(({ name }: { name: string }) => name);
    expect(names).toEqual(['acme/ledger', 'acme/shop']);
    expect(counts()).toEqual([1, 1]);
  });

  test('goes by the repo that the name means there (rule 28)', async () => {
    const repo = await service.store.repos.findByName('github', 'acme/site');
    await service.store.repos.follow({ repoId: repo?.id ?? 0, providerId: '4711', at: Date.now() });
    const { browser } = await enter('namesake', { 'acme/site': 'admin' });
    expect(await statusOf(browser, '/github/acme/site')).toBe(404);
  });
});

describe.skipIf(process.env.TEST_MONGODB_URL !== undefined)('as time goes by', () => {
  test('rights that GitHub took away are gone after five minutes', async () => {
    const { browser } = await enter('leaver', { 'acme/shop': 'pull' });
    expect(await statusOf(browser, page)).toBe(200);
    github.visitAs('leaver', {});
    await service.time.pass(4 * MINUTE);
    expect(await statusOf(browser, page)).toBe(200);
    await service.time.pass(2 * MINUTE);
    expect(await statusOf(browser, page)).toBe(404);
  });

  test('a GitHub that does not answer opens nothing, but for an hour what it said before', async () => {
    const { browser } = await enter('waiter', { 'acme/shop': 'pull', 'acme/ledger': 'pull' });
    expect(await statusOf(browser, page)).toBe(200);
    await service.time.pass(6 * MINUTE);
    github.faults.when(({ path }) => (path.startsWith('/repos/') ? { kind: 'status', status: 503 } : undefined));
    expect(await statusOf(browser, page)).toBe(200);
    const unknown = await browser.get('/github/acme/ledger');
    expect([unknown.status, unknown.text.includes('GitHub could not be asked')]).toEqual([503, true]);
    await service.time.pass(60 * MINUTE);
    expect(await statusOf(browser, page)).toBe(503);
  });

  test('a token that has expired is renewed, and one that GitHub ended asks to sign in again', async () => {
    const { browser } = await enter('night', { 'acme/shop': 'pull' });
    await service.time.pass(9 * 60 * MINUTE);
    expect(await statusOf(browser, page)).toBe(200);
    github.endSignIns('night');
    await service.time.pass(6 * MINUTE);
    const answer = await browser.get(page);
    expect([answer.status, answer.text.includes('GitHub has ended your sign-in')]).toEqual([403, true]);
  });
});
