import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type OpenIdClaims,
  type OpenIdStandIn,
  startOpenIdStandIn,
} from '../support/openid-stand-in/openid-stand-in.ts';
import { openBrowser } from '../support/page-browser.ts';
import { signInAtOpenId } from '../support/people.ts';
import { type Service, startService } from '../support/service.ts';

let provider: OpenIdStandIn;
let service: Service;
beforeAll(async () => {
  provider = await startOpenIdStandIn(() => [`${service.url}/sign-in/openid/callback`]);
  service = await startService({
    env: {
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: provider.clientId,
      OIDC_CLIENT_SECRET: provider.clientSecret,
      OIDC_NAME: 'Acme ID',
      OIDC_ALLOWED_DOMAINS: 'acme.example',
      OIDC_ALLOWED_GROUPS: 'contractors',
      OIDC_ADMIN_GROUP: 'ops',
      OIDC_GROUP_ROLES: 'qa=manual/acme/*:reader,core=manual/acme/shop:maintainer',
      LOCAL_ACCOUNTS: 'false',
    },
  });
  for (const name of ['acme/shop', 'acme/ledger', 'other/site'])
    await service.api.createRepo({ service: 'manual', name });
});
afterAll(async () => {
  await service.stop();
  await provider.close();
});

async function enter(subject: string, claims: OpenIdClaims) {
  provider.visitAs(subject, claims);
  return signInAtOpenId(service.url, provider.issuer);
}

const VERIFIED = { email: 'mona@acme.example', email_verified: true };

describe('signing in at an OpenID provider', () => {
  test('makes an account by issuer and subject, whatever name and address it has', async () => {
    const first = await enter('u-1', { ...VERIFIED, preferred_username: 'mona' });
    expect(first.answer.status).toBe(200);
    expect(first.answer.text).toContain('Through Acme ID, mona@acme.example');
    await enter('u-2', { ...VERIFIED, preferred_username: 'mona' });
    await enter('u-1', { ...VERIFIED, email: 'lisa@acme.example', preferred_username: 'lisa' });
    const accounts = await service.store.accounts.list({ after: undefined, limit: 9 });
    expect(accounts.map(({ issuer, subject, name }) => [issuer, subject, name])).toEqual([
      [provider.issuer, 'u-1', 'lisa'],
      [provider.issuer, 'u-2', 'mona'],
    ]);
  });

  test.each([
    ['a verified address of an allowed domain', VERIFIED, 200],
    ['an address that nobody has verified', { ...VERIFIED, email_verified: false }, 403],
    ['an address of another domain', { ...VERIFIED, email: 'eve@acme.example.evil.example' }, 403],
    ['an allowed group', { groups: ['contractors'] }, 200],
    ['another group', { groups: ['contractors2'] }, 403],
    ['nothing', {}, 403],
  ])('with %s', async (what, claims, status) => {
    const { answer } = await enter(`with ${what}`, claims);
    expect(answer.status).toBe(status);
    expect(answer.text.includes('only accepts some domains and groups')).toBe(status === 403);
  });

  test('gives what the groups may do', async () => {
    const { browser } = await enter('tester', { ...VERIFIED, groups: ['qa', 'core'] });
    const statuses = await Promise.all(
      ['acme/ledger', 'acme/ledger/settings', 'acme/shop/settings', 'other/site'].map(
        async (path) => (await browser.get(`/api/v1/repos/manual/${path}`)).status,
      ),
    );
    expect(statuses).toEqual([200, 403, 200, 404]);
    expect((await browser.get('/admin/users')).status).toBe(403);
    const boss = await enter('boss', { ...VERIFIED, groups: ['ops'] });
    expect((await boss.browser.get('/admin/users')).status).toBe(200);
  });

  test('is the only way in where nobody has a password here', async () => {
    const { text } = await openBrowser(service.url).get('/sign-in');
    expect(text).toContain('Continue with Acme ID');
    expect(text).not.toContain('type="password"');
  });

  test('says so where the provider does not answer', async () => {
    const gone = await startOpenIdStandIn(() => []);
    await gone.close();
    const env = { OIDC_ISSUER: gone.issuer, OIDC_CLIENT_ID: 'x', OIDC_CLIENT_SECRET: 'y', OIDC_ALLOWED_DOMAINS: '*' };
    const own = await startService({ env });
    try {
      const answer = await openBrowser(own.url).get('/sign-in/openid');
      expect([answer.status, answer.text.includes('does not answer')]).toEqual([503, true]);
    } finally {
      await own.stop();
    }
  });
});
