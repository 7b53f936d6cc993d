import { afterAll, beforeAll, expect, test } from 'vitest';
import { readAnswers } from '../support/access/access-table.ts';
import { type RunningAccess, startAccess, VERBOSE } from '../support/access/running-access.ts';
import { listRoutes, walkAccess } from '../support/access/walk-access.ts';
import { allHosts, ROUTES_OF_HOSTS } from '../support/attacks/all-hosts.ts';
import { startService } from '../support/service.ts';

let access: RunningAccess;
beforeAll(async () => {
  access = await startAccess();
});
afterAll(() => access.stop());

test('a route without a row and a row without a route are named, with what to write', async () => {
  const markdown = (await readAnswers()).replace('`GET /{healthz,readyz}`', '`GET /{gone,readyz}`');
  const { problems } = await walkAccess(access.scene, { routes: ['GET /healthz', 'GET /readyz', VERBOSE], markdown });
  expect(problems).toContain(
    '"A token in the header, for a private repo" has a row for GET /gone, which is no route: remove it.',
  );
  const missing = problems.find((problem) => problem.includes('has no row'));
  expect(missing).toContain(`| \`GET /healthz\` | ${Array(10).fill('200').join(' | ')} |`);
});

// How each of them answers is asked in access-table*.slow.test.ts; here only those that have no row.
test('each route has its row in the tables of access, and each row its route', async () => {
  const known = listRoutes(await readAnswers());
  const { requests, problems } = await access.walk((route) => !known.includes(route));
  expect(problems.join('\n\n')).toBe('');
  expect([requests, known.length]).toEqual([0, access.routes.length]);
});

test('every route of a server on all hosts is attacked', async () => {
  const service = await startService({ env: allHosts('http://127.0.0.1:9') });
  const attacked = new Set([...listRoutes(await readAnswers()), ...ROUTES_OF_HOSTS]);
  expect(service.routes.filter((route) => !attacked.has(route))).toEqual([]);
  expect(ROUTES_OF_HOSTS.filter((route) => !service.routes.includes(route))).toEqual([]);
  await service.stop();
});
