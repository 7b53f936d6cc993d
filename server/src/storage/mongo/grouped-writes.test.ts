import { afterEach, expect, test, vi } from 'vitest';
import { createGroupedWrites, type Outcomes } from './grouped-writes.ts';

afterEach(() => void vi.useRealTimers());

/** Groups of numbers whose commands end when the test says so; an odd number is refused. */
function openGroups(weigh: (item: number) => number = () => 1) {
  const sent: { readonly items: readonly number[]; end(): void; fail(error: Error): void }[] = [];
  const write = createGroupedWrites<number, number>({
    weigh,
    send: (items) =>
      new Promise<Outcomes<number>>((resolve, reject) => {
        const outcomes = items.map((item) =>
          item % 2 === 1 ? { error: new Error(`odd ${item}`) } : { done: item * 10 },
        );
        sent.push({ items, end: () => resolve(outcomes), fail: reject });
      }),
  });
  return { sent, write, items: () => sent.map(({ items }) => items) };
}

test('what comes while a command is in progress goes in the next one, each with its own outcome', async () => {
  const { sent, write, items } = openGroups();
  const all = Promise.allSettled([2, 4, 5, 6].map(write));
  expect(items()).toEqual([[2]]);
  sent[0]?.end();
  await vi.waitFor(() => expect(items()).toEqual([[2], [4, 5, 6]]));
  sent[1]?.end();
  expect((await all).map((one) => (one.status === 'fulfilled' ? one.value : String(one.reason)))).toEqual([
    20,
    40,
    'Error: odd 5',
    60,
  ]);
});

test('a command that fails fails all of its own and none of the next', async () => {
  const { sent, write } = openGroups();
  const all = Promise.allSettled([2, 4].map(write));
  sent[0]?.fail(new Error('gone'));
  await vi.waitFor(() => expect(sent).toHaveLength(2));
  sent[1]?.end();
  expect((await all).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
});

test('a command that hangs holds up the next for a second only', async () => {
  vi.useFakeTimers();
  const { sent, write, items } = openGroups();
  void write(2);
  const next = write(4);
  await vi.advanceTimersByTimeAsync(999);
  expect(items()).toEqual([[2]]);
  await vi.advanceTimersByTimeAsync(1);
  expect(items()).toEqual([[2], [4]]);
  sent[1]?.end();
  expect(await next).toBe(40);
});

test('large items go by themselves at once, others in commands of bounded size', async () => {
  const { sent, write, items } = openGroups((item) => item * 100_000);
  for (const item of [2, 20, 8, 10, 10, 10, 10, 10, 10, 10, 10, 10]) void write(item);
  expect(items()).toEqual([[2], [20]]);
  sent[0]?.end();
  await vi.waitFor(() => expect(items()).toHaveLength(3));
  expect(items()[2]).toEqual([8, 10, 10, 10, 10, 10, 10, 10]);
});
