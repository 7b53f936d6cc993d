import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type OpenIdStandIn, startOpenIdStandIn } from '../support/openid-stand-in/openid-stand-in.ts';
import { openBrowser, type PageBrowser } from '../support/page-browser.ts';
import { signInAtOpenId } from '../support/people.ts';
import { type Service, startService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

const HOUR = 3_600_000;
const VERIFIED = { email: 'mona@acme.example', email_verified: true };
const IN_BOTH = { ...VERIFIED, groups: ['ops', 'core', 'choir'] };

interface Scene {
  readonly provider: OpenIdStandIn;
  readonly service: Service;
}

async function start(options: { readonly refreshes: boolean }, env: Record<string, string> = {}): Promise<Scene> {
  let service: Service | undefined;
  const provider = await startOpenIdStandIn(() => [`${service?.url}/sign-in/openid/callback`], options);
  service = await startService({
    env: {
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: provider.clientId,
      OIDC_CLIENT_SECRET: provider.clientSecret,
      OIDC_NAME: 'Acme ID',
      OIDC_ALLOWED_DOMAINS: '*',
      OIDC_ADMIN_GROUP: 'ops',
      OIDC_GROUP_ROLES: 'core=manual/acme/*:maintainer',
      ...env,
    },
  });
  for (const name of ['acme/shop', 'acme/hand']) await service.api.createRepo({ service: 'manual', name });
  return { provider, service };
}

let people = 0;

/** A new person who is an administrator through a group, with a personal token that never expires. */
async function enter({ provider, service }: Scene, claims: object = IN_BOTH) {
  people += 1;
  const subject = `u-${people}`;
  provider.visitAs(subject, { ...claims });
  const { browser } = await signInAtOpenId(service.url, provider.issuer);
  await browser.get('/account/tokens');
  const made = await browser.send('/account/tokens', { name: 'laptop', expires: 'never' });
  const token = /cvp_[\w-]{43}/.exec(made.text)?.[0] ?? '';
  const account = await service.store.accounts.findBySubject(provider.issuer, subject);
  if (account === undefined) throw new Error('nobody was signed in');
  const rotate = async (repo = 'acme/shop'): Promise<number> => {
    const headers = { authorization: `token ${token}`, 'content-type': 'application/json' };
    const path = `${service.url}/api/v1/repos/manual/${repo}/token`;
    const { status } = await fetch(path, { method: 'POST', headers, body: '{}' });
    return status === 201 ? 200 : status;
  };
  return { subject, browser, rotate, id: account.id };
}

const admin = async (browser: PageBrowser): Promise<number> => (await browser.get('/admin')).status;

async function ended({ service }: Scene, id: number) {
  const entries = await service.store.audit.list({
    repo: undefined,
    action: 'group-rights.ended',
    since: undefined,
    until: undefined,
    newestFirst: true,
    beyond: undefined,
    limit: 50,
  });
  return entries.filter(({ account }) => account === id).map(({ before, after, by }) => ({ before, after, by }));
}

// The time of a shared store cannot be moved.
describe.skipIf(process.env.TEST_MONGODB_URL !== undefined)('groups of a provider that gives no refresh token', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await start({ refreshes: false });
  });
  afterAll(() => Promise.all([scene.service.stop(), scene.provider.close()]));

  test('count for 12 hours, for a session that continues and for a token that never expires', async () => {
    const { browser, rotate, id } = await enter(scene);
    await scene.service.time.pass(11 * HOUR);
    expect([await admin(browser), await rotate()]).toEqual([200, 200]);
    await scene.service.time.pass(HOUR);
    expect([await admin(browser), await rotate()]).toEqual([403, 404]);
    expect((await browser.get('/account/tokens')).status).toBe(200);
    expect(await ended(scene, id)).toEqual([
      {
        before: { groups: ['ops', 'core'] },
        after: { groups: [], reason: 'expired' },
        by: { kind: 'provider', service: 'openid' },
      },
    ]);
    // Neither a session that is used every 11 hours nor a year makes them count again.
    for (let n = 0; n < 4; n += 1) {
      await scene.service.time.pass(11 * HOUR);
      expect(await admin(browser)).toBe(403);
    }
    await scene.service.time.pass(365 * 24 * HOUR);
    expect(await rotate()).toBe(404);
    expect(await ended(scene, id)).toHaveLength(1);
  });

  test('end alone: who was made a maintainer or an administrator by hand stays one', async () => {
    const { rotate, id } = await enter(scene);
    const repo = await scene.service.store.repos.findByName('manual', 'acme/hand');
    await scene.service.store.members.put({
      repoId: repo?.id ?? 0,
      accountId: id,
      role: 'maintainer',
      by: 'alice',
      at: Date.now(),
    });
    await scene.service.time.pass(13 * HOUR);
    expect([await rotate('acme/shop'), await rotate('acme/hand')]).toEqual([404, 200]);
    await scene.service.store.accounts.change(id, { administrator: true });
    expect(await rotate('acme/shop')).toBe(200);
  });

  test('count again after a new sign-in, and the page of tokens says until when', async () => {
    const { browser, subject, rotate } = await enter(scene);
    const told = (await browser.get('/account/tokens')).text;
    expect(told).toContain('Rights through your groups at Acme ID end');
    await scene.service.time.pass(13 * HOUR);
    expect(await rotate()).toBe(404);
    expect((await enterAgain(scene, subject, IN_BOTH)).status).toBe(200);
    expect(await rotate()).toBe(200);
  });

  test('that are lost by a new sign-in end at once, and so does a session that rested', async () => {
    const { browser, subject, rotate, id } = await enter(scene);
    await enterAgain(scene, subject, { ...VERIFIED, groups: ['core'] });
    expect([await rotate(), await admin(browser)]).toEqual([200, 403]);
    expect(await ended(scene, id)).toMatchObject([{ after: { groups: ['core'], reason: 'changed' } }]);
    const other = await enter(scene);
    await scene.service.time.pass(13 * HOUR);
    expect((await other.browser.get('/account/tokens')).status).toBe(302);
  });

  test('of an account of an earlier version do not count until its next sign-in', async () => {
    const { rotate, id } = await enter(scene);
    await scene.service.store.accounts.change(id, { groupsAt: undefined });
    expect(await rotate()).toBe(404);
  });
});

async function enterAgain({ provider, service }: Scene, subject: string, claims: object) {
  provider.visitAs(subject, { ...claims });
  return (await signInAtOpenId(service.url, provider.issuer)).answer;
}

describe.skipIf(process.env.TEST_MONGODB_URL !== undefined)('groups of a provider that can be asked again', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await start({ refreshes: true }, { OIDC_PROMPT: 'consent' });
  });
  beforeEach(() => scene.provider.setSilent(false));
  afterAll(() => Promise.all([scene.service.stop(), scene.provider.close()]));
  const renewals = () => ({ ...scene.provider.asked });
  const renewed = (before: { renewed: number }) =>
    waitFor(async () => (scene.provider.asked.renewed > before.renewed ? true : undefined), { what: 'a renewal' });

  test('go on counting while somebody is in them, each refresh token used once', async () => {
    const { browser, rotate } = await enter(scene);
    const before = renewals();
    expect((await browser.get('/account/tokens')).text).toContain('Acme ID is asked again');
    for (let day = 0; day < 3; day += 1) {
      await scene.service.time.pass(24 * HOUR);
      expect(await Promise.all([rotate(), rotate(), rotate()])).toEqual([200, 200, 200]);
    }
    expect(renewals()).toEqual({ renewed: before.renewed + 3, refused: before.refused });
    const account = await scene.service.store.accounts.list({ after: undefined, limit: 99 });
    expect(account.every(({ refreshToken }) => refreshToken === undefined || refreshToken.length > 60)).toBe(true);
  });

  test('end with the group: at once after half of their time, even if a token is used all the time', async () => {
    const { subject, browser, rotate, id } = await enter(scene);
    scene.provider.say(subject, { ...VERIFIED, groups: ['core'] });
    await scene.service.time.pass(5 * HOUR);
    expect(await admin(browser)).toBe(200);
    await scene.service.time.pass(2 * HOUR);
    const before = renewals();
    expect(await admin(browser)).toBe(200);
    await renewed(before);
    await waitFor(async () => ((await admin(browser)) === 403 ? true : undefined), { what: 'the right to end' });
    expect(await rotate()).toBe(200);
    expect(await ended(scene, id)).toMatchObject([
      { before: { groups: ['ops', 'core'] }, after: { groups: ['core'], reason: 'changed' } },
    ]);
    scene.provider.say(subject, VERIFIED);
    await scene.service.time.pass(13 * HOUR);
    expect(await rotate()).toBe(404);
  });

  test('end where the provider has ended what it gave', async () => {
    const { rotate, id } = await enter(scene);
    await scene.provider.endGrants();
    await scene.service.time.pass(13 * HOUR);
    expect(await rotate()).toBe(404);
    expect(await ended(scene, id)).toMatchObject([{ after: { groups: [], reason: 'ended' } }]);
    expect((await scene.service.store.accounts.find(id))?.refreshToken).toBeUndefined();
  });

  test('outlast a short silence of the provider, and no long one', async () => {
    const { rotate, id } = await enter(scene);
    await scene.service.time.pass(7 * HOUR);
    scene.provider.setSilent(true);
    expect(await rotate()).toBe(200);
    await scene.service.time.pass(4 * HOUR);
    expect(await rotate()).toBe(200);
    await scene.service.time.pass(2 * HOUR);
    expect(await rotate()).toBe(404);
    expect(await ended(scene, id)).toMatchObject([{ after: { reason: 'expired' } }]);
    scene.provider.setSilent(false);
    await scene.service.time.pass(60_000);
    expect(await rotate()).toBe(200);
  });
});

test('offline_access is asked for where the provider offers it and a group means something', async () => {
  const scopeOf = async (scene: Scene): Promise<string | null> => {
    const { location } = await openBrowser(scene.service.url).get('/sign-in/openid');
    await Promise.all([scene.service.stop(), scene.provider.close()]);
    return new URL(location ?? '').searchParams.get('scope');
  };
  expect(await scopeOf(await start({ refreshes: true }))).toBe('openid profile email offline_access');
  expect(await scopeOf(await start({ refreshes: false }))).toBe('openid profile email');
});
