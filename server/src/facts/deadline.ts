import { ProviderFailure } from '../ports/provider.ts';
import type { Timers } from '../ports/timers.ts';

/** Thrown where an answer takes longer than somebody may wait for it. */
export class DeadlineExceeded extends Error {
  constructor(limit: number) {
    super(`no answer within ${limit} ms`);
    this.name = 'DeadlineExceeded';
  }
}

/** Waits for several answers, for all of them together no longer than its time. */
export interface Deadline {
  <T>(work: () => Promise<T>): Promise<T>;
  /** Why the provider let nobody in, the last time that it did not; undefined: it did whenever it was asked. */
  refusal(): string | undefined;
}

/** Begins to wait now: `limit` ms in all. What comes too late is dropped, its failure too. */
export function createDeadline(timers: Timers, limit: number): Deadline {
  const end = timers.elapsed() + limit;
  let refusal: string | undefined;
  const wait = async <T>(work: () => Promise<T>): Promise<T> => {
    const { promise, reject } = Promise.withResolvers<never>();
    const timer = timers.start(Math.max(0, end - timers.elapsed()), () => reject(new DeadlineExceeded(limit)));
    const asked = work();
    try {
      return await Promise.race([asked, promise]);
    } catch (error) {
      if (error instanceof ProviderFailure && error.accessDenied) refusal = error.message;
      throw error;
    } finally {
      timer.cancel();
      asked.catch(() => undefined);
    }
  };
  return Object.assign(wait, { refusal: () => refusal });
}
