import { randomUUID } from 'node:crypto';
import type { Build } from '../../domain/builds/build.ts';
import type { BuildStore } from '../../ports/build-store.ts';
import { dueNow } from './build-rows.ts';
import type { Connection } from './connection.ts';
import { assign, claimable, later, toDate } from './server-time.ts';
import type { TakeTurns } from './turns.ts';

/** What workers ask: builds in which something is due. */
export type DueBuilds = Pick<BuildStore, 'claimDue' | 'release' | 'nextDueAt'>;

/** Binds the due builds of one database. `claimableAt` is when a due build is neither leased nor put off. */
export function createDueBuilds(
  { collections: { builds }, run, serverTime }: Connection,
  takeTurns: TakeTurns,
): DueBuilds {
  /** Under which lease this process has a build. */
  const leases = new Map<number, string>();
  const claimOne = (lease: number, leaseId: string) =>
    run(() =>
      builds.findOneAndUpdate(
        dueNow(serverTime),
        [{ $set: { leaseUntil: later(serverTime(), lease), leaseId } }, claimable('dueAt')],
        {
          sort: { claimableAt: 1, _id: 1 },
          projection: { record: 1 },
          returnDocument: 'after',
        },
      ),
    );
  return {
    claimDue: ({ lease, limit }) =>
      takeTurns('due', async () => {
        const claimed: Build[] = [];
        while (claimed.length < limit) {
          const leaseId = randomUUID();
          // What was claimed before a failure is not left to run out.
          const found = await claimOne(lease, leaseId).catch((error: unknown) => {
            if (claimed.length === 0) throw error;
            return null;
          });
          if (found?.record === undefined) break;
          leases.set(found._id, leaseId);
          claimed.push(found.record);
        }
        return claimed;
      }),
    async release({ buildId, retryAt }) {
      const leaseId = leases.get(buildId);
      leases.delete(buildId);
      // One that ran out may be another's by now.
      const ours = leaseId === undefined ? {} : { leaseId };
      const fields = { leaseUntil: undefined, leaseId: undefined, notBefore: toDate(retryAt) };
      await run(() => builds.updateOne({ _id: buildId, ...ours }, [assign(fields), claimable('dueAt')]));
    },
    async nextDueAt() {
      const [next] = await run(() =>
        builds
          .find(
            { claimableAt: { $exists: true } },
            { projection: { claimableAt: 1 }, sort: { claimableAt: 1, _id: 1 } },
          )
          .limit(1)
          .toArray(),
      );
      return next?.claimableAt?.getTime();
    },
  };
}
