import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTabOf, startBrowser, type Tab } from './browser.ts';
import { faultsOf } from './look-at.ts';
import { headOf, type MonorepoScene, startMonorepoScene } from './monorepo-scene.ts';

/** The pages of a repo of 1,100 files, 40 checks, 60 builds and 8 pull requests. */

let scene: MonorepoScene;
let browser: Browser;
beforeAll(async () => {
  [scene, browser] = await Promise.all([startMonorepoScene(), startBrowser()]);
}, 300_000);
afterAll(() => Promise.all([scene?.stop(), browser?.close()]));

const mainText = (page: Page): Promise<string> => page.getByRole('main').innerText();

async function openRoot(script = true): Promise<Tab> {
  return openTabOf(browser, scene.service, 'root', { script });
}

/** The line that is addressed or focused, and whether it is seen without scrolling. */
async function lineAt(page: Page, row: string) {
  const line = page.locator(row).first();
  const isSeen = await line.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return top >= 0 && bottom <= window.innerHeight;
  });
  return { text: await line.innerText(), isSeen };
}

describe('from a red status to its first line', () => {
  test('one click, then one key', async () => {
    const { state, targetUrl } = await scene.statusOf(headOf(101), 'coverage (pages)');
    expect(state).toBe('failure');
    const { page, complaints, context } = await openRoot();
    await page.goto(targetUrl);
    expect(await page.locator('.checklist tr.on').innerText()).toContain('pages');
    await page.keyboard.press('n');
    const { text, isSeen } = await lineAt(page, 'tr:has(a:focus)');
    expect(text).toContain('retry(5);');
    expect(isSeen).toBe(true);
    expect(complaints()).toEqual([]);
    await context.close();
  });

  test('the next failing check, all lines and the first file by a key each', async () => {
    const { page, complaints, context } = await openRoot();
    await page.goto((await scene.statusOf(headOf(101), 'coverage')).targetUrl);
    const chosen = page.locator('.cover-filter [aria-current]');
    expect(await chosen.innerText()).toMatch(/^Failing checks\s+4$/);
    await page.keyboard.press('c');
    await page.waitForURL(/check=flag(:|%3A)pages/);
    await page.keyboard.press('c');
    await page.waitForURL(/check=group(:|%3A)package-pages/);
    expect(await chosen.innerText()).toMatch(/^Package pages\s+4$/);
    await page.keyboard.press('a');
    await page.waitForURL(/check=all/);
    await page.keyboard.press('j');
    expect(await page.locator('article.file :focus').innerText()).toContain('pages-part-3.ts');
    expect(complaints()).toEqual([]);
    await context.close();
  });

  test('without script by one click more, on the line of the check', async () => {
    const { targetUrl } = await scene.statusOf(headOf(101), 'coverage (pages)');
    const { page, complaints, context } = await openRoot(false);
    await page.goto(targetUrl);
    await page.locator('tr.miss a').first().click();
    await page.waitForURL(/\/file\/packages\/pages\/src\/pages-part-3\.ts#L5$/);
    const { text, isSeen } = await lineAt(page, 'tr:target');
    expect(text).toContain('retry(5);');
    expect(isSeen).toBe(true);
    expect(complaints()).toEqual([]);
    await context.close();
  });

  test('of a check below the fold by keys alone', async () => {
    const { page, context } = await openRoot();
    const { targetUrl } = await scene.statusOf(headOf(106), 'coverage');
    await page.goto(targetUrl);
    const link = page.getByRole('region', { name: 'Verdict' }).locator('.checklist a').first();
    for (let tabs = 0; tabs < 40 && !(await link.evaluate((one) => one === document.activeElement)); tabs += 1)
      await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL(/check=/);
    await page.keyboard.press('n');
    expect((await lineAt(page, 'tr:has(a:focus)')).text).toContain('if (late) {');
    await context.close();
  });
});

test('40 checks take no more rows than those that fail, the total, the change and a fold', async () => {
  const { page, context } = await openRoot();
  await page.goto((await scene.statusOf(headOf(101), 'coverage')).targetUrl);
  const rows = page.locator('.checklist tbody tr');
  expect(await rows.locator('visible=true').count()).toBe(4);
  await page.locator('summary', { hasText: '36 more pass' }).click();
  expect(await rows.locator('visible=true').count()).toBe(40);
  await context.close();
});

describe.each([
  ['with script', true],
  ['without script', false],
])('%s', (_, script) => {
  let tab: Tab;
  beforeAll(async () => {
    tab = await openRoot(script);
  });
  afterAll(() => tab?.context.close());

  test.each([
    ['a title', 'visitor lazily', '#101'],
    ['a branch', 'otto/change-104', '#104'],
    ['a person', 'zoe', 'Ask less of the total'],
    ['a file', 'cart-part-30', 'packages/cart/src/cart-part-30.ts'],
  ])('the search finds %s', async (_of, words, found) => {
    const { page } = tab;
    await page.goto(scene.service.url);
    const field = page.getByRole('search').getByRole('searchbox').first();
    await field.fill(words);
    await field.press('Enter');
    await page.waitForURL(/q=/);
    expect(await mainText(page)).toContain(found);
  });

  test.each([
    ['title', 'Rename the logger', '2 of the latest 60 builds'],
    ['branch', 'otto/change-104', '2 of the latest 60 builds'],
    ['person', 'zoe', '2 of the latest 60 builds'],
  ])('the filter of builds finds a %s', async (_of, words, found) => {
    const { page } = tab;
    await page.goto(scene.service.url + scene.repo);
    await page.getByLabel('Title, branch, pull request, commit or person').fill(words);
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.waitForURL(/q=/);
    expect(await mainText(page)).toContain(found);
  });

  test('the files of a group are found by a part of their path', async () => {
    const { page } = tab;
    await page.goto(`${scene.service.url}${scene.repo}/groups`);
    await page.getByRole('link', { name: 'Package pages' }).last().click();
    await page.getByLabel('Filter by path').fill('part-30');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.waitForURL(/q=part-30/);
    expect(await page.locator('#files tbody tr').count()).toBe(1);
  });

  test('the review shows the whole change, and only files with missed lines if asked', async () => {
    const { page } = tab;
    await page.goto(`${scene.service.url}${scene.repo}/pulls/104`);
    await page.getByRole('link', { name: 'Review the whole change' }).click();
    expect(await mainText(page)).toContain('api-part-3.ts');
    await page.getByRole('link', { name: /^With missed lines/ }).click();
    await page.waitForURL(/show=missed/);
    expect(await mainText(page)).not.toContain('api-part-3.ts');
  });

  test('the review is narrowed to the files of a check', async () => {
    const { page } = tab;
    await page.goto(`${scene.service.url}${scene.repo}/pulls/104/review`);
    await page.getByRole('link', { name: /^Package api/ }).click();
    await page.waitForURL(/check=group/);
    const names = await page.locator('details.file h3').allInnerTexts();
    expect(names.length).toBe(5);
    expect(names.every((name) => name.startsWith('packages/api/'))).toBe(true);
  });

  test('a file is checked on the page of rules, by keys alone', async () => {
    const { page } = tab;
    await page.goto(`${scene.service.url}${scene.repo}/rules`);
    await page.getByRole('link', { name: 'Check a file' }).press('Enter');
    await page.getByLabel('The text of a coverage.yml').focus();
    await page.keyboard.type('owners: perhaps');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    expect(await page.locator('li.miss').innerText()).toContain('line 1, column 9');
    expect(await page.getByLabel('The text of a coverage.yml').inputValue()).toBe('owners: perhaps');
  });

  test('a bookmark of the former page of settings leads to its section, or to the link to it', async () => {
    const { page } = tab;
    await page.goto(`${scene.service.url}${scene.repo}/settings#tokens`);
    if (script) await page.waitForURL(/\/settings\/tokens$/);
    else expect(await page.locator('a:target').getAttribute('href')).toMatch(/\/settings\/tokens$/);
  });

  test('what the file sets is locked in the settings', async () => {
    const { page } = tab;
    await page.goto(`${scene.service.url}${scene.repo}/settings`);
    expect(await page.getByLabel('Allowed drop', { exact: true }).isDisabled()).toBe(true);
    await page.getByRole('link', { name: 'coverage.yml, line 2' }).click();
    await page.waitForURL(/\/rules#l2$/);
    expect(await page.locator('li:target').innerText()).toContain('drop: 0.5');
  });
});

test.each<readonly [string, string, number]>([
  ['all repos', '/', 200],
  ['a search', '/?q=lazily', 200],
  ['the repo', '', 200],
  ['its builds, filtered', '?q=logger', 200],
  ['a pull request', '/pulls/101', 200],
  ['one of 125 files', '/pulls/104', 200],
  ['its review', '/pulls/104/review', 200],
  ['the review of a check', '/pulls/104/review?check=group:package-api', 200],
  ['the build of a check', `/commits/${headOf(101)}?check=flag:pages`, 200],
  ['a build with 9 failing groups', `/commits/${headOf(104)}`, 200],
  ['a build that changes the rules', `/commits/${headOf(105)}`, 200],
  ['a build that breaks them', `/commits/${headOf(107)}`, 200],
  ['its files', `/commits/${headOf(101)}/tree`, 200],
  ['a comparison', `/compare/${headOf(101)}...${headOf(104)}`, 200],
  ['the groups', '/groups', 200],
  ['the owners', '/groups?by=owner', 200],
  ['a group', '/groups/package-pages', 200],
  ['a group in a year', '/groups/package-pages?days=365', 200],
  ['the trend', '/trend?with=flag:pages&with=group:package-pages', 200],
  ['the flags', '/flags', 200],
  ['the rules', '/rules', 200],
  ['the settings', '/settings', 200],
  ['the rules of flags', '/settings/flags', 200],
  ['the tokens', '/settings/tokens', 200],
  ['the whole trend', '/trend?days=3650', 200],
  ['a commit that is not there', `/commits/${'0'.repeat(40)}`, 404],
])('%s: wide and on a phone, light and dark', async (_, path, status) => {
  const { page, complaints, context } = await openRoot();
  const address = path.startsWith('/?') || path === '/' ? path : scene.repo + path;
  const answer = await page.goto(scene.service.url + address);
  expect({ status: answer?.status(), faults: await faultsOf(page), complaints: complaints() }).toEqual({
    status,
    faults: [],
    complaints: [],
  });
  await context.close();
});
