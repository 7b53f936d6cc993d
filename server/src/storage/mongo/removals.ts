import { IMPORT_PAUSE } from '../repo-transfers.ts';
import type { RepoStore } from '../store.ts';
import { DECLARED } from '../tables/all.ts';
import type { Connection } from './connection.ts';
import type { DeliveryRows } from './delivery-rows.ts';
import type { Removal } from './documents.ts';
import type { PendingEffects } from './pending-effects.ts';
import { PRESENT } from './repo-rows.ts';
import { type Table, tablesOf } from './table.ts';

/** Taking a repo away with all that hangs on it. */
export interface Removals {
  remove: RepoStore['remove'];
  /** Clears away what came after, or was left by a process that died, of repos that were removed. */
  finish(): Promise<void>;
}

/** Nothing that began before the removal can still write after this long (ACCEPT_LIMIT is shorter), in ms. */
const LAST_WORD = 60 * 60_000;
const CLEARING_LIMIT = 50_000;
const AT_ONCE = 500;

interface Rows {
  readonly deliveries: DeliveryRows;
  readonly pendingEffects: PendingEffects;
}

/**
 * One write hides the repo, frees its name and notes what is to be done; the rest follows, and is repeated by `finish`
 * until nothing can come any more.
 */
export function createRemovals(connection: Connection, rows: Rows): Removals {
  const { serverTime } = connection;
  const { repos } = tablesOf(connection);
  /** For an import that was cut off: from then on it is removed. */
  const endImport = (_id: number): Promise<boolean> => {
    const isOver = { $lt: ['$removal.removedAt', { $subtract: [serverTime(), IMPORT_PAUSE] }] };
    const ended = [{ $set: { 'removal.removedAt': serverTime() } }, { $unset: 'removal.importing' }];
    return repos.update({ _id, 'removal.importing': { $exists: true }, $expr: isOver }, ended);
  };
  return {
    async remove({ repoId, description, at }) {
      const removal = { removedAt: serverTime(), description: { $literal: description }, at: { $literal: at } };
      const hidden = [{ $set: { removal, tokens: [], nameKey: '$$REMOVE' } }];
      if (!(await repos.update({ _id: repoId, ...PRESENT }, hidden))) return false;
      // It is gone for everybody. What cannot be cleared away now, `finish` does.
      await clear(connection, rows, repoId, { description, at }).catch(() => undefined);
      return true;
    },
    async finish() {
      const failures: unknown[] = [];
      for (const { _id, removal } of await repos.list({ 'removal.removedAt': { $exists: true } })) {
        if (removal === undefined || (removal.importing !== undefined && !(await endImport(_id)))) continue;
        const isOver = { $lt: ['$removal.removedAt', { $subtract: [serverTime(), LAST_WORD] }] };
        // One that fails holds up no other.
        await clear(connection, rows, _id, removal)
          .then(() => repos.remove({ _id, $expr: isOver }))
          .catch((error: unknown) => failures.push(error));
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}

async function clear(
  connection: Connection,
  { deliveries, pendingEffects }: Rows,
  repoId: number,
  removal: Pick<Removal, 'description' | 'at'>,
): Promise<void> {
  // What closes have ordered is posted first, so that every opened context is completed.
  await pendingEffects.settleRepo(repoId);
  await deliveries.endRepo(repoId, removal);
  const { builds, jobs, parts, sources, providerSources, mergedReports, ...others } = tablesOf(connection);
  const declared = DECLARED.filter(({ ofRepo }) => ofRepo).map(({ name }) => others[name]);
  for (const table of [builds, jobs, parts, sources, providerSources, mergedReports, ...declared])
    await removeAll(table as unknown as Clearable, repoId);
}

type Clearable = Table<{ readonly _id: number | string; readonly repoId: number }>;

/** Few at a time: no operation takes longer than a connection may be silent. */
async function removeAll(table: Clearable, repoId: number): Promise<void> {
  for (;;) {
    const found = await table.list({ repoId }, { projection: { _id: 1 }, limit: AT_ONCE });
    if (found.length === 0) return;
    await table.remove({ _id: { $in: found.map(({ _id }) => _id) } }, CLEARING_LIMIT);
  }
}
