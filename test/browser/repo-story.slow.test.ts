import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { job, type RepoJson, shaOf, sourceFile } from '../support/coverage-api.ts';
import { waitFor } from '../support/wait-for.ts';
import { openTab, startBrowser, type Tab } from './browser.ts';
import { type PeopleScene, startPeopleScene } from './people-scene.ts';

let scene: PeopleScene;
let browser: Browser;
beforeAll(async () => {
  [scene, browser] = await Promise.all([startPeopleScene(), startBrowser()]);
});
afterAll(() => Promise.all([scene?.stop(), browser?.close()]));

const TEXT = ['let tea;', 'if (hot) {', '  drink(tea);', '}', 'wash(cup);', ''].join('\n');
const PATCH = `@@ -1,2 +1,5 @@\n let tea;\n+if (hot) {\n+  drink(tea);\n+}\n wash(cup);`;
const change = { filename: 'src/tea.ts', status: 'modified', additions: 3, deletions: 0, patch: PATCH } as const;

let name: string;
let repo: RepoJson & { token: string };
let repos = 0;
/** A repo at GitHub and here, whose main is covered; its pull requests leave line 3 uncovered. */
beforeEach(async () => {
  const { github, service } = scene;
  repos += 1;
  name = `acme/shop-${repos}`;
  github.addRepo(name, { private: true });
  github.addCommit(name, { sha: shaOf('base'), branch: 'main' });
  repo = await service.newRepo({ service: 'github', name, commit_status_fail_change_threshold: 0 });
  const source_files = [sourceFile('src/tea.ts', [1, 1])];
  await service.uploadAlone(job({ repo_token: repo.token, commit_sha: shaOf('base'), source_files }));
});

/** A push to pull request 7, of one parallel job; answers its build. */
async function push(head: string): Promise<string> {
  const { github, service } = scene;
  github.addPullRequest(name, { number: 7, headSha: shaOf(head), baseRef: 'main', title: 'Drink it', files: [change] });
  github.setComparedFiles(name, shaOf('base'), shaOf(head), [change]);
  const source_files = [sourceFile('src/tea.ts', [1, 1, 0, null, 1], { source: TEXT })];
  const fields = { service_number: head, commit_sha: shaOf(head), service_pull_request: '7', parallel: true };
  const { build } = await service.upload({ ...job({ repo_token: repo.token, source_files }), ...fields });
  return build;
}

const close = (head: string) => scene.service.close(repo.token, head);

/** What the newest status of a commit says, and the page that it links to. */
function statusOf(head: string) {
  return waitFor(
    () => {
      const status = scene.github.lastStatuses(name, shaOf(head)).get('coverage');
      return status?.state !== 'pending' && status;
    },
    { what: 'the status' },
  );
}

/** A tab of somebody with that permission on the repo at GitHub. */
async function openTabOf(permission: 'admin' | 'pull', script: boolean): Promise<Tab> {
  scene.github.visitAs(permission, { [name]: permission });
  const tab = await openTab(browser, { script });
  await tab.page.goto(`${scene.service.url}/sign-in`);
  await tab.page.getByRole('link', { name: 'Continue with GitHub' }).click();
  await tab.page.waitForURL(`${scene.service.url}/`);
  return tab;
}

const verdictOf = (page: Page) => page.getByRole('region', { name: 'Verdict' });

test('a pending page turns into its verdict by itself', async () => {
  const { page, complaints, context } = await openTabOf('pull', true);
  await page.clock.install();
  await page.goto(`${scene.service.url}/builds/${await push('first')}`);
  expect(await verdictOf(page).innerText()).toContain('Waiting for more jobs.');
  await close('first');
  await page.clock.fastForward(3_000);
  await verdictOf(page).getByText('Failed').waitFor();
  expect(await page.getByRole('heading', { level: 2 }).first().innerText()).toContain('Lines to cover');
  expect(complaints()).toEqual([]);
  await context.close();
});

test('two keys lead from a status to the first uncovered line', async () => {
  await push('first');
  await close('first');
  const { state, targetUrl } = await statusOf('first');
  expect(state).toBe('failure');
  scene.github.visitAs('mona', { [name]: 'pull' });
  const { page, complaints, context } = await openTab(browser);
  await page.goto(targetUrl ?? '');
  await page.getByRole('link', { name: 'Continue with GitHub' }).click();
  await page.waitForURL(targetUrl ?? '');
  await page.keyboard.press('n');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/file\/src\/tea\.ts#L3$/);
  const line = page.locator('tr.at');
  expect(await line.innerText()).toContain('drink(tea);');
  expect(await line.evaluate((row) => row.getBoundingClientRect().bottom < window.innerHeight)).toBe(true);
  expect(complaints()).toEqual([]);
  await context.close();
});

describe.each([
  ['with script', true],
  ['without script', false],
])('%s', (_, script) => {
  test('links lead from a status to the first uncovered line', async () => {
    const build = await push('first');
    const { page, complaints, context } = await openTabOf('pull', script);
    await page.goto(`${scene.service.url}/builds/${build}`);
    expect(await verdictOf(page).innerText()).toContain('Waiting for more jobs.');
    await close('first');
    const { targetUrl } = await statusOf('first');
    await page.goto(targetUrl ?? '');
    await page.locator('tr.miss').first().getByRole('link').click();
    await page.waitForURL(/\/file\/src\/tea\.ts#L3$/);
    expect(await page.locator('tr:target').innerText()).toContain('drink(tea);');
    expect(complaints()).toEqual([]);
    await context.close();
  });

  test('a threshold that a maintainer changes judges the next build', async () => {
    await push('first');
    await close('first');
    expect((await statusOf('first')).state).toBe('failure');
    const { page, complaints, context } = await openTabOf('admin', script);
    await page.goto(`${scene.service.url}/github/${name}`);
    await page.getByRole('navigation', { name: 'Repo' }).getByRole('link', { name: 'Settings' }).click();
    await page.getByLabel('Allowed drop', { exact: true }).fill('30');
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('button', { name: 'Save thresholds' }).click();
    expect(await page.getByRole('status').innerText()).toContain('Saved.');
    const build = await push('second');
    await close('second');
    expect((await statusOf('second')).state).toBe('success');
    await page.goto(`${scene.service.url}/builds/${build}`);
    expect(await verdictOf(page).innerText()).toContain('Passed');
    expect(complaints()).toEqual([]);
    await context.close();
  });

  test('a token that is replaced uploads no more', async () => {
    const { page, complaints, context } = await openTabOf('admin', script);
    await page.goto(`${scene.service.url}/github/${name}/settings/tokens`);
    await page.getByRole('link', { name: 'Show it' }).click();
    expect(await page.locator('#tokens .secret').innerText()).toBe(repo.token);
    await page.getByLabel('Keep the old one valid for').selectOption('no time');
    await page.getByRole('button', { name: 'Rotate repo token' }).click();
    await page.getByRole('status').waitFor();
    const fresh = await page.locator('#tokens .secret').innerText();
    const upload = async (token: string) =>
      (await scene.service.api.uploadJob(job({ repo_token: token, service_number: 'next' }))).status;
    expect([await upload(repo.token), await upload(fresh)]).toEqual([422, 200]);
    expect(complaints()).toEqual([]);
    await context.close();
  });

  test('a share link shows the numbers at a clean address, until it is revoked', async () => {
    const build = `${scene.service.url}/builds/${await push('first')}`;
    await close('first');
    const owner = await openTabOf('admin', script);
    await owner.page.goto(`${scene.service.url}/github/${name}/settings`);
    await owner.page.getByRole('link', { name: 'Sharing' }).click();
    await owner.page.getByLabel('Name', { exact: true }).fill('The board');
    await owner.page.getByRole('button', { name: 'Create a link' }).click();
    const url = await owner.page.locator('.secret').innerText();
    const guest = await openTab(browser, { script });
    await guest.page.goto(url);
    expect(guest.page.url()).toBe(`${scene.service.url}/github/${name}`);
    await guest.page.goto(build);
    expect(await verdictOf(guest.page).innerText()).toContain('Failed');
    expect(await guest.page.content()).not.toContain('drink(tea);');
    await owner.page.getByRole('link', { name: 'All links and members' }).click();
    await owner.page.getByRole('button', { name: 'Revoke The board' }).click();
    await owner.page.getByRole('button', { name: 'Revoke' }).waitFor({ state: 'detached' });
    await guest.page.reload();
    expect(new URL(guest.page.url()).pathname).toBe('/sign-in');
    for (const { complaints, context } of [owner, guest]) {
      expect(complaints()).toEqual([]);
      await context.close();
    }
  });
});
