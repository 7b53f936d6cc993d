/** Lets a number of tasks run at once. Of the keys that wait, the one that was served least recently goes first. */
export interface FairLane {
  run<Value>(key: number, task: () => Promise<Value>): Promise<Value>;
}

export function createFairLane(width: number): FairLane {
  /** What waits, by key; keys that were never served stand in the order in which they came. */
  const waiting = new Map<number, (() => void)[]>();
  /** Of the keys that wait or run: when each was served last. */
  const served = new Map<number, number>();
  const running = new Map<number, number>();
  let turn = 0;
  let free = width;

  const nextKey = (): number | undefined => {
    const at = (key: number): number => served.get(key) ?? 0;
    return [...waiting.keys()].reduce<number | undefined>(
      (first, key) => (first === undefined || at(key) < at(first) ? key : first),
      undefined,
    );
  };
  const begin = (): void => {
    const key = free > 0 ? nextKey() : undefined;
    if (key === undefined) return;
    const tasks = waiting.get(key) ?? [];
    const start = tasks.shift();
    if (tasks.length === 0) waiting.delete(key);
    turn += 1;
    served.set(key, turn);
    running.set(key, (running.get(key) ?? 0) + 1);
    free -= 1;
    start?.();
  };
  const end = (key: number): void => {
    const left = (running.get(key) ?? 1) - 1;
    if (left > 0) running.set(key, left);
    else running.delete(key);
    if (left === 0 && !waiting.has(key)) served.delete(key);
    free += 1;
    begin();
  };
  return {
    async run(key, task) {
      await new Promise<void>((start) => {
        const tasks = waiting.get(key) ?? [];
        tasks.push(start);
        waiting.set(key, tasks);
        begin();
      });
      try {
        return await task();
      } finally {
        end(key);
      }
    },
  };
}
