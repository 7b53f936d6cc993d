import type { Filter } from 'mongodb';
import type { BuildStore } from '../../ports/build-store.ts';
import { queryScope } from '../build-index.ts';
import { RECORD, recordsOf } from './build-rows.ts';
import type { Connection } from './connection.ts';
import type { BuildDocument } from './documents.ts';

/** More than any repo has builds; the server takes 64 bits at most. */
const FARTHEST = 2 ** 31;

/** A repo's builds page by page, of one database. */
export function createBuildPages({ collections: { builds }, run }: Connection): Pick<BuildStore, 'list'> {
  return {
    async list({ repoId, branch, offset, limit }) {
      const scope = branch === undefined ? undefined : queryScope({ branch });
      const filter: Filter<BuildDocument> = scope === undefined ? { repoId, listed: true } : { repoId, scope };
      const page = { ...RECORD, sort: { sequence: -1 }, skip: Math.min(offset, FARTHEST) } as const;
      const [total, found] = await run(() =>
        Promise.all([builds.countDocuments(filter), limit < 1 ? [] : builds.find(filter, page).limit(limit).toArray()]),
      );
      return { total, builds: recordsOf(found) };
    },
  };
}
