import type { Document, Filter, FindOptions } from 'mongodb';
import type { BuildSummary } from '../../core/builds/build-summary.ts';
import { type BuildTrends, MEASURED, type PullHead, type RepoActivity } from '../build-trends.ts';
import { estimateBytes, type Sample } from '../estimate-bytes.ts';
import { newestOfPulls, type PullBuild } from '../newest-pulls.ts';
import { SIDES } from './build-queries.ts';
import { recordsOf } from './build-rows.ts';
import type { Connection } from './connection.ts';
import type { BuildDocument } from './documents.ts';
import { tablesOf } from './table.ts';
import { createTrends, type Unite } from './trend-points.ts';

/** The server takes 1,000 stages; it plans one after the other, so that a page asks for its spans in two commands. */
const UNITED_AT_ONCE = 30;

/** How much of a build is sent: its long lists are left out. */
interface Shown {
  readonly projection: Document;
}

/** Binds the queries of trends and of the search. */
export function createBuildTrends(connection: Connection, summary: Shown): BuildTrends {
  const { builds: collection } = connection.collections;
  const { builds } = tablesOf(connection);
  const unite = createUnite(connection);
  return {
    ...createPulls(connection, { unite, summary }),
    trends: createTrends(unite),
    async branches(repoId, limit) {
      const scope = { $gt: 'branch:', $lt: 'branch;' };
      const scopes = await connection.run(() => collection.distinct('scope', { repoId, closed: true, scope }));
      return scopes.flatMap((one) => (one === undefined ? [] : one.slice('branch:'.length))).slice(0, limit);
    },
    async tags(repoId, limit) {
      const pipeline = [
        { $match: { repoId, closed: true, scope: { $gt: 'tag:', $lt: 'tag;' } } },
        { $group: { _id: '$scope', last: { $max: '$sequence' } } },
        { $sort: { last: -1 } },
        { $limit: limit },
      ];
      const found = await connection.run(() =>
        collection.aggregate<{ _id: string }>(pipeline, { hint: 'closed_scope' }).toArray(),
      );
      return found.map(({ _id }) => _id.slice('tag:'.length));
    },
    activity: (repoIds) => Promise.all(repoIds.map((repoId) => readActivity(connection, repoId))),
    excludedBases: async (limit) => {
      const filter = { 'record.excludedAsBase.at': { $exists: true } };
      const newest = { sort: { 'record.excludedAsBase.at': -1, _id: -1 }, limit } as const;
      return recordsOf(await builds.list(filter, { ...summary, ...newest })) as readonly BuildSummary[];
    },
    async search({ repoIds, by, limit }) {
      const isOfPull = 'pullRequest' in by;
      const which = isOfPull
        ? { 'record.pullRequest': by.pullRequest }
        : { commits: { $gte: by.commit, $lt: `${by.commit}g` } };
      const newest: FindOptions = { ...summary, ...(isOfPull && { sort: { sequence: -1 } }), limit };
      const found = SIDES.map((side) => builds.list({ repoId: { $in: [...repoIds] }, ...which, ...side }, newest));
      return summaries((await Promise.all(found)).flat());
    },
  };
}

function createUnite({ run, collections: { builds } }: Connection): Unite {
  return async <T extends Document>(pipelines: readonly Document[][]): Promise<readonly T[]> => {
    const parts: Promise<readonly T[]>[] = [];
    for (let at = 0; at < pipelines.length; at += UNITED_AT_ONCE) {
      const [first = [], ...others] = pipelines.slice(at, at + UNITED_AT_ONCE);
      const united = others.map((pipeline) => ({ $unionWith: { coll: builds.collectionName, pipeline } }));
      parts.push(run(() => builds.aggregate<T>([...first, ...united]).toArray()));
    }
    return (await Promise.all(parts)).flat();
  };
}

/** Binds the queries of open pull requests. */
function createPulls(
  connection: Connection,
  { unite, summary }: { readonly unite: Unite; readonly summary: Shown },
): Pick<BuildTrends, 'newestPulls' | 'pullHeads' | 'ofIds'> {
  const { run, collections } = connection;
  const { builds } = tablesOf(connection);
  const ofIds = async (ids: readonly number[]): Promise<readonly BuildSummary[]> => {
    const read = summaries(ids.length === 0 ? [] : await builds.list({ _id: { $in: [...ids] } }, summary));
    return ids.flatMap((id) => read.find((build) => build.id === id) ?? []);
  };
  return {
    ofIds,
    async newestPulls({ repoIds, each, limit }) {
      const pipelines = repoIds.flatMap((repoId) => SIDES.map((side) => pullsOf({ repoId, ...side }, each)));
      const found = await unite<PullBuild>(pipelines);
      return ofIds(newestOfPulls(found, limit));
    },
    async pullHeads(repoId, among) {
      const pipeline = [
        { $match: { repoId, listed: true } },
        { $sort: { sequence: -1 } },
        { $limit: among },
        { $match: { 'record.pullRequest': { $exists: true } } },
        { $project: PULL_HEAD },
      ];
      const found = await run(() => collections.builds.aggregate<BuildDocument>(pipeline).toArray());
      return recordsOf(found) as readonly PullHead[];
    },
  };
}

function summaries(documents: Parameters<typeof recordsOf>[0]): readonly BuildSummary[] {
  return (recordsOf(documents) as readonly BuildSummary[]).toSorted((a, b) => b.id - a.id);
}

async function readActivity(connection: Connection, repoId: number): Promise<RepoActivity> {
  const { builds, jobs } = tablesOf(connection);
  const ofRepo = { repoId, listed: true } as const;
  const projection = { 'record.lastJobAt': 1, 'report.size': 1, 'jobs.document': 1 };
  const [count, newest, texts] = await Promise.all([
    connection.run(() => connection.collections.builds.countDocuments(ofRepo)),
    builds.list(ofRepo, { projection, sort: { sequence: -1 }, limit: MEASURED.builds }),
    sampleTexts(connection, repoId),
  ]);
  const documents = newest.map((build) => (build.jobs ?? []).slice(0, MEASURED.jobs).map(({ document }) => document));
  const sent = await jobs.list({ _id: { $in: documents.flat() } }, { projection: { 'report.size': 1 } });
  const sizes = new Map(sent.map(({ _id, report }) => [_id, report.size]));
  const measured = newest.map(({ report }, index) => {
    const parts = [report === undefined ? 0 : report.size, ...(documents[index] ?? []).map((id) => sizes.get(id))];
    return parts.reduce((sum, size) => (sum === undefined || size === undefined ? undefined : sum + size), 0);
  });
  const lastUploadAt = newest[0]?.record?.lastJobAt;
  const storedBytes = estimateBytes({ sizes: measured, count }, texts);
  return { repoId, builds: count, lastUploadAt, storedBytes };
}

/** For a repo's source texts, in the order of their digests. */
async function sampleTexts({ run, collections: { sources } }: Connection, repoId: number): Promise<Sample> {
  const first: Document[] = [
    { $match: { _id: { $gte: `${repoId}/`, $lt: `${repoId}0` } } },
    { $sort: { _id: 1 } },
    { $limit: MEASURED.texts },
    { $project: { size: { $binarySize: '$bytes' } } },
  ];
  const [count, found] = await Promise.all([
    run(() => sources.countDocuments({ repoId })),
    run(() => sources.aggregate<{ readonly size: number }>(first).toArray()),
  ]);
  return { sizes: found.map(({ size }) => size), count };
}

const PULL_HEAD = {
  'record.id': 1,
  'record.pullRequest': 1,
  'record.landed': 1,
  'record.trust': 1,
  'record.target': 1,
  'record.commit': 1,
  'record.createdAt': 1,
  'record.facts.pull.state': 1,
} as const;

function pullsOf(builds: Filter<BuildDocument>, each: number): Document[] {
  const [pullRequest, createdAt] = ['$record.pullRequest', '$record.createdAt'];
  return [
    { $match: { ...builds, 'record.pullRequest': { $exists: true } } },
    { $sort: { sequence: -1 } },
    { $limit: each },
    { $project: { _id: 0, id: '$_id', repoId: 1, sequence: 1, pullRequest, createdAt } },
  ];
}
