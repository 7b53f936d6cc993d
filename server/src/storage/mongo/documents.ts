import type { Binary, Collection, Document } from 'mongodb';
import type { Delivery, Message, StatusOwner } from '../../core/announce/delivery.ts';
import type { Build } from '../../core/builds/build.ts';
import type { Job } from '../../core/builds/job.ts';
import type { Repo, StoredRepoToken } from '../../core/repo/repo.ts';
import type { Timestamp } from '../../core/time.ts';
import type { DeclaredName } from '../tables/all.ts';
import type { PackedNext } from '../tables/flip-ledgers.ts';

/**
 * What the database holds. Beside its `record`, in the shape of core, a document has only what queries need that
 * the record does not say itself. Times that are compared with the server's clock are Dates, those of records are
 * milliseconds.
 */
export interface RepoDocument {
  readonly _id: number;
  readonly service: string;
  /** Lower case; absent once the repo was removed, which frees the name. */
  readonly nameKey?: string;
  readonly lastSequence: number;
  /** Builds that were removed from it (count-builds.ts); not copied to another store. */
  readonly removedBuilds?: number;
  /** The last look for texts that no build names (storage/source-store.ts); not copied to another store. */
  readonly textLook?: { readonly begunAt?: number; readonly cleanBuilds?: number };
  readonly tokens: readonly RepoTokenEntry[];
  /** What it sent on its last day (domain dayOf); not copied to another store. */
  readonly sent?: { readonly day: number; readonly bytes: number };
  /** Set by the write that removes the repo: from then on it is only a note of what is still to be cleared away. */
  readonly removal?: Removal;
  readonly record: Repo;
}

export interface RepoTokenEntry extends StoredRepoToken {
  readonly id: number;
}

export interface Removal {
  readonly removedAt: Date;
  /** The text that ends open contexts. */
  readonly description: string;
  readonly at: Timestamp;
  /**
   * `<service>/<name>`: not removed, but not there yet. An import fills it, and `removedAt` is when it last did
   * (repo-transfers.ts).
   */
  readonly importing?: string;
}

/**
 * One build. The write that accepts a job appends its entry here, so that build and job appear together. A document
 * without `record` waits for its first job: only those see it that would open the same build.
 */
export interface BuildDocument extends BuildKeys {
  readonly _id: number;
  readonly repoId: number;
  /** Given with the first job. */
  readonly sequence?: number;
  /** The same for all jobs that could share a build; unique with `slot`, so that only one of them opens it (rule 9). */
  readonly group?: string;
  readonly slot?: number;
  /** Likewise for jobs of other clients of the run, which share its commit. */
  readonly meeting?: string;
  readonly meetingSlot?: number;
  readonly openedAt: Date;
  readonly jobs?: readonly JobEntry[];
  /** The merged report of the last close. */
  readonly report?: StoredBytes;
  readonly leaseUntil?: Date;
  /** Whose lease it is. */
  readonly leaseId?: string;
  readonly notBefore?: Date;
  /** The latest of `dueAt`, `leaseUntil` and `notBefore`, where something is due. */
  readonly claimableAt?: Date;
  /** Pending effects: what writes of this build have ordered elsewhere and is not done yet, in order. */
  readonly owed?: readonly PendingEffect[];
  readonly owedSince?: Date;
  readonly record?: Build;
}

/** What a build is found by, derived from its record with every write of it. */
export interface BuildKeys {
  /** Always true if there is a record. */
  readonly listed?: true;
  readonly scope?: string;
  readonly closed?: true;
  readonly baseRank?: number;
  readonly commits?: readonly string[];
  readonly flags?: readonly string[];
  /** The service_name of a build without a service_number. */
  readonly numberless?: string;
  /** The number of a build without a service_number. */
  readonly ownNumber?: string;
  readonly openParallel?: true;
  readonly baseId?: number;
  /** Missing bases. */
  readonly wants?: readonly string[];
  readonly dueAt?: Date;
}

/** One accepted job within its build; its place in the list, from 1, is its number. */
export interface JobEntry {
  readonly id: number;
  /** The `_id` of its JobDocument. */
  readonly document: string;
  /** SHA-256 of uploadKey (core/builds/accept-job.ts). */
  readonly key: string;
  readonly serviceName: string;
  readonly serviceJobId?: string;
}

/** What a write of a build has ordered elsewhere. */
export interface PendingEffect {
  /** The build's revision that the write made: what is older never changes what is newer. */
  readonly stamp: number;
  readonly at: Timestamp;
  /** Messages of a close, or pending statuses. */
  readonly announce?: { readonly messages: readonly Message[]; readonly statusOwner: StatusOwner };
  /** Another try for what was given up of the build's announcements. */
  readonly retry?: Pick<Build, 'id' | 'repoId' | 'target' | 'pullRequest'>;
  /** The report that a close replaced. */
  readonly unused?: StoredBytes;
  readonly ledger?: PackedNext;
}

/**
 * An upload: written before the job is accepted, never changed after. It counts only while a build's entry names it;
 * one that none names after a day is swept.
 */
export interface JobDocument {
  readonly _id: string;
  readonly jobId: number;
  readonly repoId: number;
  readonly report: StoredBytes;
  readonly writtenAt: Date;
  /** The sweep found it in use: it stays with its repo. */
  readonly kept?: true;
  readonly record: Omit<Job, 'id' | 'buildId' | 'number'>;
}

/** Bytes kept in parts: a document holds 16 MB at most. */
export interface StoredBytes {
  readonly id: string;
  readonly parts: number;
  /** Bytes of all parts; absent in what earlier versions wrote. */
  readonly size?: number;
}

export interface PartDocument {
  /** `<id>/<n>`, n from 0. */
  readonly _id: string;
  readonly repoId: number;
  /** What refers to it: swept when that is gone. */
  readonly owner: { readonly kind: 'job' | 'build'; readonly id: number };
  readonly bytes: Binary;
  readonly writtenAt: Date;
  /** The sweep found it in use: who gives it up removes it. */
  readonly kept?: true;
}

/** A part of a merged report. */
export interface MergedReportDocument {
  /** `<build id>/<key>/<part>`. */
  readonly _id: string;
  readonly repoId: number;
  readonly buildId: number;
  readonly key: string;
  readonly part: number;
  readonly parts: number;
  readonly bytes: Binary;
  /** Only the first part has them. */
  readonly jobs?: readonly number[];
  readonly flag?: string;
}

export interface SourceDocument {
  /** `<repo id>/<digest>`, and `<repo id>/<digest>/<n>` for what does not fit into the first. */
  readonly _id: string;
  readonly repoId: number;
  readonly parts: number;
  readonly bytes: Binary;
  /** Raised before an accept that brings it, until one was accepted; then where it is older than TEXT_AGE_STEP. */
  readonly seenAt: Date;
  /** Jobs that brought it. */
  readonly jobs: readonly number[];
  /** An accepted job brought it: it stays while a build names it. */
  readonly kept?: true;
}

export interface DeliveryDocument {
  readonly _id: number;
  readonly repoId: number;
  readonly commit?: string;
  readonly contextKey?: string;
  readonly pullRequest?: number;
  /** Rises with every change of the record; a change is conditional on it. */
  readonly version: number;
  /** The last message of the last order of the statusOwner that was taken (see MAX_MESSAGES). */
  readonly stamp: number;
  readonly parked?: true;
  readonly openContext?: true;
  /** Where it is wanted and not given up: when it may be tried. */
  readonly nextAttemptAt?: Date;
  readonly leaseUntil?: Date;
  readonly claimableAt?: Date;
  /** Whose claim it is. */
  readonly claim?: string;
  readonly record: Delivery;
}

/** A source text that the provider was asked for. */
export interface ProviderSourceDocument {
  /** `<repo id>/<key>`. */
  readonly _id: string;
  readonly repoId: number;
  readonly digest: string;
  readonly at: Timestamp;
  readonly size: number;
  readonly bytes: Binary;
}

/** What uploads of unverified runs brought on a day (domain Quota); not copied to another store. */
export interface UnverifiedUsageDocument {
  readonly _id: string;
  readonly day: number;
  readonly bytes: number;
}

export interface CounterDocument {
  readonly _id: string;
  readonly value: number;
}

/** Notes about the database itself. */
export interface NoteDocument {
  readonly _id: 'schema' | 'sweep' | 'copy';
  readonly version?: number;
  /** How many steps of the schema a version must know to run on this database. */
  readonly readableBy?: number;
  readonly leaseUntil?: Date;
  readonly at?: Date;
  readonly from?: string;
  readonly progress?: Readonly<Record<string, string>>;
}

/** One of a declared collection (tables/): its key, and either its record or its fields. */
export type StoredDocument = Document & { readonly _id: number | string; readonly repoId?: number };

export interface Collections extends Readonly<Record<DeclaredName, Collection<StoredDocument>>> {
  readonly notes: Collection<NoteDocument>;
  readonly counters: Collection<CounterDocument>;
  readonly repos: Collection<RepoDocument>;
  readonly builds: Collection<BuildDocument>;
  readonly jobs: Collection<JobDocument>;
  readonly parts: Collection<PartDocument>;
  readonly mergedReports: Collection<MergedReportDocument>;
  readonly sources: Collection<SourceDocument>;
  readonly deliveries: Collection<DeliveryDocument>;
  readonly providerSources: Collection<ProviderSourceDocument>;
  readonly unverifiedUsage: Collection<UnverifiedUsageDocument>;
}
