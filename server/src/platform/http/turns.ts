/**
 * Work that takes tens of milliseconds, one piece in each turn of the event loop: other requests are answered between
 * two pieces, however many arrive at once. Await the answer, then work.
 */
export function nextTurn(): Promise<void> {
  last = last.then(() => new Promise((resolve) => setImmediate(resolve)));
  return last;
}

/** The last turn that anything of this process took. */
let last = Promise.resolve();
