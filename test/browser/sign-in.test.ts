import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { job } from '../support/coverage-api.ts';
import { manageAccounts, newPerson, PASSWORD } from '../support/people.ts';
import { someOf } from '../support/property-runs.ts';
import { openTab, startBrowser, type Tab } from './browser.ts';
import { type PeopleScene, startPeopleScene } from './people-scene.ts';

const WAYS: readonly (readonly [string, boolean])[] = [
  ['with script', true],
  ['without script', false],
];

let scene: PeopleScene;
let browser: Browser;
/** A private build's page. */
let build: string;
beforeAll(async () => {
  [scene, browser] = await Promise.all([startPeopleScene(), startBrowser()]);
  const { service, github } = scene;
  github.addRepo('acme/shop', { private: true });
  const { token } = await service.api.createRepo({ name: 'acme/shop' });
  build = `${service.url}/builds/${(await service.uploadAlone(job({ repo_token: token }))).id}`;
  await newPerson(service, 'root', true);
});
afterAll(() => Promise.all([scene?.stop(), browser?.close()]));

/** Opens the build's page as a stranger, who is led to the sign-in, does the steps, and must be back at the page. */
async function enter(tab: Tab, name: string, steps: (page: Page) => Promise<void>): Promise<void> {
  const { page, context, complaints } = tab;
  await page.goto(build);
  expect(new URL(page.url()).pathname).toBe('/sign-in');
  await steps(page);
  await page.waitForURL(build);
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Change prices');
  expect(await page.getByRole('link', { name: `Account of ${name}` }).innerText()).toContain(name);
  const [session, ...others] = (await context.cookies(build)).filter((cookie) => cookie.name.endsWith('session'));
  expect([session, others]).toMatchObject([{ httpOnly: true, sameSite: 'Lax', domain: 'localhost' }, []]);
  expect(complaints()).toEqual([]);
}

/** Signs out by the account page; then the build's page leads to the sign-in again. */
async function leave({ page, context, complaints }: Tab, name: string): Promise<void> {
  await page.getByRole('link', { name: `Account of ${name}` }).click();
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.waitForURL('**/sign-in');
  await page.goto(build);
  expect(new URL(page.url()).pathname).toBe('/sign-in');
  expect(complaints()).toEqual([]);
  await context.close();
}

describe.each(someOf(WAYS, 1))('somebody who follows a link to a private page, %s', (_, script) => {
  test('signs in with GitHub and is back there', async () => {
    scene.github.visitAs('mona', { 'acme/shop': 'pull' });
    const tab = await openTab(browser, { script });
    await enter(tab, 'mona', (page) => page.getByRole('link', { name: 'Continue with GitHub' }).click());
    await leave(tab, 'mona');
  });

  test('signs in at an OpenID provider and is back there', async () => {
    const claims = { email: 'lisa@acme.example', email_verified: true, preferred_username: 'lisa', groups: ['shop'] };
    scene.openid.visitAs('u-1', claims);
    const tab = await openTab(browser, { script });
    await enter(tab, 'lisa', (page) => page.getByRole('link', { name: 'Continue with Acme ID' }).click());
    await leave(tab, 'lisa');
  });

  test('signs in with a password, after a wrong one, and is back there', async () => {
    const tab = await openTab(browser, { script });
    await enter(tab, 'root', async (page) => {
      await page.getByLabel('User name').fill('root');
      await page.getByLabel('Password').fill('wrong');
      await page.keyboard.press('Enter');
      expect(await page.getByRole('alert').innerText()).not.toBe('');
      await page.getByLabel('Password').fill(PASSWORD);
      await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
    });
    await leave(tab, 'root');
  });

  test('signs in by the button of a link, and is there', async () => {
    const root = await scene.service.store.accounts.findBySubject('local', 'root');
    const code = root && (await manageAccounts(scene.service).makeCode(root));
    const tab = await openTab(browser, { script });
    await enter(tab, 'root', async (page) => {
      const next = new URL(build).pathname;
      await page.goto(`${scene.service.url}/sign-in/link?code=${code}&next=${next}`);
      await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
    });
    await leave(tab, 'root');
  });

  test('is told nothing of a repo that is not theirs', async () => {
    scene.github.visitAs('eve', {});
    const { page, context, complaints } = await openTab(browser, { script });
    await page.goto(build);
    await page.getByRole('link', { name: 'Continue with GitHub' }).click();
    await page.waitForURL(build);
    expect(await page.getByRole('main').innerText()).toContain('This page does not exist for eve');
    expect(await page.content()).not.toContain('acme/shop');
    expect(complaints()).toEqual([]);
    await context.close();
  });
});
