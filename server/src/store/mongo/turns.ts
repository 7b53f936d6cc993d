/** Runs tasks of one key one after another, in the order they came; those of other keys run meanwhile. */
export type TakeTurns = <T>(key: string, task: () => Promise<T>) => Promise<T>;

/**
 * Turns within this process. They keep its own requests from getting into each other's way; other processes are met by
 * conditional writes alone.
 */
export function createTurns(): TakeTurns {
  const last = new Map<string, Promise<unknown>>();
  return async (key, task) => {
    const turn = (last.get(key) ?? Promise.resolve()).then(task, task);
    last.set(key, turn);
    try {
      return await turn;
    } finally {
      if (last.get(key) === turn) last.delete(key);
    }
  };
}
