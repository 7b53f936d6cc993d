import type { Build } from '../../domain/builds/build.ts';
import type { BuildStore, ClosedQuery } from '../../ports/build-store.ts';
import { queryScope } from '../build-index.ts';
import type { Connection } from './connection.ts';
import { readRecords } from './records.ts';

/** The questions about a repo's past builds. */
export type BuildHistory = Pick<
  BuildStore,
  'findByCommit' | 'ofCommit' | 'ofPullRequest' | 'closed' | 'bases' | 'withFlag'
>;

const MOST_OF_COMMIT = 100;

// CROSS JOIN keeps the order of the tables: the small index first, then each build by its id.
const BY_COMMIT = `
  SELECT b.record FROM build_commits c CROSS JOIN builds b ON b.id = c.build_id
  WHERE c.commit_sha = ? ORDER BY c.sequence DESC, c.build_id DESC LIMIT ${MOST_OF_COMMIT}`;
const OF_COMMIT = `
  SELECT b.record FROM build_commits c CROSS JOIN builds b ON b.id = c.build_id
  WHERE c.repo_id = ? AND c.commit_sha = ? ORDER BY c.sequence DESC LIMIT ${MOST_OF_COMMIT}`;
const OF_PULL = 'SELECT record FROM builds WHERE repo_id = ? AND pull_request = ? ORDER BY sequence DESC LIMIT ?';
const CLOSED = 'SELECT record FROM builds WHERE repo_id = :repoId AND closed = 1 AND sequence < :before';
const BASES = `
  SELECT record FROM builds WHERE repo_id = :repoId AND base_rank = :rank AND sequence < :before
  AND NOT EXISTS (SELECT 1 FROM build_commits c WHERE c.build_id = builds.id AND c.commit_sha = :notCommit)`;
const FLAGGED = `
  SELECT b.record FROM build_flags f CROSS JOIN builds b ON b.id = f.build_id
  WHERE f.repo_id = :repoId AND f.flag = :flag AND f.sequence < :before`;
const NEWEST = ' ORDER BY sequence DESC LIMIT :limit';
const NEWEST_FLAGGED = ' ORDER BY f.sequence DESC LIMIT :limit';

/** Binds the history of one connection. */
export function createBuildHistory({ prepare, read }: Connection): BuildHistory {
  const byCommit = prepare(BY_COMMIT);
  const ofCommit = prepare(OF_COMMIT);
  const ofPull = prepare(OF_PULL);
  const closed = { repo: prepare(CLOSED + NEWEST), scope: prepare(`${CLOSED} AND scope = :scope${NEWEST}`) };
  const bases = { repo: prepare(BASES + NEWEST), scope: prepare(`${BASES} AND scope = :scope${NEWEST}`) };
  const flagged = {
    repo: prepare(FLAGGED + NEWEST_FLAGGED),
    scope: prepare(`${FLAGGED} AND f.scope = :scope${NEWEST_FLAGGED}`),
  };

  const run = (
    statements: typeof closed,
    query: ClosedQuery,
    more: Record<string, string | number> = {},
  ): readonly Build[] => {
    const { repoId, limit, before = Number.MAX_SAFE_INTEGER } = query;
    const scope = queryScope(query.scope);
    const values = { repoId, before, limit, ...more };
    return readRecords(scope === undefined ? statements.repo.all(values) : statements.scope.all({ ...values, scope }));
  };

  return {
    findByCommit: async (commit) => read(() => readRecords<Build>(byCommit.all(commit))),
    ofCommit: async (repoId, commit) => read(() => readRecords<Build>(ofCommit.all(repoId, commit))),
    ofPullRequest: async (repoId, pullRequest, limit) =>
      read(() => readRecords<Build>(ofPull.all(repoId, pullRequest, limit))),
    closed: async (query) => read(() => run(closed, query)),
    bases: async (query) =>
      read(() => {
        const notCommit = query.notCommit ?? '';
        const complete = run(bases, query, { rank: 1, notCommit });
        const wanting = query.limit - complete.length;
        return wanting > 0
          ? [...complete, ...run(bases, { ...query, limit: wanting }, { rank: 0, notCommit })]
          : complete;
      }),
    withFlag: async ({ flag, ...query }) => read(() => run(flagged, query, { flag })),
  };
}
