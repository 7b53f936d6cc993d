import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createPasswords } from './passwords.ts';

const CHEAP = { log2: 4, blocks: 8, lanes: 1 };
const passwords = createPasswords({ randomBytes, cost: CHEAP });

test('a password matches what was stored of it, and nothing else', async () => {
  const stored = await passwords.hash('correct horse');
  expect(stored).toMatch(/^scrypt\$4\$8\$1\$[\w-]{22}\$[\w-]{43}$/);
  expect(await passwords.hash('correct horse')).not.toBe(stored);
  expect(await passwords.matches('correct horse', stored)).toBe(true);
  expect(await passwords.matches('correct horse ', stored)).toBe(false);
  expect(await passwords.matches('', undefined)).toBe(false);
});

test('one that was stored at another cost still matches, however its letters were typed', async () => {
  const before = await createPasswords({ randomBytes, cost: { ...CHEAP, lanes: 2 } }).hash('caf\u00e9 noir');
  expect(await passwords.matches('cafe\u0301 noir', before)).toBe(true);
});

test('of very many at once some are sent away', async () => {
  const stored = await passwords.hash('correct horse');
  const asked = Array.from({ length: 60 }, () => passwords.matches('correct horse', stored));
  const outcomes = await Promise.allSettled(asked);
  const refused = outcomes.filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(8);
  expect(refused[0]).toMatchObject({ reason: { code: 'unavailable' } });
  expect(await passwords.matches('correct horse', stored)).toBe(true);
});
