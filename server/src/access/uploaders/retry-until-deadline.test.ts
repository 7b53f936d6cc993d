import { describe, expect, test } from 'vitest';
import { ProviderFailure } from '../../ports/provider.ts';
import { createRetryUntilDeadline } from './retry-until-deadline.ts';

/** A clock that sleeping moves. */
function scene() {
  const time = { now: 1_000_000 };
  const slept: number[] = [];
  const ask = createRetryUntilDeadline({
    clock: { now: () => time.now },
    timers: {
      sleep: async (ms) => {
        slept.push(ms);
        time.now += ms;
      },
    },
  });
  return { time, slept, ask };
}

const away = () => new ProviderFailure('transient', 'away');

describe('a provider', () => {
  test('that answers is asked once, with all the time', async () => {
    const { ask, slept } = scene();
    expect(await ask(async (limit) => limit)).toBe(6_000);
    expect(slept).toEqual([]);
  });

  test('is asked for no longer than the request has left of its ten seconds', async () => {
    const { ask } = scene();
    expect(await ask(async (limit) => limit, 5_000)).toBe(4_000);
    expect(await ask(async (limit) => limit, 20_000)).toBe(1_000);
  });

  test('that comes back in time is asked again, with the time that is left', async () => {
    const { ask, slept } = scene();
    const failures = [away(), away()];
    const limit = await ask(async (left) => {
      const failure = failures.pop();
      if (failure !== undefined) throw failure;
      return left;
    });
    expect(slept).toEqual([200, 400]);
    expect(limit).toBe(5_400);
  });

  test('that stays away ends it within the time', async () => {
    const { ask, time } = scene();
    const began = time.now;
    await expect(ask(() => Promise.reject(away()))).rejects.toThrow('away');
    expect(time.now - began).toBeLessThan(6_000);
  });

  test('that wants us to wait is waited for, if that is soon enough', async () => {
    const { ask, slept, time } = scene();
    const soon = new ProviderFailure('limited', 'slow down', { retryAt: time.now + 2_000 });
    const failures = [soon];
    expect(
      await ask(async () => {
        const failure = failures.pop();
        if (failure !== undefined) throw failure;
        return 'done';
      }),
    ).toBe('done');
    expect(slept).toEqual([2_000]);
    const later = new ProviderFailure('limited', 'slow down', { retryAt: time.now + 60_000 });
    await expect(ask(() => Promise.reject(later))).rejects.toBe(later);
    expect(slept).toEqual([2_000]);
  });

  test('whose answer is final is not asked again, nor after a fault of ours', async () => {
    for (const error of [new ProviderFailure('permanent', 'no', { status: 401 }), new TypeError('a bug')]) {
      const { ask, slept } = scene();
      await expect(ask(() => Promise.reject(error))).rejects.toBe(error);
      expect(slept).toEqual([]);
    }
  });

  test('is not asked by too many at once: those wait, and give up in time', async () => {
    const { ask } = scene();
    const open = Promise.withResolvers<string>();
    const asking = Array.from({ length: 64 }, () => ask(() => open.promise));
    await expect(ask(async () => 'one more')).rejects.toThrow('Too many tokens');
    open.resolve('done');
    expect(new Set(await Promise.all(asking))).toEqual(new Set(['done']));
    expect(await ask(async () => 'one more')).toBe('one more');
  });
});
