import { describe, expect, test } from 'vitest';
import { createLogbook } from '../../../../test/support/logbook.ts';
import { systemTimers } from '../../platform/timers/system-timers.ts';
import { createCheckup } from './checkup.ts';

const SIGNING = 'signing tokens of webhooks (19.0)';
const ME = { status: 200, body: { id: 3, username: 'bot' } };

/** What the check-up says where GitLab answers so, question by question. */
function checkUp(answers: readonly { readonly status: number; readonly body: object }[], token: string | undefined) {
  let asked = 0;
  const fetch = async () => {
    const { status, body } = answers[asked] ?? { status: 404, body: {} };
    asked += 1;
    const headers = { 'ratelimit-limit': '600', 'ratelimit-remaining': '599', 'ratelimit-reset': '1900000000' };
    return new Response(JSON.stringify(body), { status, headers: { ...headers, date: new Date(5_000).toUTCString() } });
  };
  const deps = { fetch, clock: { now: () => 6_000 }, timers: systemTimers, logger: createLogbook() };
  return createCheckup(deps, 'https://gitlab.example', token)();
}

describe('the check-up of GitLab', () => {
  test.each([
    ['has the scope', { status: 200, body: { scopes: ['api'] } }, { kind: 'token', rights: ['api'], missing: [] }],
    [
      'ends on a day',
      { status: 200, body: { scopes: ['api'], expires_at: '2026-12-31' } },
      { kind: 'token', missing: [], endsAt: Date.parse('2026-12-31T00:00:00Z') },
    ],
    ['lacks it', { status: 200, body: { scopes: ['read_api'] } }, { kind: 'token', missing: ['api'] }],
    ['does not say', { status: 401, body: {} }, { kind: 'token', rights: undefined, missing: [] }],
  ])('of a token that %s', async (_, answer, signIn) => {
    expect(await checkUp([ME, answer], 'glpat-of-the-server')).toMatchObject({
      address: 'https://gitlab.example',
      clocks: { host: 5_000, ours: 6_000 },
      rateLimit: { limit: 600, left: 599, resetAt: 1_900_000_000_000 },
      signIn,
    });
  });

  test.each([
    ['15.11.3', ['ID tokens that name the commit (16.0)', 'the whole diff of a merge request (17.9)', SIGNING]],
    ['17.9.0-ee', [SIGNING]],
    ['19.0.1', []],
  ])('of version %s', async (version, lacks) => {
    const token = { status: 200, body: { scopes: ['api'] } };
    const found = await checkUp([ME, token, { status: 200, body: { version } }], 'glpat-of-the-server');
    expect(found.version).toEqual({ text: version, lacks });
  });

  test('of a token that is refused, of none, and of a GitLab in trouble', async () => {
    const refused = { status: 401, body: { message: '401 Unauthorized' } };
    expect(await checkUp([refused], 'glpat-wrong-0123456789')).toMatchObject({ signIn: { kind: 'refused' } });
    expect(await checkUp([refused], undefined)).toMatchObject({ signIn: { kind: 'none' } });
    const trouble = { status: 502, body: {} };
    expect(await checkUp([trouble], 'glpat-of-the-server')).toMatchObject({ signIn: { kind: 'unknown' } });
  });
});
