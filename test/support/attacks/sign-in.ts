import { openStore } from '../../../server/src/storage/open/open-store.ts';
import { openBrowser, type PageBrowser } from '../page-browser.ts';
import { manageAccounts, PASSWORD } from '../people.ts';
import { type Attack, atMost, type Outcome } from './attack.ts';

interface Attacked {
  readonly url: string;
  readonly code: string;
}

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, n) => n);
const hex = (n: number): string => n.toString(16);

/** What strangers do with passwords and with links that they come by. */
export const signIn: Attack = {
  name: 'sign-in',
  async run(start) {
    const { server } = await start({ TRUST_PROXY: 'loopback' });
    const store = await openStore({ url: `sqlite:${server.directory}/coverage.db`, mustExist: true });
    const manage = manageAccounts({ store, time: { clock: { now: Date.now } } });
    const alice = await manage.create({ user: 'alice', password: PASSWORD, administrator: true });
    const attacked = { url: server.url, code: await manage.makeCode(alice) };
    await store.close();
    return [await openLink(attacked), ...(await flood(attacked)), await lockOut(attacked)];
  },
};

async function attempt(browser: PageBrowser, from: string, fields: Readonly<Record<'name' | 'password', string>>) {
  await browser.get('/sign-in');
  return (await browser.send('/sign-in', fields, { 'x-forwarded-for': from })).status;
}

async function openLink({ url, code }: Attacked): Promise<Outcome> {
  const address = `/sign-in/link?code=${code}`;
  for (const method of ['HEAD', 'GET', 'HEAD']) await fetch(url + address, { method });
  const browser = openBrowser(url);
  await browser.get(address);
  const { status } = await browser.send('/sign-in/link', { code });
  const measured = status === 303 ? 0 : 1;
  return atMost(0, { attack: 'HEAD and GET of a sign-in link', of: 'links used up', measured, unit: 'links' });
}

/** One machine with a /64, and two with addresses of IPv4, beside somebody who knows their password. */
async function flood({ url }: Attacked): Promise<readonly Outcome[]> {
  const guess = (n: number, from: string) =>
    attempt(openBrowser(url), from, { name: `nobody-${n}`, password: 'guessed' });
  const ofNetwork = Promise.all(numbers(60).map((n) => guess(n, `2001:db8::${hex(n + 1)}`)));
  const ofOthers = Promise.all(numbers(40).map((n) => guess(60 + n, `198.51.100.${n % 2}`)));
  let refused = 0;
  for (const n of numbers(5)) {
    const status = await attempt(openBrowser(url), `2001:db8:1:${hex(n)}::1`, { name: 'alice', password: PASSWORD });
    if (status !== 303) refused += 1;
  }
  const taken = (await ofNetwork).filter((status) => status !== 429).length;
  await ofOthers;
  const other = { attack: '100 wrong passwords of three networks at once', unit: 'sign-ins' };
  return [
    atMost(50, { attack: '60 addresses of one /64 guess passwords', of: 'taken', measured: taken, unit: 'attempts' }),
    atMost(0, { ...other, of: 'right ones of other networks refused', measured: refused }),
  ];
}

async function lockOut({ url }: Attacked): Promise<Outcome> {
  const own = openBrowser(url);
  await attempt(own, '203.0.113.1', { name: 'alice', password: PASSWORD });
  own.cookies.delete('coverage_session');
  for (const n of numbers(12))
    await attempt(openBrowser(url), `2001:db8:2:${hex(n)}::1`, { name: 'alice', password: 'guessed' });
  const status = await attempt(own, '203.0.113.1', { name: 'alice', password: PASSWORD });
  const attack = '12 wrong passwords of strangers';
  const measured = status === 303 ? 0 : 1;
  return atMost(0, { attack, of: 'owners kept out of a browser that they used before', measured, unit: 'people' });
}
