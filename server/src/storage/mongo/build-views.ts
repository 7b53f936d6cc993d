import type { FlagResult } from '../../core/builds/build.ts';
import type { BuildSummary, BuildView } from '../../core/builds/build-summary.ts';
import type { BuildViews, FileKind } from '../build-views.ts';
import { type EarlierResult, MAX_FAILING, type ReadEarlier, withEarlierOverall } from '../earlier-overall.ts';
import { createReads } from './build-queries.ts';
import { recordsOf } from './build-rows.ts';
import { createBuildTrends } from './build-trends.ts';
import type { Connection } from './connection.ts';
import type { BuildDocument } from './documents.ts';
import { tablesOf } from './table.ts';

/** What a build is found by, and what is still to be done with it. */
const ONLY_RECORD: Readonly<Record<Exclude<keyof BuildDocument, '_id' | 'record'>, 0>> = {
  repoId: 0,
  sequence: 0,
  group: 0,
  slot: 0,
  meeting: 0,
  meetingSlot: 0,
  openedAt: 0,
  jobs: 0,
  report: 0,
  leaseUntil: 0,
  leaseId: 0,
  notBefore: 0,
  claimableAt: 0,
  owed: 0,
  owedSince: 0,
  listed: 0,
  scope: 0,
  closed: 0,
  baseRank: 0,
  commits: 0,
  flags: 0,
  numberless: 0,
  ownNumber: 0,
  openParallel: 0,
  baseId: 0,
  wants: 0,
  dueAt: 0,
};

/** What of a record may be as long as its uploads make it, except for what the build's own page shows. */
const WITHOUT_LISTS = {
  ...ONLY_RECORD,
  'record.openedContexts': 0,
  'record.carryforward': 0,
  'record.missingBases': 0,
  'record.acceptance': 0,
  'record.result.flags': 0,
  'record.result.carried': 0,
  'record.result.marks': 0,
} as const;

const VIEW = { projection: WITHOUT_LISTS };
const SUMMARY = {
  projection: {
    ...WITHOUT_LISTS,
    'record.result.countedJobs': 0,
    'record.result.fileChanges': 0,
    'record.result.patch.files': 0,
    'record.result.patch.unmeasured': 0,
    'record.result.groups': 0,
    'record.result.owners': 0,
    'record.result.rules': 0,
  },
};

/** The server takes 32 bits at most. */
const FARTHEST = 2 ** 31 - 1;

const FLAGS = { $ifNull: ['$record.result.flags', []] };
const FILE_KINDS = {
  projection: { 'record.result.fileChanges.name': 1, 'record.result.fileChanges.kind': 1 },
} as const;

/** Binds the queries of pages and lists. */
export function createBuildViews(connection: Connection): BuildViews {
  return withEarlierOverall(createStoredViews(connection), createReadEarlier(connection));
}

const EARLIER = {
  _id: 1,
  'record.result.verdict': 1,
  'record.result.totals': 1,
  'record.result.baseTotals': 1,
  'record.result.patch.totals': 1,
  'record.result.patch.verdict': 1,
  // Nested, as a page of flags is.
  page: { $ifNull: [{ $slice: [{ $concatArrays: [those('$ne'), those('$eq')] }, MAX_FAILING] }, []] },
  total: { $size: FLAGS },
};

function createReadEarlier(connection: Connection): ReadEarlier {
  const { builds } = tablesOf(connection);
  return async (buildIds) => {
    const found = await builds.list({ _id: { $in: [...buildIds] } }, { projection: EARLIER });
    return found.map((one) => {
      const { page, total } = one as unknown as FlagsOfDocument;
      return { buildId: one._id, result: one.record?.result as EarlierResult['result'], flags: page, total };
    });
  };
}

function createStoredViews(connection: Connection): BuildViews {
  const { builds } = tablesOf(connection);
  const readFlags = async (buildId: number, page: object): Promise<FlagsOfDocument | undefined> => {
    const projection = { total: { $size: FLAGS }, page };
    return (await builds.one({ _id: buildId }, { projection })) as unknown as FlagsOfDocument | undefined;
  };
  return {
    ...createBuildTrends(connection, SUMMARY),
    ...createReads<BuildSummary>(connection, SUMMARY),
    async ofPullRequest({ repoId, pullRequest, offset, limit }) {
      const newest = { sort: { sequence: -1 }, skip: Math.min(offset, FARTHEST), limit: Math.max(limit, 1) } as const;
      return limit < 1
        ? []
        : recordsOf(await builds.list({ repoId, 'record.pullRequest': pullRequest }, { ...SUMMARY, ...newest }));
    },
    summary: async (buildId) => (await builds.one({ _id: buildId }, SUMMARY))?.record,
    find: async (buildId): Promise<BuildView | undefined> => (await builds.one({ _id: buildId }, VIEW))?.record,
    async flag(buildId, name) {
      const named = { $filter: { input: FLAGS, as: 'flag', cond: { $eq: ['$$flag.name', { $literal: name }] } } };
      return (await readFlags(buildId, named))?.page[0];
    },
    async flags({ buildId, failingFirst, offset, limit }) {
      const ordered = failingFirst ? { $concatArrays: [those('$ne'), those('$eq')] } : FLAGS;
      // Nested, since a field of its own is where `$slice` would mean another operator.
      const page = { $ifNull: [{ $slice: [ordered, Math.min(offset, FARTHEST), Math.max(limit, 1)] }, []] };
      const found = await readFlags(buildId, page);
      return { total: found?.total ?? 0, flags: limit < 1 ? [] : (found?.page ?? []) };
    },
    async flagNames(buildId, limit) {
      const first = { $let: { vars: { first: { $slice: [FLAGS, limit] } }, in: '$$first.name' } };
      const found = await builds.one({ _id: buildId }, { projection: { first } });
      return (found as { readonly first?: readonly string[] } | undefined)?.first ?? [];
    },
    fileKinds: async (buildId): Promise<readonly FileKind[]> =>
      (await builds.one({ _id: buildId }, FILE_KINDS))?.record?.result?.fileChanges ?? [],
  };
}

interface FlagsOfDocument {
  readonly total: number;
  readonly page: readonly FlagResult[];
}

/** Those whose verdict is a success, or is none. */
function those(compared: '$eq' | '$ne'): object {
  return { $filter: { input: FLAGS, as: 'flag', cond: { [compared]: ['$$flag.verdict.state', 'success'] } } };
}
