import type { Timers } from '../../platform/timers.ts';

/** Thrown if an answer takes longer than its caller may wait. */
export class DeadlineExceeded extends Error {
  constructor(limit: number) {
    super(`no answer within ${limit} ms`);
    this.name = 'DeadlineExceeded';
  }
}

/** Waits for several answers, together no longer than its time. Throws a DeadlineExceeded. */
export type Deadline = <T>(work: () => Promise<T>) => Promise<T>;

/** The time begins now: `limit` ms in all. An answer or a failure after it is dropped. */
export function createDeadline(timers: Timers, limit: number): Deadline {
  const end = timers.elapsed() + limit;
  return async (work) => {
    const { promise, reject } = Promise.withResolvers<never>();
    const timer = timers.start(Math.max(0, end - timers.elapsed()), () => reject(new DeadlineExceeded(limit)));
    const asked = work();
    try {
      return await Promise.race([asked, promise]);
    } finally {
      timer.cancel();
      asked.catch(() => undefined);
    }
  };
}
