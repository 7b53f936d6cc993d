import type { Build } from '../../domain/builds/build.ts';
import type { BuildStore } from '../../ports/build-store.ts';
import type { Connection } from './connection.ts';
import { readRecords } from './records.ts';

/** What rules 18 and 20 ask: which builds could be a base, and which have one or wait for one. */
export type BaseQuestions = Pick<BuildStore, 'ofCommits' | 'wanting' | 'basedOn' | 'ofServiceNumber'>;

const MOST_OF_COMMITS = 500;

const OF_COMMITS = `
  SELECT b.record FROM build_commits c CROSS JOIN builds b ON b.id = c.build_id
  WHERE c.repo_id = :repoId AND c.commit_sha IN (SELECT value FROM json_each(:commits))
  GROUP BY c.build_id ORDER BY max(c.sequence) DESC LIMIT ${MOST_OF_COMMITS}`;
const WANTING = `
  SELECT b.record FROM build_wants w CROSS JOIN builds b ON b.id = w.build_id
  WHERE w.repo_id = :repoId AND w.want IN (SELECT value FROM json_each(:missingBases)) AND b.closed = 1
  GROUP BY w.build_id ORDER BY max(w.sequence) DESC LIMIT :limit`;
const BASED_ON = `
  SELECT record FROM builds WHERE repo_id = ? AND base_id = ? AND closed = 1 ORDER BY sequence DESC LIMIT ?`;
const OF_SERVICE_NUMBER = `
  SELECT record FROM builds WHERE repo_id = ? AND service_number = ? ORDER BY sequence DESC LIMIT ?`;

/** Binds the questions of one connection. */
export function createBaseQuestions({ prepare, read }: Connection): BaseQuestions {
  const ofCommits = prepare(OF_COMMITS);
  const wanting = prepare(WANTING);
  const basedOn = prepare(BASED_ON);
  const ofServiceNumber = prepare(OF_SERVICE_NUMBER);
  return {
    ofCommits: async (repoId, commits) =>
      read(() => readRecords<Build>(ofCommits.all({ repoId, commits: JSON.stringify(commits) }))),
    wanting: async ({ repoId, missingBases, limit }) =>
      read(() => readRecords<Build>(wanting.all({ repoId, missingBases: JSON.stringify(missingBases), limit }))),
    basedOn: async ({ repoId, buildId, limit }) => read(() => readRecords<Build>(basedOn.all(repoId, buildId, limit))),
    ofServiceNumber: async (repoId, serviceNumber, limit) =>
      read(() => readRecords<Build>(ofServiceNumber.all(repoId, serviceNumber, limit))),
  };
}
