import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { createDigestFilter, hashDigests } from './digest-filter.ts';

const digestOf = (n: number): string => createHash('sha256').update(`${n}`).digest('hex');
const digests = (from: number, count: number) => Array.from({ length: count }, (_, n) => digestOf(from + n));

test('finds each digest that was added, and few others', () => {
  for (const count of [0, 1, 5_000]) {
    const filter = createDigestFilter(count, 7);
    const added = digests(1, count);
    filter.add(hashDigests(added));
    expect(added.filter((digest) => !filter.has(digest))).toEqual([]);
    expect(digests(100_001, 5_000).filter((digest) => filter.has(digest)).length).toBeLessThan(50);
  }
});

test('finds others with another salt', () => {
  const found = [1, 2].map((salt) => {
    const filter = createDigestFilter(2_000, salt);
    filter.add(hashDigests(digests(1, 2_000)));
    return digests(100_001, 10_000).filter((digest) => filter.has(digest));
  });
  const [some = [], others = []] = found;
  expect(some.filter((digest) => others.includes(digest)).length).toBeLessThan(some.length / 2);
});
