import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { printable } from '../../server/src/core/printable.ts';
import { job, shaOf, sourceFile } from '../support/coverage-api.ts';
import { openTab, startBrowser, type Tab } from './browser.ts';
import { sidewaysScrolls } from './look-at.ts';
import { type PeopleScene, startPeopleScene } from './people-scene.ts';

let scene: PeopleScene;
let browser: Browser;
beforeAll(async () => {
  [scene, browser] = await Promise.all([startPeopleScene(), startBrowser()]);
});
afterAll(() => Promise.all([scene?.stop(), browser?.close()]));

const ATTACK = 'document.documentElement.dataset.attacked=1';
const SHOWN_FOR_SURE = 24;

const MARKUP = `"'><script>${ATTACK}</script><img src=x onerror=${ATTACK}>`;
const TEXTS = [
  ['markup, and what turns or breaks a line,', `${MARKUP}\u202egpj\u2066\nb\r\u2028c\u200b\td\u0007`],
  ['a name without end, in two directions,', `مرحبا بالعالم 👩‍👩‍👧‍👦${'W'.repeat(900)}`],
] as const;

/** Uploads jobs in which all that is free to choose is this text; answers the pages that show it. */
async function pagesWith(text: string, name: string): Promise<readonly string[]> {
  const { service, github } = scene;
  github.addRepo(name);
  const repo = await service.newRepo({ service: 'github', name, commit_status_fail_change_threshold: 0 });
  const upload = (commit: string, lines: number[], fields: object = {}) => {
    const head = { message: text, author_name: text, committer_name: text, author_email: text };
    return service.upload({
      ...job({ repo_token: repo.token, commit_sha: commit, service_number: `${text}${commit}`, flag_name: text }),
      ...{ service_name: text, service_job_id: text, git: { branch: text, head } },
      source_files: [sourceFile(`${text}/${text}`, lines, { source: `${text}\n${text}` })],
      ...fields,
    });
  };
  github.addCommit(name, { sha: shaOf('base'), branch: text, message: text });
  const [base, head] = [shaOf('base'), shaOf('head')];
  const first = await upload(base, [1, 1]);
  await service.closed(first.build);
  github.addPullRequest(name, { number: 7, headSha: head, baseRef: text, headRef: text, title: text, login: text });
  const diff = {
    ...{ base_sha: base, head_sha: head, complete: true },
    files: [{ name: `${text}/${text}`, kind: 'modified', hunks: [[1, 2, 1, 2]] }],
  };
  const second = await upload(head, [1, 0], { service_pull_request: '7', compare_sha: base, diff });
  await service.closed(second.build);
  await upload(shaOf('open'), [1, 0], { parallel: true });
  const answer = await service.api.send('/api/v1/jobs', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': printable(text).replaceAll(/[^ -~]/g, '?') },
    body: JSON.stringify({ ...job({ repo_token: repo.token }), source_files: [{ name: text, coverage: text }] }),
  });
  expect(answer.status).toBe(422);
  const page = `/github/${name}`;
  const ofCommit = `${page}/commits/${head}`;
  const file = encodeURIComponent(text);
  return [
    ...[page, `${page}?branch=${file}`, `${page}/pulls/7`, `${page}/flags`, `${page}/uploads`, `${page}/settings`],
    ...[`/builds/${second.build}`, `/builds/${first.build}`, `/jobs/${second.job}`],
    ...[`${ofCommit}/tree`, `${ofCommit}/tree?path=${file}/`, `${ofCommit}/file?path=${file}/${file}`],
    ...['/', `/?q=${file}`, '/account/tokens', '/admin', '/admin/users', `/builds/${file}`],
  ];
}

/** The tab of an administrator who is called so at their OpenID provider, and calls a token and a share link so. */
async function openTabOf(text: string, name: string): Promise<Tab> {
  const claims = { preferred_username: text, email: 'eve@acme.example', email_verified: true, groups: ['ops'] };
  scene.openid.visitAs(name, claims);
  const tab = await openTab(browser);
  const { page } = tab;
  await page.goto(`${scene.service.url}/sign-in/openid?next=/account/tokens`);
  await page.getByLabel('Name').fill(text.slice(0, 100));
  await page.getByRole('button', { name: 'Create token' }).click();
  await page.locator('.secret').waitFor();
  await page.goto(`${scene.service.url}/sharing?service=github&repo=${name}`);
  await page.getByLabel('Name', { exact: true }).fill(text.slice(0, 100));
  await page.getByRole('button', { name: 'Create a link' }).click();
  await page.locator('.secret').waitFor();
  return tab;
}

/** What a text did to a page beyond being shown. */
async function harmOf(page: Page): Promise<readonly string[]> {
  const harm = await page.evaluate(() => [
    ...(document.documentElement.dataset.attacked === undefined ? [] : ['it was run']),
    ...[...document.querySelectorAll('img[src=x], main script, [onerror]')].map((element) => element.outerHTML),
  ]);
  for (const width of [1280, 390, 320]) {
    await page.setViewportSize({ width, height: 900 });
    harm.push(...(await sidewaysScrolls(page)).map((what) => `${width}: ${what} scrolls sideways`));
  }
  return harm;
}

describe.each(TEXTS)('%s as every name', (what, text) => {
  test('is text on every page, and breaks none', async () => {
    const name = `acme/hostile-${TEXTS.findIndex(([one]) => one === what)}`;
    const paths = await pagesWith(text, name);
    const { page, complaints, context } = await openTabOf(text, name);
    const harm: string[] = [];
    const beginning = printable(text).slice(0, SHOWN_FOR_SURE);
    for (const path of [...paths, `/sharing?service=github&repo=${name}`]) {
      await page.goto(scene.service.url + path);
      harm.push(...(await harmOf(page)).map((one) => `${path}: ${one}`));
      const isShown = (await page.locator('body').innerText()).includes(beginning);
      if (!isShown) harm.push(`${path}: it is not shown`);
    }
    expect(harm).toEqual([]);
    expect(complaints()).toEqual([]);
    await context.close();
  });
});
