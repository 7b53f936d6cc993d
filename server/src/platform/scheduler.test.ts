import { expect, test, vi } from 'vitest';
import { Failure } from '../core/failure.ts';
import { Scheduler } from './scheduler.ts';

const keyOf = (share: string) => ({ known: true, share });

/** Runs tasks of these shares, newcomers first, each ended by the test; answers the order in which they began. */
function begin(capacity: number, shares: string) {
  const scheduler = new Scheduler({ capacity, newcomersFirst: true });
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const run = (share: string): Promise<void> =>
    scheduler.run(() => {
      begun.push(share);
      return new Promise<void>((end) => ends.push(end));
    }, keyOf(share));
  for (const share of shares) void run(share);
  const endNext = async (): Promise<void> => {
    ends.shift()?.();
    // The end, and the beginning of the next one.
    for (let key = 0; key < 5; key += 1) await Promise.resolve();
  };
  return { begun, run, endNext };
}

test('of the shares that wait the one that was served least recently goes first', async () => {
  const { begun, endNext, run } = begin(1, 'AAAABBC');
  await endNext();
  void run('C');
  for (let count = 0; count < 7; count += 1) await endNext();
  expect(begun.join('')).toBe('ABCABCAA');
});

test('a share that has every place waits behind another that comes', async () => {
  const { begun, endNext, run } = begin(2, 'AAAA');
  void run('B');
  await Promise.resolve();
  expect(begun.join('')).toBe('AA');
  await endNext();
  expect(begun.join('')).toBe('AAB');
});

test('where newcomers go last it goes before them', async () => {
  const scheduler = new Scheduler({ capacity: 1 });
  const begun: string[] = [];
  const run = (share: string) => scheduler.run(async () => void begun.push(share), keyOf(share));
  await scheduler.take({ key: keyOf('A') });
  const all = [run('A'), run('A'), run('B')];
  scheduler.give({ key: keyOf('A') });
  await Promise.all(all);
  expect(begun.join('')).toBe('ABA');
});

test('a task that fails gives its place back, and its failure to its caller', async () => {
  const scheduler = new Scheduler({ capacity: 1 });
  const failed = scheduler.run(() => Promise.reject(new Error('no')));
  const next = scheduler.run(async () => 'yes');
  await expect(failed).rejects.toThrow('no');
  await expect(next).resolves.toBe('yes');
  expect([scheduler.held, scheduler.waiting]).toEqual([0, 0]);
});

test('of amounts the first waits for its own, and who gives up lets the next pass', async () => {
  vi.useFakeTimers();
  try {
    const refuse = (why: string) => new Failure('unavailable', why);
    const bytes = new Scheduler({ capacity: 10, wait: { deadline: 1_000, refuse } });
    expect(bytes.take({ amount: 6 })).toBeUndefined();
    const large = bytes.take({ amount: 8 })?.catch((failure: Failure) => failure.message);
    const small = bytes.take({ amount: 2, deadline: 5_000 });
    expect([bytes.held, bytes.waiting]).toEqual([6, 2]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await large).toBe('late');
    await small;
    expect([bytes.held, bytes.waiting]).toEqual([8, 0]);
  } finally {
    vi.useRealTimers();
  }
});
