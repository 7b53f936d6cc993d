import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { job, shaOf, sourceFile } from '../support/coverage-api.ts';
import { type Service, startService } from '../support/service.ts';
import { openTab, seriousFindings, sidewaysScroll, startBrowser } from './browser.ts';

let service: Service;
let browser: Browser;
let paths: readonly string[];
beforeAll(async () => {
  [service, browser] = await Promise.all([startService(), startBrowser()]);
  paths = await pathsWithData();
});
afterAll(() => Promise.all([service?.stop(), browser?.close()]));

const [BASE, HEAD] = [shaOf('base'), shaOf('head')];
const LONG = 'packages/a-rather-long-name-of-a-package/src/a-long-name-of-a-file-without-any-blank.ts';
const OLD = ['const a = 1;', 'return a;', ''].join('\n');
const NEW = ['const a = 1;', 'if (a < b) {', `  return "${'wide '.repeat(50)}";`, '}', ''].join('\n');

/** The pages of a repo whose pull request lost coverage, and those of the server. */
async function pathsWithData(): Promise<readonly string[]> {
  const { token, name } = await service.newRepo({ commit_status_fail_change_threshold: 0 });
  const upload = (fields: object) => service.uploadAlone({ ...job({ repo_token: token }), ...fields });
  const other = sourceFile('src/other.ts', [1, 0, 1]);
  await upload({
    ...{ commit_sha: BASE, service_number: '1', flag_name: 'web' },
    source_files: [sourceFile(LONG, [1, 1], { source: OLD }), other],
  });
  const build = await upload({
    ...{ commit_sha: HEAD, service_number: '2', service_pull_request: '7', flag_name: 'web', compare_sha: BASE },
    diff: {
      ...{ base_sha: BASE, head_sha: HEAD, complete: true },
      files: [{ name: LONG, kind: 'modified', hunks: [[2, 1, 2, 3]] }],
    },
    source_files: [sourceFile(LONG, [1, 1, 0, 1], { source: NEW, branches: [2, 0, 0, 1, 2, 0, 1, 0] }), other],
  });
  const repo = `/manual/${name}`;
  const commit = `${repo}/commits/${HEAD}`;
  const ofRepo = [repo, `${repo}/flags`, `${repo}/uploads`, `${repo}/settings`, `${repo}/pulls/7`];
  const ofCommit = [commit, `${commit}/tree`, `${commit}/file/${LONG}`];
  return ['/', ...ofRepo, `/builds/${build.id}`, ...ofCommit, '/sign-in', '/admin', '/admin/users', '/api'];
}

describe.each([
  [1280, 'light'],
  [390, 'dark'],
] as const)('%i pixels wide, %s', (width, scheme) => {
  test('the main pages can be read by everybody', async () => {
    const authorization = `token ${service.adminToken}`;
    const { page, complaints, context } = await openTab(browser, { width, scheme, authorization });
    const seen = [];
    for (const path of paths) {
      const status = (await page.goto(service.url + path))?.status();
      const found = { findings: await seriousFindings(page), sideways: await sidewaysScroll(page) };
      seen.push({ path, status, ...found });
    }
    expect(seen).toEqual(paths.map((path) => ({ path, status: 200, findings: [], sideways: 0 })));
    expect(complaints).toEqual([]);
    await context.close();
  });
});
