import { KEPT_REFUSED, MOST_REFUSED } from '../../core/builds/refused-upload.ts';
import type { RefusalStore } from '../refusal-store.ts';
import type { Connection } from './connection.ts';
import type { RepoRows } from './repo-rows.ts';
import { tablesOf } from './table.ts';

/** Refused uploads in MongoDB. */
export function createRefusalStore(connection: Connection, repos: RepoRows): RefusalStore {
  const { refusals } = tablesOf(connection);
  return {
    async note(refused) {
      const { repoId, key, lastAt, firstAt, count, ...rest } = refused;
      if ((await repos.find(repoId)) === undefined) return;
      await refusals.update(
        { _id: `${repoId}/${key}` },
        { $set: { repoId, lastAt, rest: { ...rest, key } }, $setOnInsert: { firstAt }, $inc: { count } },
        { upsert: true },
      );
      const newest = { projection: { lastAt: 1 }, sort: { lastAt: -1 }, skip: MOST_REFUSED - 1, limit: 1 } as const;
      const [last] = await refusals.list({ repoId }, newest);
      await refusals.remove({ repoId, lastAt: { $lt: Math.max(lastAt - KEPT_REFUSED, last?.lastAt ?? 0) } });
    },
    async list(repoId, since) {
      const found = await refusals.list({ repoId, lastAt: { $gte: since } }, { sort: { lastAt: -1 } });
      return found.map(({ lastAt, firstAt, count, rest }) => ({ ...rest, repoId, lastAt, firstAt, count }));
    },
  };
}
