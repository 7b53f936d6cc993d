import type { Filter } from 'mongodb';
import type { Build } from '../../domain/builds/build.ts';
import type { BuildStore } from '../../ports/build-store.ts';
import { RECORD, recordsOf } from './build-rows.ts';
import type { Connection } from './connection.ts';
import type { BuildDocument } from './documents.ts';

/** What rules 18 and 20 ask: which builds could be a base, and which have one or wait for one. */
export type BaseQuestions = Pick<BuildStore, 'ofCommits' | 'wanting' | 'basedOn' | 'ofServiceNumber'>;

const MOST_OF_COMMITS = 500;

/** Binds the questions of one database. */
export function createBaseQuestions({ collections: { builds }, run }: Connection): BaseQuestions {
  const ask = async (filter: Filter<BuildDocument>, limit: number): Promise<readonly Build[]> =>
    recordsOf(
      await run(() =>
        builds
          .find(filter, { ...RECORD, sort: { sequence: -1 } })
          .limit(limit)
          .toArray(),
      ),
    );
  return {
    ofCommits: (repoId, commits) =>
      commits.length === 0 ? Promise.resolve([]) : ask({ repoId, commits: { $in: [...commits] } }, MOST_OF_COMMITS),
    wanting: ({ repoId, missingBases, limit }) =>
      ask({ repoId, wants: { $in: [...missingBases] }, closed: true }, limit),
    basedOn: ({ repoId, buildId, limit }) => ask({ repoId, baseId: buildId, closed: true }, limit),
    ofServiceNumber: (repoId, serviceNumber, limit) => ask({ repoId, 'record.serviceNumber': serviceNumber }, limit),
  };
}
