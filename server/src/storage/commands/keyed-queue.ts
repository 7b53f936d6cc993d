/** Runs tasks of one key one after another, in the order they came; those of other keys run in the meantime. */
export type Enqueue = <T>(key: string, task: () => Promise<T>) => Promise<T>;

/** Keeps requests of this process from conflicting with each other; other processes meet conditional writes alone. */
export function createKeyedQueue(): Enqueue {
  const last = new Map<string, Promise<unknown>>();
  return async (key, task) => {
    const queued = (last.get(key) ?? Promise.resolve()).then(task, task);
    last.set(key, queued);
    try {
      return await queued;
    } finally {
      if (last.get(key) === queued) last.delete(key);
    }
  };
}
