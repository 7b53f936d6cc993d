import { describe, expect, test } from 'vitest';
import { createTaskQueue } from './task-queue.ts';

/** A task that ends when the test says so. */
function openTask() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  return { run: () => promise, end: resolve, fail: reject };
}

test('lets a limited number of tasks run at once, the others in their order', async () => {
  const queue = createTaskQueue({ width: 2, maxQueue: 9 });
  const begun: number[] = [];
  const tasks = [openTask(), openTask(), openTask(), openTask()];
  const done = tasks.map((task, index) =>
    queue.run(() => {
      begun.push(index);
      return task.run();
    }),
  );
  await Promise.resolve();
  expect(begun).toEqual([0, 1]);
  tasks[1]?.fail(new Error('broke'));
  await expect(done[1]).rejects.toThrow('broke');
  expect(begun).toEqual([0, 1, 2]);
  for (const [index, task] of tasks.entries()) task.end(`task ${index}`);
  expect(await Promise.all([done[0], done[2], done[3]])).toEqual(['task 0', 'task 2', 'task 3']);
});

test('refuses who would be one too many, and who waits too long', async () => {
  const queue = createTaskQueue({ width: 1, maxQueue: 1, deadline: 20 });
  const first = openTask();
  const running = queue.run(first.run);
  const waiting = queue.run(async () => 'never');
  await expect(queue.run(async () => 'never')).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('1 more task waits'),
  });
  await expect(waiting).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('none was free for 0.02 s'),
  });
  first.end('done');
  expect(await running).toBe('done');
  expect(await queue.run(async () => 'the next')).toBe('the next');
});

describe('turns', () => {
  const known = (share: string) => ({ known: true, share });
  const unknown = (share: string) => ({ known: false, share });

  /** Runs tasks of these turns behind one that ends when all of them wait; answers them in the order they began. */
  async function orderOf(turns: readonly { readonly known: boolean; readonly share: string }[], maxQueue = 99) {
    const queue = createTaskQueue({ width: 1, maxQueue });
    const first = openTask();
    const running = queue.run(first.run);
    const begun: string[] = [];
    const refused: string[] = [];
    const all = turns.map((turn, index) =>
      queue
        .run(async () => void begun.push(`${turn.share}${index}`), turn)
        .catch(({ code }) => void refused.push(`${turn.share}${index} ${code}`)),
    );
    first.end('done');
    await Promise.all([running, ...all]);
    return { begun, refused };
  }

  test('go round between the repos, no matter who waits with the most', async () => {
    const { begun } = await orderOf(['a', 'a', 'a', 'a', 'b', 'c', 'b'].map(known));
    expect(begun).toEqual(['a0', 'b4', 'c5', 'a1', 'b6', 'a2', 'a3']);
  });

  test('of unknown callers come last, address by address, and one after every eighth known one', async () => {
    const strangers = ['x', 'x', 'y'].map(unknown);
    const { begun } = await orderOf([...strangers, ...Array.from({ length: 10 }, () => known('a'))]);
    const expected = [3, 4, 5, 6, 7, 8, 9, 10].map((index) => `a${index}`);
    expect(begun).toEqual([...expected, 'x0', 'a11', 'a12', 'y2', 'x1']);
  });

  test('of a full queue are taken from the caller that has the most of them', async () => {
    const { begun, refused } = await orderOf([...['a', 'a', 'a', 'b', 'a'].map(known), unknown('x')], 3);
    expect(refused).toEqual(['a2 unavailable', 'a4 unavailable']);
    expect(begun).toEqual(['a0', 'b3', 'a1', 'x5']);
  });
});
