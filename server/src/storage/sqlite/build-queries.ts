import type { Build } from '../../core/builds/build.ts';
import { MAX_OF_COMMITS, MAX_PER_COMMIT, queryScope } from '../build-index.ts';
import type { BuildPageQuery } from '../build-pages.ts';
import type { ClosedQuery } from '../build-store.ts';
import type { BuildQueries } from '../commands/build-commands.ts';
import { newestFirst } from '../commands/primitives.ts';
import { type CountBuilds, createCountBuilds } from '../count-builds.ts';
import type { Connection } from './connection.ts';
import { readRecords, selectRecord, selectRecords } from './records.ts';

/** What a query answers of each build `b`: its record, or its summary, whose table is joined. */
interface Answered {
  readonly record: string;
  readonly summaries: string;
}

const WHOLE: Answered = { record: 'b.record', summaries: '' };

// CROSS JOIN keeps the order of the tables: the small index first, then each build by its id.
const ofCommits = ({ record, summaries }: Answered): string =>
  `SELECT ${record} FROM build_commits c CROSS JOIN builds b ON b.id = c.build_id ${summaries}`;
const BY_COMMIT = `
  WHERE c.commit_sha = ? AND b.unverified IS ? ORDER BY c.sequence DESC, c.build_id DESC LIMIT ${MAX_PER_COMMIT}`;
const OF_COMMIT = `
  WHERE c.repo_id = ? AND c.commit_sha = ? AND b.unverified IS ? ORDER BY c.sequence DESC LIMIT ${MAX_PER_COMMIT}`;
const OF_ANY_COMMIT = `
  ${ofCommits(WHOLE)} WHERE c.repo_id = ? AND c.commit_sha IN (SELECT value FROM json_each(?)) AND b.unverified IS ?
  GROUP BY c.build_id ORDER BY max(c.sequence) DESC LIMIT ${MAX_OF_COMMITS}`;
const COMMITS_STARTING = `
  SELECT DISTINCT c.commit_sha FROM build_commits c CROSS JOIN builds b ON b.id = c.build_id
  WHERE c.repo_id = ? AND c.commit_sha >= ? AND c.commit_sha < ? AND b.unverified IS NULL
  ORDER BY c.commit_sha LIMIT ?`;
const MISSING_BASE = `
  SELECT b.record FROM build_wants w CROSS JOIN builds b ON b.id = w.build_id
  WHERE w.repo_id = ? AND w.want IN (SELECT value FROM json_each(?)) AND b.closed = 1
  GROUP BY w.build_id ORDER BY max(w.sequence) DESC LIMIT ?`;
const BASED_ON = `
  SELECT record FROM builds WHERE repo_id = ? AND base_id = ? AND closed = 1 ORDER BY sequence DESC LIMIT ?`;
const OF_SERVICE_NUMBER = `
  SELECT record FROM builds WHERE repo_id = ? AND service_number = ? ORDER BY sequence DESC LIMIT ?`;
const OF_PULL = `
  SELECT record FROM builds WHERE repo_id = ? AND pull_request = ? AND unverified IS ? ORDER BY sequence DESC LIMIT ?`;
const SET_ASIDE = 'SELECT record FROM builds WHERE set_aside = 1 ORDER BY id DESC LIMIT ?';
const CLOSED = 'b.repo_id = :repoId AND b.closed = 1 AND b.sequence < :before';
const BASES = `
  b.repo_id = :repoId AND b.base_rank = :rank AND b.sequence < :before
  AND NOT EXISTS (SELECT 1 FROM build_commits c WHERE c.build_id = b.id AND c.commit_sha = :notCommit)`;
const flagged = ({ record, summaries }: Answered): string => `
  SELECT ${record} FROM build_flags f CROSS JOIN builds b ON b.id = f.build_id ${summaries}
  WHERE f.repo_id = :repoId AND f.flag = :flag AND f.sequence < :before`;

/** Binds the queries of one connection. */
export function createBuildQueries(connection: Connection): BuildQueries {
  const { prepare, read } = connection;
  const select = (sql: string) => selectRecords<Build>(connection, sql);
  const ofAnyCommit = select(OF_ANY_COMMIT);
  const ofPull = select(OF_PULL);
  const commitsStarting = prepare(COMMITS_STARTING);
  const ofMissingBases = select(MISSING_BASE);
  const basedOn = select(BASED_ON);
  const report = prepare('SELECT report FROM build_reports WHERE build_id = ?');
  return {
    ...createReads<Build>(connection, WHOLE),
    find: selectRecord<Build>(connection, 'SELECT record FROM builds WHERE id = ?'),
    ofCommits: (repoId, commits) => ofBothSides((side) => ofAnyCommit(repoId, JSON.stringify(commits), side)),
    commitsStarting: async ({ repoId, digits, limit }) =>
      // All digits of a commit go before a g.
      read(() => commitsStarting.all(repoId, digits, `${digits}g`, limit).map((row) => String(row.commit_sha))),
    withMissingBase: ({ repoId, missingBases, limit }) => ofMissingBases(repoId, JSON.stringify(missingBases), limit),
    basedOn: ({ repoId, buildId, limit }) => basedOn(repoId, buildId, limit),
    ofServiceNumber: select(OF_SERVICE_NUMBER),
    ofPullRequest: (repoId, pullRequest, limit) => ofBothSides((side) => ofPull(repoId, pullRequest, side, limit)),
    listSetAside: select(SET_ASIDE),
    report: async (buildId) => read(() => report.get(buildId)?.report as Uint8Array | undefined),
  };
}

/** The value of the column `unverified`. */
export const TRUSTED = null;
export const UNVERIFIED = 1;
type Side = typeof TRUSTED | typeof UNVERIFIED;

/** Rule 29: each side has the whole limit of a query, so that builds of forks push no other out of its answer. */
export async function ofBothSides<B extends Pick<Build, 'id' | 'sequence'>>(
  ask: (side: Side) => Promise<readonly B[]>,
): Promise<readonly B[]> {
  return newestFirst([...(await ask(TRUSTED)), ...(await ask(UNVERIFIED))]);
}

/** The queries that whole records and summaries are found by. */
export function createReads<T extends Pick<Build, 'id' | 'sequence'>>(connection: Connection, answered: Answered) {
  const { read } = connection;
  const { record, summaries } = answered;
  const ofBuilds = `SELECT ${record} FROM builds b ${summaries} WHERE`;
  const closed = createHistory<T>(connection, `${ofBuilds} ${CLOSED}`, 'b.');
  const bases = createHistory<T>(connection, `${ofBuilds} ${BASES}`, 'b.');
  const withFlag = createHistory<T>(connection, flagged(answered), 'f.');
  const byCommit = selectRecords<T>(connection, `${ofCommits(answered)} ${BY_COMMIT}`);
  const ofCommit = selectRecords<T>(connection, `${ofCommits(answered)} ${OF_COMMIT}`);
  return {
    findByCommit: (commit: string) => ofBothSides((side) => byCommit(commit, side)),
    ofCommit: (repoId: number, commit: string) => ofBothSides((side) => ofCommit(repoId, commit, side)),
    closed: async (query: ClosedQuery) => read(() => closed(query)),
    bases: async (query: ClosedQuery) =>
      read(() => {
        const { limit, notCommit = '' } = query;
        const complete = bases(query, { rank: 1, notCommit });
        if (complete.length >= limit) return complete;
        return [...complete, ...bases({ ...query, limit: limit - complete.length }, { rank: 0, notCommit })];
      }),
    withFlag: async ({ flag, ...query }: ClosedQuery & { readonly flag: string }) =>
      read(() => withFlag(query, { flag })),
    list: createPages<T>(connection, ofBuilds),
  };
}

/** One query, of the whole repo or of a scope. */
function createHistory<T>({ prepare }: Connection, sql: string, table: 'b.' | 'f.') {
  const newest = ` ORDER BY ${table}sequence DESC LIMIT :limit`;
  const ofRepo = prepare(sql + newest);
  const ofScope = prepare(`${sql} AND ${table}scope = :scope${newest}`);
  return (query: ClosedQuery, more: Record<string, string | number> = {}): readonly T[] => {
    const { repoId, limit, before = Number.MAX_SAFE_INTEGER } = query;
    const scope = queryScope(query.scope);
    const values = { repoId, before, limit, ...more };
    return readRecords(scope === undefined ? ofRepo.all(values) : ofScope.all({ ...values, scope }));
  };
}

function createCounting({ prepare, read }: Connection): CountBuilds {
  // Imported builds come below all others.
  const look = prepare(`
    SELECT last_sequence AS last,
      coalesce((SELECT removed_builds FROM source_looks WHERE repo_id = repos.id), 0) || ' '
        || coalesce((SELECT min(sequence) FROM builds WHERE repo_id = repos.id), '') AS changes
    FROM repos WHERE id = ?`);
  const count = prepare(
    'SELECT count(*) AS total FROM builds WHERE repo_id = :repoId AND sequence > :above AND sequence <= :upTo',
  );
  return createCountBuilds({
    look: async (repoId) => {
      const { last, changes } = read(() => look.get(repoId)) ?? {};
      return { last: Number(last ?? 0), changes: String(changes) };
    },
    count: async (repoId, { above = Number.MIN_SAFE_INTEGER, upTo = Number.MAX_SAFE_INTEGER }) =>
      read(() => Number(count.get({ repoId, above, upTo })?.total)),
  });
}

/** A repo's builds page by page. */
function createPages<T>(connection: Connection, ofBuilds: string) {
  const createPage = (where: string) => {
    const count = connection.prepare(`SELECT count(*) AS total FROM builds b WHERE ${where}`);
    // Where the page begins is found in the index alone: what is joined is not read of builds that are skipped.
    const first = `SELECT b.sequence FROM builds b WHERE ${where} ORDER BY b.sequence DESC LIMIT 1 OFFSET :offset`;
    const page = selectRecords<T>(
      connection,
      `${ofBuilds} ${where} AND b.sequence <= (${first}) ORDER BY b.sequence DESC LIMIT :limit`,
    );
    return { count, page };
  };
  const countBuilds = createCounting(connection);
  const ofRepo = createPage('b.repo_id = :repoId');
  // `scope = …` holds for no NULL, which lets the partial index answer.
  const ofBranch = createPage('b.repo_id = :repoId AND b.scope = :branch');
  const ofSide = createPage('b.repo_id = :repoId AND b.unverified IS :side');
  const choose = ({ repoId, branch, trust }: Omit<BuildPageQuery, 'offset' | 'limit'>) => {
    if (branch !== undefined) return { ...ofBranch, which: { repoId, branch: queryScope({ branch }) ?? null } };
    if (trust === undefined) return { ...ofRepo, which: { repoId } };
    return { ...ofSide, which: { repoId, side: trust === 'trusted' ? TRUSTED : UNVERIFIED } };
  };
  return async ({ offset, limit, ...query }: BuildPageQuery) => {
    const { count, page, which } = choose(query);
    const isAll = query.branch === undefined && query.trust === undefined;
    const total = isAll ? await countBuilds(query.repoId) : connection.read(() => Number(count.get(which)?.total));
    return { total, builds: await page({ ...which, limit, offset }) };
  };
}
