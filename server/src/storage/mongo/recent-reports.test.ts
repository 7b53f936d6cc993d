import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createRecentReports } from './recent-reports.ts';

const MIB = 2 ** 20;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('keeps at most 8 MiB, of which the oldest go first, and no report over 2 MiB', () => {
  const recent = createRecentReports();
  const ids = ['a', 'b', 'c', 'd', 'e'];
  for (const id of ids) recent.keep(id, new Uint8Array(2 * MIB));
  recent.keep('large', new Uint8Array(2 * MIB + 1));
  recent.keep('e', new Uint8Array(1));
  expect([...ids, 'large'].filter((id) => recent.find(id) !== undefined)).toEqual(['b', 'c', 'd', 'e']);
  expect(recent.find('e')).toHaveLength(1);
});

it('forgets a report after a minute, and one that is removed at once', () => {
  const recent = createRecentReports();
  recent.keep('a', Uint8Array.of(1));
  recent.keep('b', Uint8Array.of(2));
  recent.forget('a');
  expect([recent.find('a'), recent.find('b')]).toEqual([undefined, Uint8Array.of(2)]);
  vi.advanceTimersByTime(60_000);
  expect(recent.find('b')).toBeUndefined();
  expect(vi.getTimerCount()).toBe(0);
});
