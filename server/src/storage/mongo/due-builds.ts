import { randomUUID } from 'node:crypto';
import type { Build } from '../../core/builds/build.ts';
import type { DueBuilds } from '../commands/build-commands.ts';
import type { Enqueue } from '../commands/keyed-queue.ts';
import type { Connection } from './connection.ts';
import type { BuildDocument } from './documents.ts';
import { assign, claimable, later, NEXT_CLAIMABLE, notAfter, toDate } from './server-time.ts';
import { tablesOf } from './table.ts';
import { BY_TURN, createTurns } from './turns.ts';

const LONGEST_FIRST = { claimableAt: 1, _id: 1 } as const;

/** Binds the due builds of one database. `claimableAt` is when a due build is neither leased nor put off. */
export function createDueBuilds(connection: Connection, enqueue: Enqueue): DueBuilds {
  const { builds } = tablesOf(connection);
  /** Under which lease this process has a build. */
  const leases = new Map<number, string>();
  const claims = createClaims(connection);
  return {
    claimDue: ({ lease, limit, except = [] }) =>
      enqueue('due', async () => {
        const claimed: Build[] = [];
        const inTurn = except.length > 0 || (await claims.isCrowded(limit));
        while (claimed.length < limit) {
          const leaseId = randomUUID();
          // What was claimed before a failure is not left to run out.
          const claim = inTurn ? claims.takeInTurn(lease, leaseId, except) : claims.takeLongestDue(lease, leaseId);
          const found = await claim.catch((error: unknown) => {
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

/** Takes one build; undefined: none is due. */
function createClaims(connection: Connection) {
  const { serverTime } = connection;
  const { builds } = tablesOf(connection);
  const turns = createTurns<BuildDocument>(connection);
  const due = () => notAfter('claimableAt', serverTime());
  const leased = (lease: number, leaseId: string) => [
    { $set: { leaseUntil: later(serverTime(), lease), leaseId } },
    claimable('dueAt'),
  ];
  const projection = { record: 1, repoId: 1 } as const;
  return {
    async isCrowded(limit: number): Promise<boolean> {
      const some = { sort: LONGEST_FIRST, limit: limit + 1, projection: { _id: 1 } };
      return (await builds.list(due(), some)).length > limit;
    },
    takeLongestDue: (lease: number, leaseId: string) =>
      builds.change(due(), leased(lease, leaseId), { sort: LONGEST_FIRST, projection }),
    async takeInTurn(lease: number, leaseId: string, except: readonly number[]) {
      for (const filter of turns.next(except)) {
        const found = await builds.change(filter, leased(lease, leaseId), { sort: BY_TURN, projection });
        if (found === undefined) continue;
        turns.took(found);
        return found;
      }
      return undefined;
    },
  };
}
