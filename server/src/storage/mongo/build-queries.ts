import type { Document, Filter } from 'mongodb';
import type { Build } from '../../core/builds/build.ts';
import { MAX_OF_COMMITS, MAX_PER_COMMIT, queryScope } from '../build-index.ts';
import type { BuildPageQuery } from '../build-pages.ts';
import type { BuildStore, ClosedQuery } from '../build-store.ts';
import type { BuildQueries } from '../commands/build-commands.ts';
import { newestFirst } from '../commands/primitives.ts';
import { type CountBuilds, createCountBuilds } from '../count-builds.ts';
import { reportOfBuild } from '../sentences.ts';
import { type BuildRows, RECORD, recordsOf } from './build-rows.ts';
import type { ReportParts } from './bytes.ts';
import type { Connection } from './connection.ts';
import type { BuildDocument, StoredBytes } from './documents.ts';
import type { RecentReports } from './recent-reports.ts';
import { tablesOf } from './table.ts';

interface Rows {
  readonly builds: BuildRows;
  readonly reports: ReportParts;
  readonly recentReports: RecentReports;
}

/** The server passes over each entry before a page, so one behind the middle is sought from the end. */
interface Page {
  readonly skip: number;
  /** How many there are, where that is known: the page must end among them. */
  readonly of?: number;
}

/** Binds the queries of one database. */
export function createBuildQueries(connection: Connection, of: Rows): BuildQueries {
  const ask = createAsk<Build>(connection, RECORD);
  return {
    ...createReads<Build>(connection, RECORD),
    find: of.builds.find,
    ofCommits: (repoId, commits) =>
      commits.length === 0
        ? Promise.resolve([])
        : ofBothSides(
            (side) => ask({ repoId, commits: { $in: [...commits] }, ...side }, MAX_OF_COMMITS),
            MAX_OF_COMMITS,
          ),
    commitsStarting: (query) => commitsStarting(connection, query),
    withMissingBase: ({ repoId, missingBases, limit }) =>
      ask({ repoId, wants: { $in: [...missingBases] }, closed: true }, limit),
    basedOn: ({ repoId, buildId, limit }) => ask({ repoId, baseId: buildId, closed: true }, limit),
    ofServiceNumber: (repoId, serviceNumber, limit) => ask({ repoId, 'record.serviceNumber': serviceNumber }, limit),
    ofPullRequest: (repoId, pullRequest, limit) =>
      ofBothSides((side) => ask({ repoId, 'record.pullRequest': pullRequest, ...side }, limit), limit),
    listSetAside: (limit) => listSetAside(connection, limit),
    report: (buildId) => readReport(of, buildId),
  };
}

async function commitsStarting(
  { run, collections }: Connection,
  { repoId, digits, limit }: Parameters<BuildStore['commitsStarting']>[0],
): Promise<readonly string[]> {
  const filter = { repoId, commits: { $regex: `^${digits}` }, ...TRUSTED };
  const found = await run(() => collections.builds.distinct('commits', filter));
  return found.filter((commit) => commit?.startsWith(digits)).slice(0, limit) as readonly string[];
}

async function listSetAside(connection: Connection, limit: number): Promise<readonly Build[]> {
  const { builds } = tablesOf(connection);
  return recordsOf(await builds.list({ 'record.attempts.setAside': true }, { ...RECORD, sort: { _id: -1 }, limit }));
}

/** Filters: the builds of each side. Values and not `$ne`, so that an index answers in the order of its keys. */
export const TRUSTED: Filter<BuildDocument> = { 'record.trust': { $in: ['secret', 'provider'] } };
export const UNVERIFIED: Filter<BuildDocument> = { 'record.trust': 'run' };
export const SIDES = [TRUSTED, UNVERIFIED];
const EITHER_SIDE: Filter<BuildDocument> = { 'record.trust': { $in: ['secret', 'provider', 'run'] } };

/**
 * Rule 29: each side has the whole limit of a query, so that builds of forks push no other out of its answer. Fewer
 * than one limit are nearly all that there are, so both sides are asked for at once first.
 */
async function ofBothSides<T extends Pick<Build, 'id' | 'sequence'>>(
  ask: (side: Filter<BuildDocument>) => Promise<readonly T[]>,
  limit: number,
): Promise<readonly T[]> {
  const found = await ask(EITHER_SIDE);
  return newestFirst(found.length < limit ? found : (await Promise.all(SIDES.map(ask))).flat());
}

/** The queries that whole records and summaries are found by; `shown` says how much of a document is sent. */
export function createReads<T extends Pick<Build, 'id' | 'sequence'>>(
  connection: Connection,
  shown: { readonly projection: Document },
) {
  const { builds } = tablesOf(connection);
  const ask = createAsk<T>(connection, shown);
  const countBuilds = createCounting(connection);
  const bases = (query: ClosedQuery, baseRank: number): Promise<readonly T[]> => {
    const others = query.notCommit === undefined ? {} : { commits: { $ne: query.notCommit } };
    return ask({ ...within(query), baseRank, ...others }, query.limit);
  };
  return {
    findByCommit(commit: string) {
      const newest = { ...shown, sort: { sequence: -1, _id: -1 }, limit: MAX_PER_COMMIT } as const;
      return ofBothSides(
        async (side) => recordsOf(await builds.list({ commits: commit, ...side }, newest)) as unknown as readonly T[],
        MAX_PER_COMMIT,
      );
    },
    ofCommit: (repoId: number, commit: string) =>
      ofBothSides((side) => ask({ repoId, commits: commit, ...side }, MAX_PER_COMMIT), MAX_PER_COMMIT),
    closed: (query: ClosedQuery) => ask({ ...within(query), closed: true }, query.limit),
    async bases(query: ClosedQuery) {
      const complete = await bases(query, 1);
      return [...complete, ...(await bases({ ...query, limit: query.limit - complete.length }, 0))];
    },
    withFlag: ({ flag, ...query }: ClosedQuery & { readonly flag: string }) =>
      ask({ ...within(query), flags: flag }, query.limit),
    async list({ repoId, branch, trust, offset, limit }: BuildPageQuery) {
      const scope = branch === undefined ? undefined : queryScope({ branch });
      const side = trust === undefined ? {} : trust === 'trusted' ? TRUSTED : UNVERIFIED;
      const filter: Filter<BuildDocument> = scope === undefined ? { repoId, listed: true, ...side } : { repoId, scope };
      const count =
        scope === undefined && trust === undefined
          ? countBuilds(repoId)
          : connection.run(() => connection.collections.builds.countDocuments(filter));
      if (offset === 0) {
        const [total, page] = await Promise.all([count, ask(filter, limit)]);
        return { total, builds: page };
      }
      const total = await count;
      const length = Math.min(limit, Math.max(0, total - offset));
      return { total, builds: await ask(filter, length, { skip: offset, of: total }) };
    },
  };
}

function createCounting(connection: Connection): CountBuilds {
  const { repos } = tablesOf(connection);
  const projection = { lastSequence: 1, removedBuilds: 1 };
  return createCountBuilds({
    async look(repoId) {
      const { lastSequence = 0, removedBuilds = 0 } = (await repos.one({ _id: repoId }, { projection })) ?? {};
      return { last: lastSequence, changes: removedBuilds };
    },
    count(repoId, { above, upTo }) {
      const range = { ...(above !== undefined && { $gt: above }), ...(upTo !== undefined && { $lte: upTo }) };
      const isBounded = Object.keys(range).length > 0;
      const filter = { repoId, listed: true, ...(isBounded && { sequence: range }) } as Filter<BuildDocument>;
      return connection.run(() => connection.collections.builds.countDocuments(filter));
    },
  });
}

/** The newest of the builds that a filter finds, or a page of them. */
function createAsk<T>(connection: Connection, shown: { readonly projection: Document }) {
  const { builds } = tablesOf(connection);
  return async (filter: Filter<BuildDocument>, limit: number, page: Page = { skip: 0 }): Promise<readonly T[]> => {
    // A limit of 0 would mean none.
    if (limit < 1) return [];
    const after = (page.of ?? Number.POSITIVE_INFINITY) - page.skip - limit;
    const fromEnd = after < page.skip;
    const part = {
      sort: { sequence: fromEnd ? 1 : -1 },
      skip: fromEnd ? after : page.skip,
      limit,
      batchSize: limit,
    } as const;
    const found = recordsOf(await builds.list(filter, { ...shown, ...part })) as readonly T[];
    return fromEnd ? found.toReversed() : found;
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

/** Another close may replace it by a newer report while it is read. */
async function readReport(of: Rows, buildId: number): ReturnType<BuildStore['report']> {
  const stored = await of.builds.findReport(buildId);
  if (stored === undefined) return undefined;
  return readStored(of, buildId, stored).catch(async (error: unknown) => {
    const now = await of.builds.findReport(buildId);
    if (now?.id === stored.id) throw error;
    return now && readStored(of, buildId, now);
  });
}

async function readStored({ reports, recentReports }: Rows, buildId: number, stored: StoredBytes): Promise<Uint8Array> {
  const known = recentReports.find(stored.id);
  if (known !== undefined) return known;
  const report = await reports.read(stored, reportOfBuild(buildId));
  recentReports.keep(stored.id, report);
  return report;
}
