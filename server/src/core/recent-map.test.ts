import { expect, test } from 'vitest';
import { RecentMap } from './recent-map.ts';

test('keeps a limited number, those that were set last', () => {
  const map = new RecentMap<number>({ max: 2 });
  for (const [key, value] of Object.entries({ a: 1, b: 2 })) map.set(key, value);
  map.set('a', 3);
  map.set('c', 4);
  expect(['a', 'b', 'c'].map((key) => map.get(key))).toEqual([3, undefined, 4]);
  map.delete('a');
  expect(map.get('a')).toBeUndefined();
});

test('forgets an entry when its time is over', () => {
  let now = 1_000;
  const map = new RecentMap<string>({ max: 9, lasts: 60, now: () => now });
  map.set('a', 'here');
  now = 1_059;
  expect(map.get('a')).toBe('here');
  now = 1_060;
  expect(map.get('a')).toBeUndefined();
});
