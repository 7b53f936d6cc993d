import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createPasswords } from './passwords.ts';

const STRANGER = { known: false, share: '2001:db8::/64' };
const CHEAP = { log2: 4, blocks: 8, parallelism: 1 };
const passwords = createPasswords({ randomBytes, cost: CHEAP });

test('a password matches what was stored of it, and nothing else', async () => {
  const stored = await passwords.hash('correct horse');
  expect(stored).toMatch(/^scrypt\$4\$8\$1\$[\w-]{22}\$[\w-]{43}$/);
  expect(await passwords.hash('correct horse')).not.toBe(stored);
  expect(await passwords.matches('correct horse', stored, STRANGER)).toBe(true);
  expect(await passwords.matches('correct horse ', stored, STRANGER)).toBe(false);
  expect(await passwords.matches('', undefined, STRANGER)).toBe(false);
});

test('one that was stored at another cost still matches, however its letters were typed', async () => {
  const before = await createPasswords({ randomBytes, cost: { ...CHEAP, parallelism: 2 } }).hash('caf\u00e9 noir');
  expect(await passwords.matches('cafe\u0301 noir', before, STRANGER)).toBe(true);
});

test('of very many at once some are sent away', async () => {
  const stored = await passwords.hash('correct horse');
  const asked = Array.from({ length: 60 }, () => passwords.matches('correct horse', stored, STRANGER));
  const outcomes = await Promise.allSettled(asked);
  const refused = outcomes.filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(8);
  expect(refused[0]).toMatchObject({ reason: { code: 'unavailable' } });
  expect(await passwords.matches('correct horse', stored, STRANGER)).toBe(true);
});

test('a network that asks for very many keeps no other one waiting behind them, nor a known browser', async () => {
  const stored = await passwords.hash('correct horse');
  const ended: string[] = [];
  const ask = async (who: string, turn: { readonly known: boolean; readonly share: string }): Promise<void> => {
    const outcome = await passwords.matches('correct horse', stored, turn).catch(({ code }) => code);
    ended.push(`${who} ${outcome}`);
  };
  const flood = Array.from({ length: 60 }, () => ask('flood', STRANGER));
  const others = [ask('other', { known: false, share: '198.51.100.7' }), ask('known', { known: true, share: 'x' })];
  await Promise.all([...flood, ...others]);
  const before = (who: string): number => ended.filter((one) => one.endsWith('true')).indexOf(`${who} true`);
  for (const who of ['other', 'known']) {
    expect(before(who)).toBeGreaterThanOrEqual(0);
    expect(before(who)).toBeLessThan(7);
  }
  expect(ended.filter((one) => one === 'flood unavailable')).toHaveLength(9);
});
