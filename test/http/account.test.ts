import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PageBrowser } from '../support/page-browser.ts';
import { newPerson, PASSWORD, signedIn } from '../support/people.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
  await newPerson(service, 'alice');
  await newPerson(service, 'root', true);
});
afterAll(() => service.stop());

const DAY = 86_400_000;

async function makeToken(browser: PageBrowser, name: string, expires = '90'): Promise<string> {
  await browser.get('/account/tokens');
  const made = await browser.send('/account/tokens', { name, expires });
  return /<p class="secret">(cvp_[\w-]{43})<\/p>/.exec(made.text)?.[1] ?? `none: ${made.status}`;
}

const list = (token: string) =>
  fetch(`${service.url}/api/v1/repos`, { headers: { authorization: `token ${token}` } }).then(({ status }) => status);

describe('personal tokens of an account', () => {
  test('are shown once, work as the person, and end when they are revoked', async () => {
    const browser = await signedIn(service, 'alice');
    const token = await makeToken(browser, '<b>laptop</b>');
    expect(await list(token)).toBe(200);
    const page = (await browser.get('/account/tokens')).text;
    expect(page).not.toContain(token);
    expect(page).toContain('&lt;b>laptop&lt;/b>');
    expect(page).toContain(`<span class="ref">${token.slice(0, 6)}</span>`);
    const [stored] = await service.store.tokens.ofAccount(1);
    expect(stored?.usedAt).toBeGreaterThan(0);
    await browser.send('/account/revoke', { id: String(stored?.id) });
    expect(await list(token)).toBe(401);
    expect((await browser.get('/account/tokens')).text).not.toContain('laptop');
  });

  test('are nobody else’s to revoke', async () => {
    const [alice, root] = [await signedIn(service, 'alice'), await signedIn(service, 'root')];
    const token = await makeToken(root, 'root’s');
    const [stored] = await service.store.tokens.ofAccount(2);
    await alice.get('/account/tokens');
    expect((await alice.send('/account/revoke', { id: String(stored?.id) })).status).toBe(422);
    expect(await list(token)).toBe(200);
  });

  test('are what their owner is at the time', async () => {
    const token = await makeToken(await signedIn(service, 'root'), 'metrics');
    const scrape = () => fetch(`${service.url}/metrics`, { headers: { authorization: `token ${token}` } });
    expect((await scrape()).status).toBe(200);
    await service.store.accounts.change(2, { administrator: false });
    expect((await scrape()).status).toBe(403);
    await service.store.accounts.change(2, { disabledAt: 1 });
    expect((await scrape()).status).toBe(401);
    await service.store.accounts.change(2, { disabledAt: undefined, administrator: true });
  });

  test.skipIf(process.env.TEST_MONGODB_URL !== undefined)('expire', async () => {
    const own = await startService();
    try {
      await newPerson(own, 'alice');
      const browser = await signedIn(own, 'alice');
      const token = await makeToken(browser, 'short', '30');
      const ask = () => fetch(`${own.url}/api/v1/repos`, { headers: { authorization: `token ${token}` } });
      await own.time.pass(29 * DAY);
      expect((await ask()).status).toBe(200);
      await own.time.pass(DAY);
      expect((await ask()).status).toBe(401);
    } finally {
      await own.stop();
    }
  });

  test('of npm run token go on as they were, until the account of that name is disabled', async () => {
    const before = await service.tokenOf('dora');
    expect(await list(before)).toBe(200);
    const dora = await newPerson(service, 'dora');
    expect(await list(before)).toBe(200);
    await service.store.accounts.change(dora.id, { disabledAt: 1 });
    expect(await list(before)).toBe(401);
  });

  test('say what is wrong with a form, and make nothing', async () => {
    const browser = await signedIn(service, 'alice');
    await browser.get('/account/tokens');
    const before = await service.store.tokens.ofAccount(1);
    for (const [fields, words] of [
      [{ name: ' ', expires: '90' }, '1 to 100 characters'],
      [{ name: 'x'.repeat(101), expires: '90' }, '1 to 100 characters'],
      [{ name: 'x', expires: '9000' }, '30, 90 or 365 days'],
    ] as const) {
      const answer = await browser.send('/account/tokens', fields);
      expect(answer.status).toBe(422);
      expect(answer.text).toContain(words);
    }
    expect(await service.store.tokens.ofAccount(1)).toEqual(before);
  });
});

describe('a password', () => {
  test('is changed by who knows it, and signs out everywhere else', async () => {
    await newPerson(service, 'emil');
    const [here, there] = [await signedIn(service, 'emil'), await signedIn(service, 'emil')];
    await here.get('/account/tokens');
    const change = (current: string, wanted: string, again = wanted) =>
      here.send('/account/password', { current_password: current, new_password: wanted, again });
    expect((await change('wrong', 'a new good password')).text).toContain('The current password is wrong.');
    expect((await change(PASSWORD, 'short')).text).toContain('10 to 200 characters');
    expect((await change(PASSWORD, 'a new good password', 'another')).text).toContain('new passwords do not match');
    expect((await there.get('/account/tokens')).status).toBe(200);
    expect((await change(PASSWORD, 'a new good password')).text).toContain('Your password was changed.');
    expect((await there.get('/account/tokens')).status).toBe(302);
    expect((await here.get('/account/tokens')).status).toBe(200);
    await there.get('/sign-in');
    expect((await there.send('/sign-in', { name: 'emil', password: PASSWORD })).status).toBe(401);
  });
});

describe('the list of users', () => {
  test('is for administrators, who disable others and not themselves', async () => {
    const frieda = await newPerson(service, 'frieda');
    const [root, alice] = [await signedIn(service, 'root'), await signedIn(service, 'alice')];
    const session = await signedIn(service, 'frieda');
    await alice.get('/account/tokens');
    expect((await alice.get('/admin/users')).status).toBe(403);
    expect((await alice.send('/admin/users/disable', { id: String(frieda.id) })).status).toBe(403);
    const shown = await root.get('/admin/users');
    expect(shown.text).toContain('</span> frieda</span>');
    expect((await root.send('/admin/users/disable', { id: '2' })).status).toBe(403);
    expect((await root.send('/admin/users/disable', { id: String(frieda.id) })).status).toBe(303);
    expect((await session.get('/account/tokens')).status).toBe(302);
    expect((await root.get('/admin/users')).text).toContain('disabled');
    await root.send('/admin/users/enable', { id: String(frieda.id) });
    await root.send('/admin/users/promote', { id: String(frieda.id) });
    expect((await (await signedIn(service, 'frieda')).get('/admin/users')).status).toBe(200);
  });
});
