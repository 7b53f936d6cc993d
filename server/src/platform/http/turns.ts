/**
 * Work that takes tens of milliseconds, one piece in each turn of the event loop: other requests are answered between
 * two pieces, however many arrive at once. Await the answer, then work.
 */
export function createTurns(): () => Promise<void> {
  let last = Promise.resolve();
  return () => {
    last = last.then(() => new Promise((resolve) => setImmediate(resolve)));
    return last;
  };
}

/** The turns of everything that this process works out for its answers. */
export const nextTurn: () => Promise<void> = createTurns();
