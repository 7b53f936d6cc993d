import { ProviderFailure } from '../ports/provider.ts';

/** Thrown where an answer takes longer than somebody may wait for it. */
export class OutOfPatience extends Error {
  constructor(limit: number) {
    super(`no answer within ${limit} ms`);
    this.name = 'OutOfPatience';
  }
}

/** Waits for several answers, for all of them together no longer than its time. */
export interface Patience {
  <T>(work: () => Promise<T>): Promise<T>;
  /** Why the provider let nobody in, the last time that it did not; undefined: it did whenever it was asked. */
  refusal(): string | undefined;
}

/** Begins to wait now: `limit` ms in all. What comes too late is dropped, its failure too. */
export function createPatience(limit: number): Patience {
  const end = performance.now() + limit;
  let refusal: string | undefined;
  const wait = async <T>(work: () => Promise<T>): Promise<T> => {
    const { promise, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new OutOfPatience(limit)), Math.max(0, end - performance.now()));
    const asked = work();
    try {
      return await Promise.race([asked, promise]);
    } catch (error) {
      if (error instanceof ProviderFailure && error.shutOut) refusal = error.message;
      throw error;
    } finally {
      clearTimeout(timer);
      asked.catch(() => undefined);
    }
  };
  return Object.assign(wait, { refusal: () => refusal });
}
