import type { RepoStore } from '../../ports/store.ts';
import type { Connection } from './connection.ts';
import type { DeliveryRows } from './delivery-rows.ts';
import type { Removal } from './documents.ts';
import type { Owing } from './owing.ts';
import { PRESENT } from './repo-rows.ts';

/** Taking a repo away with all that hangs on it. */
export interface Removals {
  remove: RepoStore['remove'];
  /** Clears away what came after, or was left by a process that died, of repos that were removed. */
  finish(): Promise<void>;
}

/** Nothing that began before the removal can still write after so long (ACCEPT_LIMIT is shorter), in ms. */
const LAST_WORD = 60 * 60_000;
const CLEARING_LIMIT = 10 * 60_000;

interface Rows {
  readonly deliveries: DeliveryRows;
  readonly owing: Owing;
}

/**
 * One write hides the repo, frees its name and notes what is to be done; the rest follows, and is repeated by `finish` until nothing can
 * come any more.
 */
export function createRemovals(connection: Connection, rows: Rows): Removals {
  const { collections, run, serverTime } = connection;
  const { repos } = collections;
  return {
    async remove({ repoId, description, at }) {
      const removal = { removedAt: serverTime(), description: { $literal: description }, at: { $literal: at } };
      const hidden = await run(() =>
        repos.updateOne({ _id: repoId, ...PRESENT }, [{ $set: { removal, tokens: [], nameKey: '$$REMOVE' } }]),
      );
      if (hidden.matchedCount === 0) return false;
      await clear(connection, rows, repoId, { description, at });
      return true;
    },
    async finish() {
      const left = await run(() => repos.find({ 'removal.removedAt': { $exists: true } }).toArray());
      for (const { _id, removal } of left) {
        if (removal === undefined) continue;
        await clear(connection, rows, _id, removal);
        const isOver = { $lt: ['$removal.removedAt', { $subtract: [serverTime(), LAST_WORD] }] };
        await run(() => repos.deleteOne({ _id, $expr: isOver }));
      }
    },
  };
}

async function clear(
  { collections, run }: Connection,
  { deliveries, owing }: Rows,
  repoId: number,
  removal: Pick<Removal, 'description' | 'at'>,
): Promise<void> {
  // What closes have ordered is said first, so that every context that was opened is ended.
  await owing.settleRepo(repoId);
  await deliveries.endRepo(repoId, removal);
  const { builds, jobs, parts, sources, facts } = collections;
  for (const remove of [
    () => builds.deleteMany({ repoId }),
    () => jobs.deleteMany({ repoId }),
    () => parts.deleteMany({ repoId }),
    () => sources.deleteMany({ repoId }),
    () => facts.deleteMany({ repoId }),
  ]) {
    await run(remove, CLEARING_LIMIT);
  }
}
