import { expect, test } from 'vitest';
import { createWritePacer } from './write-pacer.ts';

function startPacer(settings: { perSecond: number; burst: number; longestWait: number }) {
  let now = 1_000_000;
  const waits: number[] = [];
  const sleep = async (ms: number) => void waits.push(ms);
  const pace = createWritePacer({ ...settings, tooMany: 'Too many.', clock: { now: () => now }, sleep });
  const pass = (ms: number): void => {
    now += ms;
  };
  return { pace, waits, pass };
}

test('a burst goes out at once, then one at a time; rest makes room again, up to the burst', async () => {
  const { pace, waits, pass } = startPacer({ perSecond: 2, burst: 3, longestWait: 10_000 });
  for (let i = 0; i < 5; i += 1) await pace();
  expect(waits).toEqual([500, 1_000]);
  pass(1_500);
  await pace();
  expect(waits).toHaveLength(2);
  pass(3_600_000);
  for (let i = 0; i < 4; i += 1) await pace();
  expect(waits).toEqual([500, 1_000, 500]);
});

test('a wait that is too long is refused with the time of the turn, and takes no turn', async () => {
  const { pace, waits, pass } = startPacer({ perSecond: 1, burst: 1, longestWait: 1_000 });
  await pace();
  await pace();
  for (let i = 0; i < 3; i += 1) await expect(pace()).rejects.toMatchObject({ kind: 'limited', retryAt: 1_002_000 });
  pass(1_000);
  await pace();
  expect(waits).toEqual([1_000, 1_000]);
});

test('a clock that goes back makes nobody wait for it', async () => {
  const { pace, waits, pass } = startPacer({ perSecond: 1, burst: 2, longestWait: 1_000 });
  await pace();
  pass(-3_600_000);
  await pace();
  pass(1_000);
  await pace();
  expect(waits).toEqual([]);
});
