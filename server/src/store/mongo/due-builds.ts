import { randomUUID } from 'node:crypto';
import type { Build } from '../../domain/builds/build.ts';
import type { DueBuilds } from '../commands/build-commands.ts';
import type { Enqueue } from '../commands/keyed-queue.ts';
import type { Connection } from './connection.ts';
import { assign, claimable, later, NEXT_CLAIMABLE, notAfter, toDate } from './server-time.ts';
import { tablesOf } from './table.ts';

/** Binds the due builds of one database. `claimableAt` is when a due build is neither leased nor put off. */
export function createDueBuilds(connection: Connection, enqueue: Enqueue): DueBuilds {
  const { serverTime } = connection;
  const { builds } = tablesOf(connection);
  /** Under which lease this process has a build. */
  const leases = new Map<number, string>();
  const claimOne = (lease: number, leaseId: string) =>
    builds.change(
      notAfter('claimableAt', serverTime()),
      [{ $set: { leaseUntil: later(serverTime(), lease), leaseId } }, claimable('dueAt')],
      { sort: { claimableAt: 1, _id: 1 }, projection: { record: 1 } },
    );
  return {
    claimDue: ({ lease, limit }) =>
      enqueue('due', async () => {
        const claimed: Build[] = [];
        while (claimed.length < limit) {
          const leaseId = randomUUID();
          // What was claimed before a failure is not left to run out.
          const found = await claimOne(lease, leaseId).catch((error: unknown) => {
            if (claimed.length === 0) throw error;
            return undefined;
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
      await builds.update({ _id: buildId, ...ours }, [assign(fields), claimable('dueAt')]);
    },
    nextDueAt: async () => (await builds.list(...NEXT_CLAIMABLE))[0]?.claimableAt?.getTime(),
  };
}
