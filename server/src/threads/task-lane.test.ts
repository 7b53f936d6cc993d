import { expect, test } from 'vitest';
import { createTaskLane } from './task-lane.ts';

/** A task that ends when the test says so. */
function openTask() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  return { run: () => promise, end: resolve, fail: reject };
}

test('lets so many tasks run at once, the others in their order', async () => {
  const lane = createTaskLane({ width: 2, maxQueue: 9 });
  const begun: number[] = [];
  const tasks = [openTask(), openTask(), openTask(), openTask()];
  const done = tasks.map((task, index) =>
    lane.run(() => {
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
  const lane = createTaskLane({ width: 1, maxQueue: 1, deadline: 20 });
  const first = openTask();
  const running = lane.run(first.run);
  const waiting = lane.run(async () => 'never');
  await expect(lane.run(async () => 'never')).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('1 more tasks wait'),
  });
  await expect(waiting).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('none was free for 0.02 s'),
  });
  first.end('done');
  expect(await running).toBe('done');
  expect(await lane.run(async () => 'the next')).toBe('the next');
});
