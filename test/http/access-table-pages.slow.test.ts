import { afterAll, beforeAll, expect, test } from 'vitest';
import { isPage, type RunningAccess, startAccess } from '../support/access/running-access.ts';

let access: RunningAccess;
beforeAll(async () => {
  access = await startAccess();
});
afterAll(() => access.stop());

// The others are asked by access-table.slow.test.ts; both at once take half as long.
test('every page answers every caller as the tables of access say', { timeout: 120_000 }, async () => {
  const { requests, problems } = await access.walk(isPage);
  expect(problems.join('\n\n')).toBe('');
  expect(requests).toBeGreaterThan(access.routes.filter(isPage).length * 10);
});
