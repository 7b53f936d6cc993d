import type { Collection } from 'mongodb';
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
const CLEARING_LIMIT = 50_000;
const AT_ONCE = 500;

interface Rows {
  readonly deliveries: DeliveryRows;
  readonly owing: Owing;
}

/**
 * One write hides the repo, frees its name and notes what is to be done; the rest follows, and is repeated by `finish`
 * until nothing can come any more.
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
      // It is gone for everybody. What cannot be cleared away now, `finish` does.
      await clear(connection, rows, repoId, { description, at }).catch(() => undefined);
      return true;
    },
    async finish() {
      const left = await run(() => repos.find({ 'removal.removedAt': { $exists: true } }).toArray());
      const failures: unknown[] = [];
      for (const { _id, removal } of left) {
        if (removal === undefined) continue;
        const isOver = { $lt: ['$removal.removedAt', { $subtract: [serverTime(), LAST_WORD] }] };
        // One that fails holds up no other.
        await clear(connection, rows, _id, removal)
          .then(() => run(() => repos.deleteOne({ _id, $expr: isOver })))
          .catch((error: unknown) => failures.push(error));
      }
      if (failures.length > 0) throw failures[0];
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
  for (const collection of [builds, jobs, parts, sources, facts])
    await removeAll(run, collection as unknown as Clearable, repoId);
}

type Clearable = Collection<{ readonly _id: number | string; readonly repoId: number }>;

/** Few at a time: no operation takes longer than a connection may be silent. */
async function removeAll(run: Connection['run'], collection: Clearable, repoId: number): Promise<void> {
  for (;;) {
    const found = await run(() =>
      collection
        .find({ repoId }, { projection: { _id: 1 } })
        .limit(AT_ONCE)
        .toArray(),
    );
    if (found.length === 0) return;
    const ids = found.map(({ _id }) => _id);
    await run(() => collection.deleteMany({ _id: { $in: ids } }), CLEARING_LIMIT);
  }
}
