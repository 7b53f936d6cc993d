import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser, type PageBrowser } from '../support/page-browser.ts';
import { manageAccounts, newPerson, PASSWORD, signedIn } from '../support/people.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService({ env: { TRUST_PROXY: 'loopback' } });
});
afterAll(() => service.stop());

let networks = 0;
/** From a network of its own, unless it is said. */
async function attempt(browser: PageBrowser, [name, password]: readonly [string, string], from?: string) {
  networks += 1;
  const address = from ?? `2001:db8:1:${networks.toString(16)}::1`;
  await browser.get('/sign-in');
  return (await browser.send('/sign-in', { name, password }, { 'x-forwarded-for': address })).status;
}
const stranger = (): PageBrowser => openBrowser(service.url);

test('a network has a limit of attempts, whatever addresses it has', async () => {
  await newPerson(service, 'alice');
  const statuses = [];
  for (let n = 1; n <= 51; n += 1)
    statuses.push(await attempt(stranger(), [`name-${n}`, 'wrong'], `2001:db8:0:7::${n.toString(16)}`));
  expect(statuses).toEqual([...Array(50).fill(401), 429]);
  expect(await attempt(stranger(), ['alice', PASSWORD], '2001:db8:0:7:ffff::1')).toBe(429);
  expect(await attempt(stranger(), ['alice', PASSWORD], '2001:db8:0:8::1')).toBe(303);
  const { json } = await service.api.send<{ entries: readonly { address: string }[] }>(
    '/api/v1/audit?action=sign-in.failed&per_page=100',
    { headers: { authorization: `token ${service.adminToken}` } },
  );
  expect(json.entries).toHaveLength(20);
});

describe('a browser that signed in before', () => {
  const device = ({ cookies }: PageBrowser): string => cookies.get('coverage_device') ?? '';
  /** Somebody, their browser, and as many wrong passwords of strangers as an account takes. */
  async function lockOut(name: string) {
    const account = await newPerson(service, name);
    const own = await signedIn(service, name);
    await own.get('/account/tokens');
    await own.send('/sign-out', {});
    for (let n = 0; n < 10; n += 1) expect(await attempt(stranger(), [name, 'wrong'])).toBe(401);
    expect(await attempt(stranger(), [name, PASSWORD])).toBe(429);
    return { account, own };
  }

  test('gets in while strangers try passwords, and has few tries of its own', async () => {
    const { own } = await lockOut('frida');
    expect(await attempt(own, ['frida', PASSWORD])).toBe(303);
    // What it did has given the strangers no further try.
    expect(await attempt(stranger(), ['frida', PASSWORD])).toBe(429);
    const statuses = [];
    for (let n = 0; n < 6; n += 1) statuses.push(await attempt(own, ['frida', 'wrong']));
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
    expect(await attempt(own, ['frida', PASSWORD])).toBe(429);
  });

  test('helps with no other account, and tells whom it is of to nobody', async () => {
    const { own } = await lockOut('greta');
    await lockOut('hanna');
    expect(await attempt(own, ['hanna', PASSWORD])).toBe(429);
    const other = stranger();
    expect(await attempt(other, ['greta', 'wrong'])).toBe(429);
    expect(device(other)).toBe('');
    for (const cookie of [`${device(own).slice(0, -2)}xx`, 'x', '', 'e30', device(own).slice(1)]) {
      other.cookies.set('coverage_device', cookie);
      expect(await attempt(other, ['greta', PASSWORD])).toBe(429);
    }
    expect(device(own)).toMatch(/^[\w-]{100,}$/);
    expect(Buffer.from(device(own), 'base64url').toString('latin1')).not.toContain('greta');
  });

  test('is known until the password changes, and stays so where that was done', async () => {
    const { account, own } = await lockOut('ines');
    expect(await attempt(own, ['ines', PASSWORD])).toBe(303);
    const before = device(own);
    const wanted = 'another good password';
    await own.get('/account/tokens');
    await own.send('/account/password', { current_password: PASSWORD, new_password: wanted, again: wanted });
    expect(device(own)).not.toBe(before);
    const stolen = stranger();
    stolen.cookies.set('coverage_device', before);
    expect(await attempt(stolen, ['ines', wanted])).toBe(429);
    expect(await attempt(own, ['ines', wanted])).toBe(303);
    await manageAccounts(service).setPassword(account, PASSWORD);
    expect(await attempt(own, ['ines', PASSWORD])).toBe(429);
  });

  test('keeps a cookie that no script and no other site gets', async () => {
    const browser = stranger();
    await browser.get('/sign-in');
    const { headers } = await browser.send('/sign-in', { name: 'alice', password: PASSWORD });
    const [cookie] = headers.getSetCookie().filter((line) => line.startsWith('coverage_device='));
    expect(cookie).toMatch(/; Path=\/; HttpOnly; SameSite=Lax; Max-Age=15552000$/);
  });
});
