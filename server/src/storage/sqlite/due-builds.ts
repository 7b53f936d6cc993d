import type { Build } from '../../core/builds/build.ts';
import type { DueBuilds } from '../commands/build-commands.ts';
import type { Connection } from './connection.ts';
import { readRecords } from './records.ts';
import { createTurns } from './turns.ts';

/** Binds the due builds of one connection. `claimable_at` is when a due build is neither leased nor put off. */
export function createDueBuilds({ prepare, read, write }: Connection): DueBuilds {
  const takeTurns = createTurns(prepare, 'builds');
  const lease = prepare('UPDATE builds SET lease_until = ? WHERE id = ?');
  const release = prepare('UPDATE builds SET lease_until = NULL, not_before = ? WHERE id = ?');
  const next = prepare('SELECT claimable_at FROM builds WHERE claimable_at IS NOT NULL ORDER BY claimable_at LIMIT 1');

  return {
    claimDue: async (claim) =>
      write(() => readRecords<Build>(takeTurns(claim, ({ id }) => void lease.run(claim.at + claim.lease, Number(id))))),
    release: async ({ buildId, retryAt }) =>
      write(() => {
        release.run(retryAt ?? null, buildId);
      }),
    nextDueAt: async () => read(() => next.get()?.claimable_at as number | undefined),
  };
}
