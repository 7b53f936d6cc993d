import type { CreateIndexesOptions, IndexDirection } from 'mongodb';
import type { Collections } from './documents.ts';
import { upgradeRecords } from './upgrade-records.ts';

/** One index and the queries it is for (docs/operating.md lists them; a test compares). */
export interface StoreIndex {
  readonly collection: keyof Collections;
  readonly name: string;
  readonly keys: Readonly<Record<string, IndexDirection>>;
  readonly serves: string;
  readonly unique?: true;
  /** Only documents that have this field are in it. */
  readonly where?: string;
}

/** Every index. They are made at each start where they are missing; none blocks reads or writes meanwhile. */
export const INDEXES: readonly StoreIndex[] = [
  {
    collection: 'repos',
    name: 'by_name',
    keys: { service: 1, nameKey: 1 },
    unique: true,
    where: 'nameKey',
    serves: 'a repo by its name',
  },
  {
    collection: 'repos',
    name: 'by_token',
    keys: { 'tokens.lookup': 1 },
    unique: true,
    where: 'tokens.lookup',
    serves: 'the repo of an upload’s token',
  },
  {
    collection: 'repos',
    name: 'token_id',
    keys: { 'tokens.id': 1 },
    where: 'tokens.id',
    serves: 'sealing tokens again after a change of the key',
  },
  {
    collection: 'repos',
    name: 'removed',
    keys: { 'removal.removedAt': 1 },
    where: 'removal.removedAt',
    serves: 'removals to be finished',
  },
  {
    collection: 'repos',
    name: 'by_provider_id',
    keys: { service: 1, 'record.providerId': 1 },
    where: 'record.providerId',
    serves: 'a repo by the provider’s id',
  },
  { collection: 'facts', name: 'repo', keys: { repoId: 1 }, serves: 'removing a repo' },
  { collection: 'personalTokens', name: 'by_hash', keys: { hash: 1 }, unique: true, serves: 'the person of a token' },
  {
    collection: 'builds',
    name: 'sequence',
    keys: { repoId: 1, sequence: -1 },
    unique: true,
    where: 'sequence',
    serves: 'one sequence per repo',
  },
  {
    collection: 'builds',
    name: 'listed',
    keys: { repoId: 1, listed: 1, sequence: -1 },
    serves: 'a repo’s builds, page by page',
  },
  {
    collection: 'builds',
    name: 'slot',
    keys: { repoId: 1, group: 1, slot: -1 },
    unique: true,
    where: 'group',
    serves: 'find-or-open',
  },
  {
    collection: 'builds',
    name: 'number',
    keys: { repoId: 1, 'record.serviceNumber': 1, 'record.state': 1, sequence: -1 },
    where: 'record.serviceNumber',
    serves: 'joining and closing by build number',
  },
  {
    collection: 'builds',
    name: 'own_number',
    keys: { repoId: 1, ownNumber: 1, sequence: -1 },
    where: 'ownNumber',
    serves: 'closing by the number we gave',
  },
  {
    collection: 'builds',
    name: 'numberless',
    keys: { repoId: 1, numberless: 1, sequence: -1 },
    where: 'numberless',
    serves: 'joining without a number',
  },
  {
    collection: 'builds',
    name: 'open_parallel',
    keys: { repoId: 1, openParallel: 1, sequence: -1 },
    where: 'openParallel',
    serves: 'a close without a number',
  },
  {
    collection: 'builds',
    name: 'nameless_close',
    keys: { repoId: 1, 'record.namelessCloseAt': -1 },
    where: 'record.namelessCloseAt',
    serves: 'the same close, repeated',
  },
  {
    collection: 'builds',
    name: 'service_job_id',
    keys: { repoId: 1, 'jobs.serviceJobId': 1, sequence: -1 },
    where: 'jobs.serviceJobId',
    serves: 'joining and closing by job id',
  },
  { collection: 'builds', name: 'job', keys: { 'jobs.id': 1 }, where: 'jobs.id', serves: 'a job by its id' },
  {
    collection: 'builds',
    name: 'commit',
    keys: { commits: 1, sequence: -1, _id: -1 },
    where: 'commits',
    serves: 'builds of a commit in every repo',
  },
  {
    collection: 'builds',
    name: 'repo_commit',
    keys: { repoId: 1, commits: 1, sequence: -1 },
    where: 'commits',
    serves: 'builds of a commit in one repo; joining by commit',
  },
  {
    collection: 'builds',
    name: 'pull_request',
    keys: { repoId: 1, 'record.pullRequest': 1, sequence: -1 },
    where: 'record.pullRequest',
    serves: 'builds of a pull request',
  },
  {
    collection: 'builds',
    name: 'scope',
    keys: { repoId: 1, scope: 1, sequence: -1 },
    where: 'scope',
    serves: 'a branch’s builds, page by page',
  },
  {
    collection: 'builds',
    name: 'closed',
    keys: { repoId: 1, closed: 1, sequence: -1 },
    where: 'closed',
    serves: 'closed builds of a repo',
  },
  {
    collection: 'builds',
    name: 'closed_scope',
    keys: { repoId: 1, closed: 1, scope: 1, sequence: -1 },
    where: 'closed',
    serves: 'closed builds of a branch or pull request',
  },
  {
    collection: 'builds',
    name: 'base',
    keys: { repoId: 1, baseRank: 1, sequence: -1 },
    where: 'baseRank',
    serves: 'candidates for a base, in the repo',
  },
  {
    collection: 'builds',
    name: 'base_scope',
    keys: { repoId: 1, scope: 1, baseRank: 1, sequence: -1 },
    where: 'baseRank',
    serves: 'candidates for a base, on a branch',
  },
  {
    collection: 'builds',
    name: 'flag',
    keys: { repoId: 1, flags: 1, sequence: -1 },
    where: 'flags',
    serves: 'builds with a flag, for carryforward',
  },
  {
    collection: 'builds',
    name: 'flag_scope',
    keys: { repoId: 1, flags: 1, scope: 1, sequence: -1 },
    where: 'flags',
    serves: 'the same on a branch',
  },
  {
    collection: 'builds',
    name: 'wants',
    keys: { repoId: 1, wants: 1, sequence: -1 },
    where: 'wants',
    serves: 'builds that wait for a base',
  },
  {
    collection: 'builds',
    name: 'base_id',
    keys: { repoId: 1, baseId: 1, sequence: -1 },
    where: 'baseId',
    serves: 'builds that have a build as their base',
  },
  {
    collection: 'builds',
    name: 'service_number',
    keys: { repoId: 1, 'record.serviceNumber': 1, sequence: -1 },
    where: 'record.serviceNumber',
    serves: 'builds of a CI run',
  },
  {
    collection: 'builds',
    name: 'claimable',
    keys: { claimableAt: 1, _id: 1 },
    where: 'claimableAt',
    serves: 'what is due next',
  },
  {
    collection: 'builds',
    name: 'leased',
    keys: { leaseUntil: 1 },
    where: 'leaseUntil',
    serves: 'leases that are given up',
  },
  {
    collection: 'builds',
    name: 'owed',
    keys: { owedSince: 1 },
    where: 'owedSince',
    serves: 'announcements that a stopped process left',
  },
  {
    collection: 'builds',
    name: 'opened',
    keys: { listed: 1, openedAt: 1 },
    serves: 'builds whose first job never came',
  },
  { collection: 'jobs', name: 'unkept', keys: { kept: 1, writtenAt: 1 }, serves: 'uploads that were never accepted' },
  { collection: 'jobs', name: 'job', keys: { jobId: 1 }, serves: 'whether a report is still referred to' },
  { collection: 'jobs', name: 'repo', keys: { repoId: 1 }, serves: 'removing a repo' },
  { collection: 'parts', name: 'unkept', keys: { kept: 1, writtenAt: 1 }, serves: 'reports that nothing refers to' },
  { collection: 'parts', name: 'repo', keys: { repoId: 1 }, serves: 'removing a repo' },
  { collection: 'sources', name: 'repo', keys: { repoId: 1 }, serves: 'removing a repo' },
  {
    collection: 'sources',
    name: 'unkept',
    keys: { kept: 1, seenAt: 1 },
    serves: 'sources whose upload was never accepted',
  },
  {
    collection: 'deliveries',
    name: 'status',
    keys: { repoId: 1, commit: 1, contextKey: 1 },
    unique: true,
    where: 'commit',
    serves: 'the record of a context, or of a check run',
  },
  {
    collection: 'deliveries',
    name: 'comment',
    keys: { repoId: 1, pullRequest: 1 },
    unique: true,
    where: 'pullRequest',
    serves: 'the record of a comment',
  },
  {
    collection: 'deliveries',
    name: 'repo',
    keys: { repoId: 1, openContext: 1 },
    serves: 'ending the contexts of a removed repo',
  },
  {
    collection: 'deliveries',
    name: 'claimable',
    keys: { claimableAt: 1, _id: 1 },
    where: 'claimableAt',
    serves: 'what is to be delivered next',
  },
  {
    collection: 'deliveries',
    name: 'leased',
    keys: { leaseUntil: 1 },
    where: 'leaseUntil',
    serves: 'leases that are given up',
  },
  {
    collection: 'deliveries',
    name: 'parked',
    keys: { parked: 1, _id: 1 },
    where: 'parked',
    serves: 'another try at a start',
  },
];

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
export const MIGRATIONS: readonly Migration[] = [async () => undefined, upgradeRecords];
