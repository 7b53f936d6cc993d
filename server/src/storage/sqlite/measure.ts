import { REPO_SERVICES } from '../../core/repo/repo.ts';
import type { Store } from '../store.ts';
import type { OutboxMeasure } from '../store-measure.ts';
import type { Connection } from './connection.ts';
import type { Disk } from './disk.ts';

// Indexes alone answer: the records beside are large, and this blocks the process.
const DUE = 'SELECT count(*) AS n, min(claimable_at) AS oldest FROM builds WHERE claimable_at <= ?';
const PUT_OFF = 'SELECT count(*) AS n FROM builds WHERE not_before > :at AND due_at <= :at';
const SET_ASIDE = 'SELECT count(*) AS n FROM builds WHERE set_aside = 1';
const UNSENT = `
  SELECT count(*) AS n, min(unsent_since) AS oldest FROM deliveries WHERE pending = 1 AND service = ? AND parked = ?`;

/** Binds the measure of one connection. `disk` is undefined in memory. */
export function createMeasure({ prepare, read }: Connection, disk: Disk | undefined): Store['measure'] {
  const [due, putOff, unsent] = [prepare(DUE), prepare(PUT_OFF), prepare(UNSENT)];
  const setAside = prepare(SET_ASIDE);
  const outbox = (): readonly OutboxMeasure[] =>
    REPO_SERVICES.flatMap((service) => {
      const [waits, gaveUp] = [unsent.get(service, 0), unsent.get(service, 1)];
      const [waiting, givenUp] = [Number(waits?.n), Number(gaveUp?.n)];
      const oldestAt = (waits?.oldest as number | null) ?? undefined;
      return waiting + givenUp === 0 ? [] : [{ service, waiting, givenUp, oldestAt }];
    });
  return async (at) => {
    const counted = read(() => {
      const found = due.get(at);
      return {
        builds: {
          due: Number(found?.n),
          'put-off': Number(putOff.get({ at })?.n),
          'set-aside': Number(setAside.get()?.n),
        },
        oldestDueAt: (found?.oldest as number | null) ?? undefined,
        outbox: outbox(),
      };
    });
    const { bytes, freeDisk } = (await disk?.measure()) ?? {};
    return { ...counted, bytes, freeDisk };
  };
}
