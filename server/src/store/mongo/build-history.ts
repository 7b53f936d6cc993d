import type { Filter } from 'mongodb';
import type { Build } from '../../domain/builds/build.ts';
import type { BuildStore, ClosedQuery } from '../../ports/build-store.ts';
import { queryScope } from '../build-index.ts';
import { RECORD, recordsOf } from './build-rows.ts';
import type { Connection } from './connection.ts';
import type { BuildDocument } from './documents.ts';

/** The questions about a repo's past builds. */
export type BuildHistory = Pick<
  BuildStore,
  'findByCommit' | 'ofCommit' | 'ofPullRequest' | 'closed' | 'bases' | 'withFlag'
>;

const MOST_OF_COMMIT = 100;
const NEWEST_FIRST = { sequence: -1 } as const;

/** Binds the history of one database. */
export function createBuildHistory({ collections: { builds }, run }: Connection): BuildHistory {
  const ask = async (filter: Filter<BuildDocument>, limit: number, sort: Record<string, -1> = NEWEST_FIRST) => {
    // A limit of 0 would mean none.
    if (limit < 1) return [];
    return recordsOf(
      await run(() =>
        builds
          .find(filter, { ...RECORD, sort })
          .limit(limit)
          .toArray(),
      ),
    );
  };
  const bases = (query: ClosedQuery, baseRank: number): Promise<readonly Build[]> => {
    const others = query.notCommit === undefined ? {} : { commits: { $ne: query.notCommit } };
    return ask({ ...within(query), baseRank, ...others }, query.limit);
  };
  return {
    findByCommit: (commit) => ask({ commits: commit }, MOST_OF_COMMIT, { sequence: -1, _id: -1 }),
    ofCommit: (repoId, commit) => ask({ repoId, commits: commit }, MOST_OF_COMMIT),
    ofPullRequest: (repoId, pullRequest, limit) => ask({ repoId, 'record.pullRequest': pullRequest }, limit),
    closed: (query) => ask({ ...within(query), closed: true }, query.limit),
    async bases(query) {
      const complete = await bases(query, 1);
      const wanting = query.limit - complete.length;
      return wanting > 0 ? [...complete, ...(await bases({ ...query, limit: wanting }, 0))] : complete;
    },
    withFlag: ({ flag, ...query }) => ask({ ...within(query), flags: flag }, query.limit),
  };
}

function within({ repoId, scope, before }: ClosedQuery): Filter<BuildDocument> {
  const name = queryScope(scope);
  return {
    repoId,
    ...(name === undefined ? {} : { scope: name }),
    ...(before === undefined ? {} : { sequence: { $lt: before } }),
  };
}
