import { afterEach, expect, test, vi } from 'vitest';
import { createMovedTime } from '../../../../test/support/moved-time.ts';
import { systemTimers } from './system-timers.ts';
import { createWorkLoop, type Round, type WorkLoop } from './work-loop.ts';

interface Nap {
  readonly ms: number;
  wake(): void;
}

/** For `stop`, in ms; no other wait is as long. */
const STOP_LIMIT = 7_200_000;

const loops: WorkLoop[] = [];
afterEach(async () => {
  for (const loop of loops.splice(0)) await loop.stop();
});

/** A loop whose rounds are `rounds`, then idle ones; its pauses are ended by the test. */
function startLoop(rounds: (Round | Error | Promise<Round>)[], options: { maxIdle?: number; now?: number } = {}) {
  const naps: Nap[] = [];
  const errors: object[] = [];
  const silent = () => {};
  const run = vi.fn(async (): Promise<Round> => {
    const round = rounds.shift() ?? { nextAt: undefined, didWork: false };
    if (round instanceof Error) throw round;
    return round;
  });
  const loop = createWorkLoop({
    name: 'test',
    run,
    clock: { now: () => options.now ?? 1_000_000 },
    logger: { debug: silent, info: silent, warn: silent, error: (fields) => void errors.push(fields) },
    maxIdle: options.maxIdle ?? 60_000,
    timers: {
      ...systemTimers,
      start(ms, wake) {
        naps.push({ ms, wake });
        return { cancel: silent, unref: silent };
      },
    },
  });
  loops.push(loop);
  loop.start();
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return { loop, run, naps, errors, settled };
}

const work: Round = { nextAt: undefined, didWork: true };

test('runs again while there is work, giving others a turn, then sleeps for the longest idle time', async () => {
  const { run, naps, settled } = startLoop([work, work]);
  await settled();
  expect([run.mock.calls.length, naps.at(-1)?.ms]).toEqual([1, 0]);
  naps.at(-1)?.wake();
  await settled();
  expect([run.mock.calls.length, naps.at(-1)?.ms]).toEqual([2, 0]);
  naps.at(-1)?.wake();
  await settled();
  expect([run.mock.calls.length, naps.at(-1)?.ms]).toEqual([3, 60_000]);
  await settled();
  expect(run).toHaveBeenCalledTimes(3);
});

test.each([
  ['until something is due', 1_005_000, 5_000],
  ['at most the longest idle time', 9_999_999, 60_000],
  ['a little when what is due cannot be taken: no busy loop', 1_000_000, 50],
  ['a little when it was due long ago', 0, 50],
])('sleeps %s', async (_, nextAt, expected) => {
  const { naps, settled } = startLoop([{ nextAt, didWork: false }]);
  await settled();
  expect(naps.map(({ ms }) => ms)).toEqual([expected]);
});

test('a nudge ends the sleep; a nudge during a run makes another one', async () => {
  const slow = Promise.withResolvers<Round>();
  const { loop, run, naps, settled } = startLoop([{ nextAt: undefined, didWork: false }, slow.promise]);
  await settled();
  loop.nudge();
  await settled();
  expect(run).toHaveBeenCalledTimes(2);
  loop.nudge();
  loop.nudge();
  slow.resolve({ nextAt: undefined, didWork: false });
  await settled();
  expect(naps.at(-1)?.ms).toBe(0);
  naps.at(-1)?.wake();
  await settled();
  expect(run).toHaveBeenCalledTimes(3);
  expect(naps.at(-1)?.ms).toBe(60_000);
});

test('an error is logged and tried again after a backoff that no nudge shortens; a good run forgets it', async () => {
  const failing = Array.from({ length: 7 }, () => new Error('locked'));
  const { loop, run, naps, errors, settled } = startLoop([...failing, work, new Error('again')]);
  for (let i = 0; i < 7; i += 1) {
    await settled();
    loop.nudge();
    await settled();
    expect(run).toHaveBeenCalledTimes(i + 1);
    naps.at(-1)?.wake();
  }
  await settled();
  naps.at(-1)?.wake();
  await settled();
  expect(naps.map(({ ms }) => ms)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 0, 1_000]);
  expect(errors).toHaveLength(8);
  expect(errors[0]).toMatchObject({ worker: 'test', failures: 1, err: failing[0] });
});

test('stop wakes the sleeper and starts no further run; later starts and nudges do nothing', async () => {
  const { loop, run, settled } = startLoop([]);
  await settled();
  await loop.stop();
  loop.start();
  loop.nudge();
  await settled();
  expect(run).toHaveBeenCalledTimes(1);
});

test('stop waits for the run in progress, but not forever', async () => {
  const slow = Promise.withResolvers<Round>();
  const { loop, run, naps, settled } = startLoop([slow.promise]);
  const order: string[] = [];
  const stopping = loop.stop().then(() => order.push('stopped'));
  await settled();
  expect([order, naps.at(-1)?.ms]).toEqual([[], 4_000]);
  order.push('4 s have passed');
  naps.at(-1)?.wake();
  await stopping;
  order.push('the run ends');
  slow.resolve(work);
  await settled();
  expect(order).toEqual(['4 s have passed', 'stopped', 'the run ends']);
  expect(run).toHaveBeenCalledTimes(1);
});

test('stop ends with the run in progress, long before its limit', async () => {
  const slow = Promise.withResolvers<Round>();
  const { loop, naps, settled } = startLoop([slow.promise]);
  const order: string[] = [];
  const stopping = loop.stop().then(() => order.push('stopped'));
  await settled();
  order.push('the run ends');
  slow.resolve(work);
  await stopping;
  expect(order).toEqual(['the run ends', 'stopped']);
  // The limit alone was waited for, and nothing woke it.
  expect(naps.map(({ ms }) => ms)).toEqual([4_000]);
});

test('with moved time: stop gives up a run that never ends after its limit, not before', async () => {
  const silent = () => {};
  const time = createMovedTime();
  const loop = createWorkLoop({
    name: 'test',
    run: () => new Promise<never>(silent),
    ...time,
    logger: { debug: silent, info: silent, warn: silent, error: silent },
    stopWithin: 3_600_000,
  });
  loop.start();
  let stopped = false;
  const stopping = loop.stop().then(() => {
    stopped = true;
  });
  await time.pass(1_800_000);
  await new Promise((resolve) => setImmediate(resolve));
  expect(stopped).toBe(false);
  await time.pass(1_800_000);
  await stopping;
});

test('with its own timers: work continues without starving others, and a nudge arrives at once', async () => {
  let runs = 0;
  const limits: boolean[] = [];
  const silent = () => {};
  const loop = createWorkLoop({
    name: 'test',
    run: async () => {
      runs += 1;
      return { nextAt: undefined, didWork: runs < 1_000_000 && runs !== 50 };
    },
    clock: { now: Date.now },
    timers: {
      ...systemTimers,
      start(ms, wake) {
        if (ms !== STOP_LIMIT) return systemTimers.start(ms, wake);
        const limit = limits.push(false) - 1;
        return systemTimers.start(ms, () => {
          limits[limit] = true;
          wake();
        });
      },
    },
    stopWithin: STOP_LIMIT,
    logger: { debug: silent, info: silent, warn: silent, error: silent },
  });
  loops.push(loop);
  loop.start();
  loop.start();
  await vi.waitFor(() => expect(runs).toBe(50), 5_000);
  loop.nudge();
  await vi.waitFor(() => expect(runs).toBeGreaterThan(51), 5_000);
  await loop.stop();
  expect(limits).toEqual([false]);
});
