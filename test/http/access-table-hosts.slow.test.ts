import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startAccessBitbucket, startAccessDataCenter } from '../support/access/access-bitbucket.ts';
import { startAccessGitlab } from '../support/access/access-gitlab.ts';
import type { AccessHost } from '../support/access/access-scene.ts';
import { type RunningAccess, startAccess } from '../support/access/running-access.ts';

/** What differs at these hosts for everybody, by the tests of each host. */
const APART = [
  // GitHub is not connected.
  'POST /hooks/github',
  // The server makes the webhook of a repo.
  'POST /api/v1/repos/:service/*name/webhook',
  'POST /api/repos/:service/*name/webhook',
  // A token in the query is refused for the repo of its own service, and looked for at no other.
  'POST /github/*name/settings/import',
];

interface At {
  readonly host: string;
  readonly start: () => Promise<AccessHost>;
  readonly apart: readonly string[];
  /** Callers that it knows no credential for. */
  readonly absent: readonly string[];
}

const HOSTS: readonly At[] = [
  {
    host: 'GitLab',
    start: startAccessGitlab,
    // GitLab includes the file.
    apart: [
      'GET /ci/:service.yml',
      'POST /gitlab/*name/settings/import',
      // Only forms below /gitlab read a token in the query, whichever host is connected.
      ...['POST /gitlab/*name/rules', 'POST /github/*name/rules'],
    ],
    absent: [],
  },
  {
    host: 'Bitbucket Cloud',
    start: startAccessBitbucket,
    apart: ['POST /bitbucket/*name/settings/import'],
    absent: [],
  },
  {
    host: 'Bitbucket Data Center',
    start: startAccessDataCenter,
    apart: ['POST /stash/*name/settings/import'],
    absent: ['workflow', 'other workflow', 'workflow that names a pull request'],
  },
];

describe.each(HOSTS)('on $host', ({ start, apart, absent }) => {
  let access: RunningAccess;
  beforeAll(async () => {
    access = await startAccess(start);
  });
  afterAll(() => access.stop());

  test('every route answers every caller as the tables of access say', { timeout: 600_000 }, async () => {
    const walk = await access.walk((route) => ![...APART, ...apart].includes(route));
    expect(walk.problems.join('\n\n')).toBe('');
    expect([...walk.absent]).toEqual(absent);
    expect(walk.requests).toBeGreaterThan(access.routes.length * 10);
  });
});
