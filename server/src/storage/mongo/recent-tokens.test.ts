import { afterEach, expect, it, vi } from 'vitest';
import { createRecentTokens, type TokenHolder } from './recent-tokens.ts';

afterEach(() => void vi.useRealTimers());

it('remembers nothing that was asked for before a change, though it is answered after it', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const recent = createRecentTokens();
  const [before, after] = [{} as TokenHolder, {} as TokenHolder];
  const asked = performance.now();
  vi.advanceTimersByTime(1);
  recent.forget();
  recent.note(['a'], before, asked);
  expect(recent.find(['a'])).toBeUndefined();
  vi.advanceTimersByTime(1);
  recent.note(['a'], after, performance.now());
  expect(recent.find(['a'])).toBe(after);
});
