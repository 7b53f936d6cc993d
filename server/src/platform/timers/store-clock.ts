import type { Timestamp } from '../../core/time.ts';
import type { Clock } from '../clock.ts';
import type { Logger } from '../logger.ts';

export interface StoreClock extends Clock {
  /** Measures how far this machine's clock is from the store's; to be repeated, since clocks drift. */
  adjust(): Promise<void>;
}

const SAMPLES = 3;
/** A machine whose clock is further off than this, in ms, is worth a warning. */
const NOTABLE = 2_000;

/**
 * A clock that shows the store's time. Several processes write when something is due, and any of them may look whether
 * it is: by its own clock a machine that is minutes off would close builds minutes too late.
 */
export function createStoreClock(deps: {
  readonly readStoreTime: () => Promise<Timestamp>;
  readonly machine: Clock;
  readonly logger: Logger;
}): StoreClock {
  const { readStoreTime, machine, logger } = deps;
  let offset = 0;
  const measure = async (): Promise<{ readonly offset: number; readonly took: number }> => {
    const before = machine.now();
    const storeTime = await readStoreTime();
    const took = machine.now() - before;
    return { offset: storeTime - before - took / 2, took };
  };
  return {
    now: () => machine.now() + offset,
    async adjust() {
      const samples = [];
      for (let n = 0; n < SAMPLES; n += 1) samples.push(await measure());
      // The quickest answer says best when the store looked at its clock.
      const best = samples.reduce((a, b) => (b.took < a.took ? b : a));
      const measured = Math.round(best.offset);
      if (Math.abs(measured - offset) > NOTABLE) {
        logger.warn({ offset: measured }, "this machine's clock and the database's differ; the database's counts");
      }
      offset = measured;
    },
  };
}
