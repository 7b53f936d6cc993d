import { afterAll, beforeAll, expect, test } from 'vitest';
import { isPage, type RunningAccess, startAccess } from '../support/access/running-access.ts';

let access: RunningAccess;
beforeAll(async () => {
  access = await startAccess();
});
afterAll(() => access.stop());

// Those that are asked here are the others of access-table-pages.slow.test.ts.
test('what is no page answers every caller as the tables of access say', { timeout: 120_000 }, async () => {
  const { requests, problems } = await access.walk((route) => !isPage(route));
  expect(problems.join('\n\n')).toBe('');
  expect(requests).toBeGreaterThan(access.routes.filter((route) => !isPage(route)).length * 10);
});
