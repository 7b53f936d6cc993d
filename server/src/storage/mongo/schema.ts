import type { CreateIndexesOptions, IndexDirection } from 'mongodb';
import type { IndexRow } from '../table.ts';
import { DECLARED } from '../tables/all.ts';
import { REPOS } from '../tables/repos.ts';
import { COLLECTION_NAMES } from './connection.ts';
import type { Collections } from './documents.ts';
import { addTagScopes, upgradeRecords } from './upgrade-records.ts';

/** One index and the queries that it serves. */
export interface StoreIndex {
  /** By its name in the database. */
  readonly collection: string;
  readonly name: string;
  readonly keys: Readonly<Record<string, IndexDirection>>;
  readonly serves: string;
  readonly unique?: true;
  /** Only documents that have this field are in it. */
  readonly where?: string;
}

/** Every index. They are made at each start where they are missing; none blocks reads or writes in the meantime. */
export const INDEXES: readonly StoreIndex[] = [
  ...[REPOS, ...DECLARED].flatMap(({ name, indexes }) => indexesOf(name, indexes)),
  ...indexesOf('providerSources', [
    ['age', { repoId: 1, at: 1, size: 1 }, 'the size of a repo’s texts, the oldest ones, removing a repo'],
  ]),
  ...indexesOf('unverifiedUsage', [['day', { day: 1 }, 'what was counted on earlier days']]),
  ...indexesOf('builds', [
    ['sequence', { repoId: 1, sequence: -1 }, 'one sequence per repo', { unique: true, where: 'sequence' }],
    ['listed', { repoId: 1, listed: 1, sequence: -1 }, 'a repo’s builds, page by page'],
    ['slot', { repoId: 1, group: 1, slot: -1 }, 'find-or-open', { unique: true, where: 'group' }],
    [
      'meeting',
      { repoId: 1, meeting: 1, meetingSlot: -1 },
      'the same for clients that share a commit',
      { unique: true, where: 'meeting' },
    ],
    [
      'number',
      { repoId: 1, 'record.serviceNumber': 1, 'record.state': 1, sequence: -1 },
      'joining and closing by build number',
      { where: 'record.serviceNumber' },
    ],
    ['own_number', { repoId: 1, ownNumber: 1, sequence: -1 }, 'closing by the number we gave', { where: 'ownNumber' }],
    ['numberless', { repoId: 1, numberless: 1, sequence: -1 }, 'joining without a number', { where: 'numberless' }],
    [
      'open_parallel',
      { repoId: 1, openParallel: 1, sequence: -1 },
      'a close without a number',
      { where: 'openParallel' },
    ],
    [
      'nameless_close',
      { repoId: 1, 'record.namelessCloseAt': -1 },
      'the same close, repeated',
      { where: 'record.namelessCloseAt' },
    ],
    [
      'service_job_id',
      { repoId: 1, 'jobs.serviceJobId': 1, sequence: -1 },
      'joining and closing by job id',
      { where: 'jobs.serviceJobId' },
    ],
    ['job', { 'jobs.id': 1 }, 'a job by its id', { where: 'jobs.id' }],
    ['commit', { commits: 1, sequence: -1, _id: -1 }, 'builds of a commit in every repo', { where: 'commits' }],
    [
      'repo_commit',
      { repoId: 1, commits: 1, sequence: -1 },
      'builds of a commit in one repo; joining by commit',
      { where: 'commits' },
    ],
    [
      'pull_request',
      { repoId: 1, 'record.pullRequest': 1, sequence: -1 },
      'builds of a pull request',
      { where: 'record.pullRequest' },
    ],
    ['trust', { repoId: 1, listed: 1, 'record.trust': 1, sequence: -1 }, 'trusted or unverified builds, page by page'],
    [
      'newest_pulls_of_trust',
      { repoId: 1, 'record.trust': 1, sequence: -1, 'record.pullRequest': 1 },
      'the newest builds of a repo’s pull requests',
      { where: 'record.pullRequest' },
    ],
    ['scope', { repoId: 1, scope: 1, sequence: -1 }, 'a branch’s builds, page by page', { where: 'scope' }],
    ['closed', { repoId: 1, closed: 1, sequence: -1 }, 'closed builds of a repo', { where: 'closed' }],
    [
      'closed_scope',
      { repoId: 1, closed: 1, scope: 1, sequence: -1 },
      'closed builds of a branch or pull request',
      { where: 'closed' },
    ],
    [
      'trend',
      { repoId: 1, closed: 1, scope: 1, 'record.createdAt': -1, sequence: -1 },
      'the newest build of each span of time, for trends',
      { where: 'closed' },
    ],
    ['base', { repoId: 1, baseRank: 1, sequence: -1 }, 'candidates for a base, in the repo', { where: 'baseRank' }],
    [
      'base_scope',
      { repoId: 1, scope: 1, baseRank: 1, sequence: -1 },
      'candidates for a base, on a branch',
      { where: 'baseRank' },
    ],
    ['flag', { repoId: 1, flags: 1, sequence: -1 }, 'builds with a flag, for carryforward', { where: 'flags' }],
    ['flag_scope', { repoId: 1, flags: 1, scope: 1, sequence: -1 }, 'the same on a branch', { where: 'flags' }],
    ['wants', { repoId: 1, wants: 1, sequence: -1 }, 'builds that wait for a base', { where: 'wants' }],
    ['base_id', { repoId: 1, baseId: 1, sequence: -1 }, 'builds that have a build as their base', { where: 'baseId' }],
    [
      'service_number',
      { repoId: 1, 'record.serviceNumber': 1, sequence: -1 },
      'builds of a CI run',
      { where: 'record.serviceNumber' },
    ],
    ['claimable', { claimableAt: 1, _id: 1 }, 'what is due next', { where: 'claimableAt' }],
    ['turn', { repoId: 1, claimableAt: 1, _id: 1 }, 'what is due next of each repo', { where: 'claimableAt' }],
    [
      'set_aside',
      { 'record.attempts.setAside': 1, _id: -1 },
      'builds that were set aside',
      { where: 'record.attempts.setAside' },
    ],
    [
      'excluded',
      { 'record.excludedAsBase.at': -1, _id: -1 },
      'builds that were taken out of the bases',
      { where: 'record.excludedAsBase.at' },
    ],
    ['leased', { leaseUntil: 1 }, 'leases that are given up', { where: 'leaseUntil' }],
    ['owed', { owedSince: 1 }, 'announcements that a stopped process left', { where: 'owedSince' }],
    ['opened', { listed: 1, openedAt: 1 }, 'builds whose first job never came'],
  ]),
  ...indexesOf('jobs', [
    ['unkept', { kept: 1, writtenAt: 1 }, 'uploads that were never accepted'],
    ['job', { jobId: 1 }, 'whether a report is still referred to'],
    ['repo', { repoId: 1 }, 'removing a repo'],
  ]),
  ...indexesOf('parts', [
    ['unkept', { kept: 1, writtenAt: 1 }, 'reports that nothing refers to'],
    ['repo', { repoId: 1 }, 'removing a repo'],
  ]),
  ...indexesOf('mergedReports', [
    ['build', { buildId: 1, key: 1, part: 1 }, 'merged reports of a build'],
    ['repo', { repoId: 1 }, 'removing a repo'],
  ]),
  ...indexesOf('sources', [
    ['kept', { repoId: 1, kept: 1, _id: 1, seenAt: 1 }, 'texts of a repo with their ages; removing a repo'],
    ['unkept', { kept: 1, seenAt: 1 }, 'sources whose upload was never accepted'],
  ]),
  ...indexesOf('deliveries', [
    [
      'status',
      { repoId: 1, commit: 1, contextKey: 1 },
      'the record of a context, or of a check run',
      { unique: true, where: 'commit' },
    ],
    ['comment', { repoId: 1, pullRequest: 1 }, 'the record of a comment', { unique: true, where: 'pullRequest' }],
    ['repo', { repoId: 1, openContext: 1 }, 'ending the contexts of a removed repo'],
    ['claimable', { claimableAt: 1, _id: 1 }, 'what is to be delivered next', { where: 'claimableAt' }],
    ['turn', { repoId: 1, claimableAt: 1, _id: 1 }, 'the same of each repo', { where: 'claimableAt' }],
    ['leased', { leaseUntil: 1 }, 'leases that are given up', { where: 'leaseUntil' }],
    ['parked', { parked: 1, _id: 1 }, 'another try at a start', { where: 'parked' }],
  ]),
];

function indexesOf(collection: keyof Collections, rows: readonly IndexRow[]): readonly StoreIndex[] {
  return rows.map(([name, keys, serves, options]) => ({
    collection: COLLECTION_NAMES[collection],
    name,
    keys,
    serves,
    ...options,
  }));
}

/** The driver's options of an index. */
export function indexOptions({ name, unique, where }: StoreIndex): CreateIndexesOptions {
  return {
    name,
    ...(unique === undefined ? {} : { unique }),
    ...(where === undefined ? {} : { partialFilterExpression: { [where]: { $exists: true } } }),
  };
}

/** A step of the schema: brings a database from version n-1 to n. A released step is never edited. */
export type Migration = (collections: Collections) => Promise<void>;

/** Step 1 is the empty database: its indexes are made at every start. */
export const MIGRATIONS: readonly Migration[] = [async () => undefined, upgradeRecords, addTagScopes];

/**
 * How many steps a version must know to run on a database of all of them. A step that only adds leaves this number:
 * the version before runs beside this one. It is raised by the release after, with what nobody reads any more.
 */
export const READABLE_BY = 3;
