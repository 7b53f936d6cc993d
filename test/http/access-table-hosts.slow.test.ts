import { afterAll, beforeAll, expect, test } from 'vitest';
import { startAccessGitlab } from '../support/access/access-gitlab.ts';
import { type RunningAccess, startAccess } from '../support/access/running-access.ts';

let access: RunningAccess;
beforeAll(async () => {
  access = await startAccess(startAccessGitlab);
});
afterAll(() => access.stop());

/** What differs at GitLab for everybody, by test/http/gitlab.test.ts. */
const APART = [
  // GitHub is not connected.
  'POST /hooks/github',
  // GitLab includes the file; the server makes the webhook of a project.
  'GET /ci/:service.yml',
  'POST /api/v1/repos/:service/*name/webhook',
  'POST /api/repos/:service/*name/webhook',
  // A token in the query is refused for the repo of its own service, and looked for at no other.
  'POST /github/*name/settings/import',
  'POST /gitlab/*name/settings/import',
];

test('every route answers every caller of GitLab as docs/access.md says', { timeout: 300_000 }, async () => {
  const { requests, problems } = await access.walk((route) => !APART.includes(route));
  expect(problems.join('\n\n')).toBe('');
  expect(requests).toBeGreaterThan(access.routes.length * 10);
});
