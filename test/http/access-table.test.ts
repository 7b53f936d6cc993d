import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isPage, type RunningAccess, startAccess, VERBOSE } from '../support/access/running-access.ts';
import { walkAccess } from '../support/access/walk-access.ts';

const page = new URL('../../docs/security.md', import.meta.url);

let access: RunningAccess;
beforeAll(async () => {
  access = await startAccess();
});
afterAll(() => access.stop());

test('a route without a row and a row without a route are named, with what to write', async () => {
  const markdown = (await readFile(page, 'utf8')).replace('`GET /{healthz,readyz}`', '`GET /{gone,readyz}`');
  const { problems } = await walkAccess(access.scene, { routes: ['GET /healthz', 'GET /readyz', VERBOSE], markdown });
  expect(problems).toContain(
    '"In the header, about a private repo" has a row for GET /gone, which is no route: remove it.',
  );
  const missing = problems.find((problem) => problem.includes('has no row'));
  expect(missing).toContain(`| \`GET /healthz\` | ${Array(10).fill('200').join(' | ')} |`);
});

// Those that are asked here are the others of access-table-pages.test.ts.
test('what is no page answers every caller as docs/security.md says', { timeout: 120_000 }, async () => {
  const { requests, problems } = await access.walk((route) => !isPage(route));
  expect(problems.join('\n\n')).toBe('');
  expect(requests).toBeGreaterThan(access.routes.filter((route) => !isPage(route)).length * 10);
});
