/** Thrown where an answer takes longer than somebody may wait for it. */
export class DeadlineExceeded extends Error {
  constructor(limit: number) {
    super(`no answer within ${limit} ms`);
    this.name = 'DeadlineExceeded';
  }
}

/** Waits for several answers, for all of them together no longer than its time. Throws a DeadlineExceeded. */
export type Deadline = <T>(work: () => Promise<T>) => Promise<T>;

/** Begins to wait now: `limit` ms in all. What comes too late is dropped, its failure too. */
export function createDeadline(limit: number): Deadline {
  const end = performance.now() + limit;
  return async (work) => {
    const { promise, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new DeadlineExceeded(limit)), Math.max(0, end - performance.now()));
    const asked = work();
    try {
      return await Promise.race([asked, promise]);
    } finally {
      clearTimeout(timer);
      asked.catch(() => undefined);
    }
  };
}
