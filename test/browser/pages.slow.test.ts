import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readAnswers } from '../support/access/access-table.ts';
import { listRepoPages } from '../support/access/walk-access.ts';
import { openTab, openTabOf, startBrowser, type Tab } from './browser.ts';
import { faultsOf } from './look-at.ts';
import { type PageScene, startPageScene } from './page-scene.ts';

let scene: PageScene;
let browser: Browser;
beforeAll(async () => {
  [scene, browser] = await Promise.all([startPageScene(), startBrowser()]);
});
afterAll(() => Promise.all([scene?.service.stop(), browser?.close()]));

type PathOf = (scene: PageScene) => string;

/** What an administrator looked at, and where its links lead: paths. */
const seen = new Set<string>();
const linked = new Set<string>();

/** Opens a page, does what leads from there to the one that is meant, and looks at it in every way. */
async function expectReadable(tab: Tab, path: string, more: { status?: number; steps?: (page: Page) => unknown } = {}) {
  const { status = 200, steps } = more;
  const { page, complaints } = tab;
  const answer = await page.goto(scene.service.url + path);
  await steps?.(page);
  expect({ status: answer?.status(), faults: await faultsOf(page), complaints: complaints() }).toEqual({
    status,
    faults: [],
    complaints: [],
  });
}

describe('for an administrator', () => {
  let tab: Tab;
  beforeAll(async () => {
    tab = await openTabOf(browser, scene.service, 'root');
  });
  afterAll(() => tab?.context.close());

  const build =
    (which: keyof PageScene['builds']): PathOf =>
    ({ builds }) =>
      `/builds/${builds[which]}`;
  const ofRepo =
    (rest: string): PathOf =>
    ({ repo }) =>
      repo + rest;
  const ofCommit =
    (rest: string): PathOf =>
    ({ repo, head }) =>
      `${repo}/commits/${head}${rest}`;

  test.each([
    ['passed', 'Passed.'],
    ['failed', 'Failed: the total, flag web.'],
    ['accepted', 'Accepted by'],
    ['pending', 'Waiting for more jobs.'],
    ['incomplete', 'Incomplete.'],
  ] as const)('a build that is called %s says so', async (which, word) => {
    await tab.page.goto(scene.service.url + build(which)(scene));
    expect(await tab.page.getByRole('main').innerText()).toContain(word);
  });

  test.each<readonly [string, PathOf]>([
    ['the repos', () => '/'],
    ['a search that finds repos and builds', ({ head }) => `/?q=${head.slice(0, 8)}`],
    ['a search that finds nothing', () => '/?q=nothing-has-this-name'],
    ['the repos of an owner', () => '/manual/acme'],
    ['a repo', ofRepo('')],
    ['a repo whose last build is incomplete', () => '/manual/acme/parts'],
    ['a branch of a repo', ofRepo('?branch=main&flag=web&days=30')],
    ['a search for builds that finds none', ofRepo('?q=nothing')],
    ['a repo without builds', ({ empty }) => empty],
    ['a build that passed', build('passed')],
    ['a build that failed', build('failed')],
    ['a failure that was accepted', build('accepted')],
    ['a pending build', build('pending')],
    ['an incomplete build', build('incomplete')],
    ['a pull request', ofRepo('/pulls/7')],
    ['the whole change of a pull request', ofRepo('/pulls/7/review')],
    ['a job', ({ job }) => job],
    ['the files of a commit', ofCommit('/tree/')],
    ['a folder', ofCommit('/tree/packages/')],
    ['a file', ({ file }) => file],
    ['a file whose text was not sent', ({ fileWithoutText }) => fileWithoutText],
    ['the form of a comparison', ofRepo('/compare')],
    ['two builds beside each other', ({ repo, builds }) => `${repo}/compare/${builds.passed}...${builds.failed}`],
    ['the trend', ofRepo('/trend?with=flag:web')],
    ['the flags', ofRepo('/flags')],
    ['lines that flip', ofRepo('/flipping')],
    ['the groups', ofRepo('/groups')],
    ['the owners', ofRepo('/groups?by=owner')],
    ['the rules', ofRepo('/rules')],
    ['the set-up', ofRepo('/set-up')],
    ['refused uploads', ofRepo('/uploads')],
    ['no refused uploads', ({ empty }) => `${empty}/uploads`],
    ['the settings', ofRepo('/settings')],
    ...['flags', 'statuses', 'comment', 'builds', 'bases', 'tokens', 'remove'].map(
      (section) => [`the settings, ${section}`, ofRepo(`/settings/${section}`)] as const,
    ),
    ['importing history', ofRepo('/settings/import')],
    ['who else reads a repo', ({ repo }) => `/sharing?service=manual&repo=${repo.slice('/manual/'.length)}`],
    ['their account', () => '/account/tokens'],
    ['the administration', () => '/admin'],
    ['the people', () => '/admin/users'],
    ['what was done', () => '/admin/audit'],
    ['the form for a repo', () => '/repos/new'],
    ['the API', () => '/api'],
    ['the docs', () => '/docs'],
    ['a page of the docs', () => '/docs/configuration'],
    ['a search in the docs', () => '/docs?q=backup'],
  ])('%s', async (_, path) => {
    await expectReadable(tab, path(scene));
    seen.add(path(scene));
    const links = await tab.page
      .locator('a[href]')
      .evaluateAll((all) => all.map((one) => new URL(one.getAttribute('href') ?? '', document.baseURI).href));
    const own = new URL(tab.page.url());
    for (const { origin, pathname, search } of links.map((link) => new URL(link)))
      if (origin === own.origin && pathname !== own.pathname) linked.add(pathname + search);
  });

  test('links lead to each of these pages, and none leads nowhere', async () => {
    const pathOf = (link: string): string => new URL(link, scene.service.url).pathname;
    const paths = new Set([...linked].map(pathOf));
    const dead: string[] = [];
    for (const link of linked) {
      const answer = await tab.context.request.get(scene.service.url + link);
      if (!answer.ok()) dead.push(`${link}: ${answer.status()}`);
    }
    expect({ unlinked: [...seen].filter((path) => !paths.has(pathOf(path))), dead }).toEqual({
      unlinked: [],
      dead: [],
    });
  });

  test('each page of a repo is one of these', async () => {
    const pages = listRepoPages(await readAnswers());
    const isSeen = (page: string) => [...seen].some((path) => path.split('?')[0]?.startsWith(`${scene.repo}/${page}`));
    expect(pages.filter((page) => !isSeen(page))).toEqual([]);
  });

  test.each<readonly [string, number, PathOf]>([
    ['what is not there', 404, () => '/builds/4711'],
    ['a page beyond the last', 404, ({ repo }) => `${repo}/commits/${'0'.repeat(40)}`],
    ['a token of no form', 422, ({ repo }) => `${repo}?repo_token=x`],
    ['a link that has ended', 401, () => '/sign-in/link?code=none'],
  ])('the answer about %s', async (_, status, path) => {
    await expectReadable(tab, path(scene), { status });
  });

  test('thresholds that are tried', async () => {
    const steps = async (page: Page) => {
      await page.getByLabel('Allowed drop', { exact: true }).fill('90');
      await page.getByRole('button', { name: 'Preview' }).click();
    };
    await expectReadable(tab, `${scene.repo}/settings`, { steps });
    expect(await tab.page.getByLabel('Allowed drop', { exact: true }).inputValue()).toBe('90');
  });

  test('settings that are refused', async () => {
    const steps = async (page: Page) => {
      await page.getByLabel('Minimum', { exact: true }).fill('much');
      await page.getByRole('button', { name: 'Save thresholds' }).click();
    };
    await expectReadable(tab, `${scene.repo}/settings`, { steps });
    expect(await tab.page.getByRole('alert').innerText()).toContain('Not saved: 1 field');
  });

  test('a token that was made', async () => {
    const steps = async (page: Page) => {
      await page.getByLabel('Name').fill('laptop');
      await page.getByRole('button', { name: 'Create token' }).click();
    };
    await expectReadable(tab, '/account/tokens', { steps });
    expect(await tab.page.locator('.secret').innerText()).toMatch(/^cvp_/);
  });
});

describe('for others', () => {
  test.each<readonly [string, number, string]>([
    ['the front page', 200, '/'],
    ['the sign-in', 200, '/sign-in'],
    ['a sign-in link', 200, `/sign-in/link?code=1.${'x'.repeat(43)}`],
    ['a private page', 200, '/builds/1?flags_page=1'],
    ['the administration', 403, '/admin'],
  ])('%s, to a stranger', async (_, status, path) => {
    const tab = await openTab(browser);
    await expectReadable(tab, path, { status });
    await tab.context.close();
  });

  test('the sign-in after a wrong password', async () => {
    const tab = await openTab(browser);
    const steps = async (page: Page) => {
      await page.getByLabel('User name').fill('root');
      await page.getByLabel('Password').fill('wrong');
      await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
    };
    await expectReadable(tab, '/sign-in', { steps });
    expect(await tab.page.getByRole('alert').count()).toBe(1);
    await tab.context.close();
  });

  test.each<readonly [string, number, PathOf]>([
    ['a failed build', 200, ({ builds }) => `/builds/${builds.failed}`],
    ['settings that they may not change', 403, ({ repo }) => `${repo}/settings`],
    ['a repo that they may not see', 404, ({ empty }) => empty],
  ])('%s, to a reader', async (_, status, path) => {
    const tab = await openTabOf(browser, scene.service, 'rita');
    await expectReadable(tab, path(scene), { status });
    await tab.context.close();
  });
});
