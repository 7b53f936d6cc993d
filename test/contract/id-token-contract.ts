import { describe, expect, it } from 'vitest';
import { T0 } from './records.ts';
import type { Subject } from './store-contract.ts';

export function describeUsedIdTokens(subject: Subject): void {
  describe('used id-tokens', () => {
    it('keep the digest of their first use until they expire', async () => {
      const { usedIdTokens } = subject.store;
      const use = (key: string, digest: string, expiresAt = T0) => usedIdTokens.use({ key, digest, expiresAt });
      expect(await use('a', 'first')).toBe('first');
      expect(await use('a', 'second', T0 + 100)).toBe('first');
      expect(await use('a', 'first')).toBe('first');
      expect(await use('b', 'other', T0 + 1)).toBe('other');
      expect(await usedIdTokens.removeExpired(T0 - 1)).toBe(0);
      expect(await usedIdTokens.removeExpired(T0)).toBe(1);
      expect([await use('a', 'again'), await use('b', 'again')]).toEqual(['again', 'other']);
    });

    it('agree on one of several first uses at once', async () => {
      const { usedIdTokens } = subject.store;
      const digests = ['1', '2', '3', '4'];
      const kept = await Promise.all(digests.map((digest) => usedIdTokens.use({ key: 'c', digest, expiresAt: T0 })));
      expect(new Set(kept).size).toBe(1);
      expect(digests).toContain(kept[0]);
    });
  });
}
