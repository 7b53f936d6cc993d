import { createSecretKey, randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { StoredRepoToken } from '../../core/repo/repo.ts';
import type { AccountStore } from '../../storage/account-store.ts';
import { createSecrets } from './create-secrets.ts';
import { resealAccounts, resealHostTokens, resealTokens } from './reseal-tokens.ts';

const newKey = () => createSecretKey(randomBytes(32));
const secretsOf = (key = newKey(), previousKey?: ReturnType<typeof newKey>) =>
  createSecrets({ key, previousKey, randomBytes });

describe('new tokens', () => {
  const secrets = secretsOf();

  test('have a prefix, 256 bits, and nothing to escape in a repo token', () => {
    expect(secrets.newRepoToken()).toMatch(/^cvr_[A-Za-z0-9]{43}$/);
    expect(secrets.newPersonalToken()).toMatch(/^cvp_[A-Za-z0-9_-]{43}$/);
  });

  test('are never the same', () => {
    const tokens = Array.from({ length: 200 }, () => secrets.newRepoToken());
    expect(new Set(tokens).size).toBe(200);
  });

  test('use every character about equally often', () => {
    const counts = new Map<string, number>();
    for (let i = 0; i < 500; i++) {
      for (const letter of secrets.newRepoToken().slice(4)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
    }
    expect(counts.size).toBe(62);
    // 347 expected each, standard deviation below 19: eight of them either way.
    for (const count of counts.values()) expect(Math.abs(count - (500 * 43) / 62)).toBeLessThan(150);
  });
});

describe('badge tokens', () => {
  const key = newKey();
  const secrets = secretsOf(key);

  test('are one for each repo, the same each time, and reveal nothing about another repo’s', () => {
    expect(secrets.badgeToken(7)).toMatch(/^cvb_[A-Za-z0-9_-]{43}$/);
    expect(secretsOf(key).badgeToken(7)).toBe(secrets.badgeToken(7));
    expect(secrets.badgeToken(8)).not.toBe(secrets.badgeToken(7));
  });

  test('fit their own repo alone', () => {
    const badge = (id: number, from = secrets): string => from.badgeToken(id) ?? '';
    const token = badge(7);
    expect(secrets.isBadgeToken(7, token)).toBe(true);
    for (const wrong of ['', 'cvb_', token.slice(4), `${token}x`, badge(8), badge(7, secretsOf())])
      expect(secrets.isBadgeToken(7, wrong)).toBe(false);
  });

  test('go on working while their key is the previous one', () => {
    const later = secretsOf(newKey(), key);
    expect(later.isBadgeToken(7, secrets.badgeToken(7) ?? '')).toBe(true);
    expect(later.badgeToken(7)).not.toBe(secrets.badgeToken(7));
  });
});

describe('sealing', () => {
  test('opens with the same key and shows nothing of the token', () => {
    const secrets = secretsOf();
    const token = secrets.newRepoToken();
    const { sealed, lookup } = secrets.seal(token);
    expect(secrets.unseal(sealed)).toBe(token);
    expect(Buffer.from(sealed, 'base64').toString('latin1')).not.toContain(token.slice(4, 12));
    expect(lookup).toMatch(/^[0-9a-f]{64}$/);
    expect(lookup).not.toBe(secrets.hash(token));
  });

  test('seals differently each time, yet finds by one lookup', () => {
    const secrets = secretsOf();
    const [first, second] = [secrets.seal('cvr_x'), secrets.seal('cvr_x')];
    expect(first.sealed).not.toBe(second.sealed);
    expect(first.lookup).toBe(second.lookup);
    expect(secrets.lookups('cvr_x')).toEqual([first.lookup]);
  });

  test('refuses another key, changed bytes and rubbish', () => {
    const secrets = secretsOf();
    const { sealed } = secrets.seal('cvr_x');
    const bytes = Buffer.from(sealed, 'base64');
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
    expect(secretsOf().unseal(sealed)).toBeUndefined();
    expect(secrets.unseal(bytes.toString('base64'))).toBeUndefined();
    expect(secrets.unseal('')).toBeUndefined();
    expect(secrets.unseal('!!')).toBeUndefined();
  });
});

describe('a change of SECRET_KEY', () => {
  const [oldKey, newerKey] = [newKey(), newKey()];
  const before = secretsOf(oldKey);
  const during = secretsOf(newerKey, oldKey);
  const after = secretsOf(newerKey);

  test('finds and opens old tokens while the previous key is given', () => {
    const stored = before.seal('cvr_x');
    expect(during.lookups('cvr_x')).toEqual([after.seal('cvr_x').lookup, stored.lookup]);
    expect(during.unseal(stored.sealed)).toBe('cvr_x');
    expect(after.unseal(stored.sealed)).toBeUndefined();
  });

  test('reseals what the previous key holds, once, and names what no key opens', async () => {
    const rows = new Map<number, Pick<StoredRepoToken, 'lookup' | 'sealed'>>([
      [1, before.seal('cvr_one')],
      [2, during.seal('cvr_two')],
      [3, secretsOf().seal('cvr_lost')],
    ]);
    const repos = {
      listTokens: async () => [...rows].map(([id, token]) => ({ id, repoId: 10 * id, ...token, expiresAt: undefined })),
      resealToken: async (id: number, token: Pick<StoredRepoToken, 'lookup' | 'sealed'>) => {
        rows.set(id, token);
      },
    };
    expect(await resealTokens({ repos, secrets: during })).toEqual({ resealed: 1, unchanged: 1, unreadable: [30] });
    expect(after.unseal(rows.get(1)?.sealed ?? '')).toBe('cvr_one');
    expect(rows.get(1)?.lookup).toBe(after.lookups('cvr_one')[0]);
    expect(await resealTokens({ repos, secrets: during })).toEqual({ resealed: 0, unchanged: 2, unreadable: [30] });
  });

  test('reseals what providers gave to people, once, and leaves what no key opens', async () => {
    const lost = secretsOf().sealText('lost');
    const rows = [
      { id: 1, hostToken: before.sealText('host'), refreshToken: undefined },
      { id: 2, hostToken: undefined, refreshToken: before.sealText('refresh') },
      { id: 3, hostToken: lost, refreshToken: during.sealText('own') },
    ];
    const accounts = {
      list: async ({ after = 0 }: { readonly after: number | undefined }) => rows.filter(({ id }) => id > after),
      change: async (id: number, fields: object) => Object.assign(rows[id - 1] ?? {}, fields),
    } as unknown as Pick<AccountStore, 'list' | 'change'>;
    expect(await resealAccounts({ accounts, secrets: during, current: after })).toBe(2);
    expect([rows[0]?.hostToken, rows[1]?.refreshToken].map((one) => after.openText(one ?? ''))).toEqual([
      'host',
      'refresh',
    ]);
    expect(rows[2]?.hostToken).toBe(lost);
    expect(await resealAccounts({ accounts, secrets: during, current: after })).toBe(0);
  });
});

test('tokens of git hosts are sealed again under the current key, but for those that no key opens', async () => {
  const [before, after] = [newKey(), newKey()];
  const [during, current] = [secretsOf(after, before), secretsOf(after)];
  const lost = secretsOf().sealText('lost');
  const sealed = [secretsOf(before).sealText('glpat-one'), undefined, lost, current.sealText('glpat-new')];
  const rows = sealed.map((one, index) => ({
    id: index + 1,
    hostToken: one === undefined ? undefined : { sealed: one, at: index },
  }));
  const repos = {
    list: async ({ after: last }: { readonly after: { readonly id: number } | undefined }) =>
      rows.slice(last?.id ?? 0, (last?.id ?? 0) + 2),
    setHostToken: async ({
      repoId,
      token,
      was,
    }: {
      repoId: number;
      token: { sealed: string; at: number };
      was: string;
    }) => {
      const row = rows[repoId - 1];
      if (row?.hostToken?.sealed !== was) return false;
      row.hostToken = token;
      return true;
    },
  } as unknown as Parameters<typeof resealHostTokens>[0]['repos'];
  expect(await resealHostTokens({ repos, secrets: during, current })).toBe(1);
  expect(rows.map(({ hostToken }) => hostToken && current.openText(hostToken.sealed))).toEqual([
    ...['glpat-one', undefined, undefined],
    'glpat-new',
  ]);
  expect([rows[0]?.hostToken?.at, rows[2]?.hostToken?.sealed]).toEqual([0, lost]);
  expect(await resealHostTokens({ repos, secrets: during, current })).toBe(0);
});

test('equal compares texts of any length', () => {
  const { equal } = secretsOf();
  expect(equal('abc', 'abc')).toBe(true);
  expect(equal('abc', 'abd')).toBe(false);
  expect(equal('abc', 'abcd')).toBe(false);
  expect(equal('', 'abc')).toBe(false);
});

test('hash is SHA-256 in hex', () => {
  expect(secretsOf().hash('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});
