import { expect, test } from 'vitest';
import { createMovedTime } from '../../../test/support/moved-time.ts';
import { createMinuteRate, takeAll } from './limiter.ts';

/** What has become of it by now. */
async function stateOf(taken: Promise<unknown>): Promise<unknown> {
  return Promise.race([taken.then((over) => over ?? 'taken'), new Promise((now) => setImmediate(now, 'waiting'))]);
}

test('takes a minute’s number at once, the next in their time within bounds, then one each interval', async () => {
  const { timers, pass } = createMovedTime();
  const { take } = createMinuteRate({ perMinute: 60, timers });
  for (let count = 0; count < 60; count += 1) expect(await take('a')).toBeUndefined();
  const waiting = [take('a'), take('a')];
  expect(await take('a')).toEqual({ count: 62, retryAfter: 3 });
  expect(await take('a', 500)).toEqual({ count: 62, retryAfter: 3 });
  expect(await take('b')).toBeUndefined();
  expect(await Promise.all(waiting.map(stateOf))).toEqual(['waiting', 'waiting']);
  await pass(1_000);
  expect(await Promise.all(waiting.map(stateOf))).toEqual(['taken', 'waiting']);
  await pass(1_000);
  expect(await stateOf(waiting[1] ?? take('a'))).toBe('taken');
  await pass(1_000);
  expect(await take('a')).toBeUndefined();
  expect(await take('a', 0)).toEqual({ count: 60, retryAfter: 1 });
});

test('takes off what was none, and forgets after a minute', async () => {
  const { timers, pass } = createMovedTime();
  const { take, giveBack } = createMinuteRate({ perMinute: 2, timers });
  expect([await take('a'), await take('a')]).toEqual([undefined, undefined]);
  giveBack('a');
  giveBack('b');
  expect(await take('a')).toBeUndefined();
  expect(await take('a')).toEqual({ count: 2, retryAfter: 30 });
  await pass(60_000);
  expect([await take('a'), await take('a')]).toEqual([undefined, undefined]);
});

test('takes any number where there is no limit', async () => {
  const { take } = createMinuteRate({ perMinute: 0, timers: createMovedTime().timers });
  for (let count = 0; count < 100; count += 1) expect(await take('a')).toBeUndefined();
});

test('takes of several rates together, or of none', async () => {
  const { timers } = createMovedTime();
  const [wide, narrow] = [2, 1].map((perMinute) => createMinuteRate({ perMinute, timers }));
  if (wide === undefined || narrow === undefined) throw new Error('two rates');
  const both = (key: string) =>
    takeAll([
      [wide, 'all'],
      [narrow, key],
    ]);
  expect(await both('a')).toBeUndefined();
  expect(await both('a')).toEqual({ count: 1, retryAfter: 60 });
  expect(await both('b')).toBeUndefined();
  expect(await both('c')).toEqual({ count: 2, retryAfter: 30 });
});
