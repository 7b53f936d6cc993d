import type { RepoService } from '../../domain/repo/repo.ts';
import type { Store } from '../../ports/store.ts';
import { MOST_COUNTED, type OutboxMeasure } from '../../ports/store-measure.ts';
import type { Connection } from './connection.ts';
import type { Disk } from './disk.ts';
import type { Row } from './records.ts';

const DUE = `SELECT claimable_at FROM builds WHERE claimable_at <= ? ORDER BY claimable_at LIMIT ${MOST_COUNTED}`;
const PUT_OFF = `
  SELECT 1 FROM builds WHERE claimable_at > :at AND not_before > :at AND due_at <= :at LIMIT ${MOST_COUNTED}`;
const WAITING = `SELECT service, unsent_since FROM deliveries WHERE claimable_at > 0 LIMIT ${MOST_COUNTED}`;
const GIVEN_UP = `SELECT service FROM deliveries WHERE parked = 1 LIMIT ${MOST_COUNTED}`;

/** Binds the measure of one connection. `disk` is undefined in memory. */
export function createMeasure({ prepare, read }: Connection, disk: Disk | undefined): Store['measure'] {
  const [due, putOff] = [prepare(DUE), prepare(PUT_OFF)];
  const [waiting, givenUp] = [prepare(WAITING), prepare(GIVEN_UP)];
  return async (at) => {
    const counted = read(() => {
      const found = due.all(at);
      return {
        builds: { due: found.length, 'put-off': putOff.all({ at }).length },
        oldestDueAt: found[0]?.claimable_at as number | undefined,
        outbox: toOutbox(waiting.all(), givenUp.all()),
      };
    });
    const { bytes, freeDisk } = (await disk?.measure()) ?? {};
    return { ...counted, bytes, freeDisk };
  };
}

function toOutbox(waiting: readonly Row[], givenUp: readonly Row[]): readonly OutboxMeasure[] {
  const waits = Map.groupBy(waiting, ({ service }) => service);
  const gaveUp = Map.groupBy(givenUp, ({ service }) => service);
  return [...new Set([...waits.keys(), ...gaveUp.keys()])].map((service) => {
    const times = (waits.get(service) ?? []).map((row) => Number(row.unsent_since));
    return {
      service: service as RepoService,
      waiting: times.length,
      givenUp: gaveUp.get(service)?.length ?? 0,
      oldestAt: times.length === 0 ? undefined : times.reduce((oldest, time) => Math.min(oldest, time)),
    };
  });
}
