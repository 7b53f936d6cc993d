import type { Delivery, DeliveryContent, PlaceId } from '../core/announce/delivery.ts';
import type { WaitingPeriods } from '../core/builds/accept-job.ts';
import type { Build } from '../core/builds/build.ts';
import type { Job, JobFacts } from '../core/builds/job.ts';
import type { JobLimits } from '../core/builds/job-limits.ts';
import type { CoverageTotals } from '../core/coverage/totals.ts';
import type { AuditEntry } from '../core/repo/audit.ts';
import type {
  AccessLost,
  PersonalToken,
  Repo,
  RepoService,
  SeenAtProvider,
  StoredHostToken,
  StoredRepoToken,
} from '../core/repo/repo.ts';
import type { RepoSettings } from '../core/repo/settings.ts';
import type { Timestamp } from '../core/time.ts';
import type { HostAppStore } from '../ports/host-apps.ts';
import type { UsedIdTokens } from '../ports/id-tokens.ts';
import type { ReportBytes, StoredSource } from '../reports/report-bytes.ts';
import type { AccountStore, MemberStore, SessionStore, ShareStore } from './account-store.ts';
import type { AuditLog } from './audit-log.ts';
import type { BuildStore } from './build-store.ts';
import type { BuildViews } from './build-views.ts';
import type { FlipLedgerStore } from './flip-ledger-store.ts';
import type { HistoryImportStore } from './history-imports.ts';
import type { MergedReports } from './merged-reports.ts';
import type { PersonStore } from './person-store.ts';
import type { RefusalStore } from './refusal-store.ts';
import type { RepoTransfers } from './repo-transfers.ts';
import type { SourceStore } from './source-store.ts';
import type { StoreMeasure } from './store-measure.ts';
import type { TokenUses } from './token-uses.ts';
import type { WebhookLog } from './webhook-log.ts';

/**
 * What the service stores. Every method is one whole unit: atomic, and durable when it answers. Adapters decide
 * nothing: which build a job joins, what a close changes and who owns a context are pure functions of core/.
 *
 * A method that takes an `audit` writes it where it makes the change, and does not where it makes none. An id that it
 * gives is in the entry.
 *
 * Driver errors become a Failure of code `unavailable` (disk full, locked, unreachable). Not found is `undefined`.
 */
export interface Store {
  readonly facts: FactStore;
  readonly providerSources: ProviderSources;
  readonly sources: SourceStore;
  readonly refusals: RefusalStore;
  readonly flipLedgers: FlipLedgerStore;
  /** Whether several processes may use it at once. */
  readonly isShared: boolean;
  readonly audit: AuditLog;
  readonly tokenUses: TokenUses;
  readonly repos: RepoStore;
  readonly tokens: TokenStore;
  readonly usedIdTokens: UsedIdTokens;
  readonly accounts: AccountStore;
  readonly sessions: SessionStore;
  readonly persons: PersonStore;
  readonly members: MemberStore;
  readonly shares: ShareStore;
  readonly hostApps: HostAppStore;
  readonly webhooks: WebhookLog;
  readonly histories: HistoryImportStore;
  readonly jobs: JobStore;
  readonly mergedReports: MergedReports;
  readonly builds: BuildStore;
  readonly views: BuildViews;
  readonly outbox: OutboxStore;
  readonly transfers: RepoTransfers;
  /** The time by the clock that leases go by: where several processes share the store, the store's own. */
  now(): Promise<Timestamp>;
  /** Answers when the store is reachable and writable; else throws a Failure. */
  check(): Promise<void>;
  /** What waits at `at`, and how much is stored. */
  measure(at: Timestamp): Promise<StoreMeasure>;
  /**
   * Removes what processes that died have left behind and nothing refers to; never what was accepted. Undefined:
   * nothing was done, since another process swept a short time ago.
   */
  sweep(): Promise<Swept | undefined>;
  /** Releases files and connections. Idempotent. */
  close(): Promise<void>;
}

/**
 * What the provider answered once and will never change (first parents, diffs), so that all instances together ask it
 * once. A cache: what is missing is asked again.
 */
export interface FactStore {
  /** Undefined: not known. */
  find(repoId: number, key: string): Promise<unknown>;
  /** Replaces an earlier value. */
  put(fact: NewFact): Promise<void>;
  /** An earlier value stays. */
  add(fact: NewFact): Promise<void>;
}

/** Nothing is written for a removed repo. */
export interface NewFact {
  readonly repoId: number;
  readonly key: string;
  /** Plain JSON of at most 8 MB; nothing is written of a larger one. */
  readonly value: unknown;
  readonly at: Timestamp;
}

/**
 * Source texts that no upload brought and that the provider was asked for, so that all instances together ask once. A
 * cache: what is missing is asked again, and a copy of the store begins without them.
 */
export interface ProviderSources {
  find(repoId: number, key: string): Promise<StoredSource | undefined>;
  /**
   * Replaces an earlier text; nothing is written for a removed repo. The oldest ones of the repo go until all of them
   * have at most `maxBytes`, as stored.
   */
  put(text: {
    readonly repoId: number;
    readonly key: string;
    readonly source: StoredSource;
    readonly maxBytes: number;
    readonly at: Timestamp;
  }): Promise<void>;
}

/** How much was removed. */
export interface Swept {
  readonly uploads: number;
  readonly reportParts: number;
  readonly sources: number;
  readonly builds: number;
}

export interface RepoStore {
  /** Undefined when the service already has that name (compared without regard to case). */
  create(repo: NewRepo, audit?: AuditEntry): Promise<Repo | undefined>;
  find(repoId: number): Promise<Repo | undefined>;
  findByName(service: RepoService, name: string): Promise<Repo | undefined>;
  /**
   * The repo that holds a token with one of these lookups, unless the token's grace period is over. `mayRemember`: the
   * repo may be as it was a moment ago. No server remembers a token that was taken back once `replaceToken` or `remove`
   * has answered.
   */
  findByToken(
    lookups: readonly string[],
    at: Timestamp,
    options?: { readonly mayRemember?: boolean },
  ): Promise<Repo | undefined>;
  /** The current token, sealed. */
  readToken(repoId: number): Promise<StoredRepoToken | undefined>;
  /**
   * Makes `token` the current one; the old one works until `oldUntil`. Without `oldUntil` no earlier token works any
   * more, not even one in its grace period: one of them may have leaked. False when the repo is gone.
   */
  replaceToken(
    change: { repoId: number; token: StoredRepoToken; oldUntil: Timestamp | undefined; at: Timestamp },
    audit?: AuditEntry,
  ): Promise<boolean>;
  /** Every stored token, for a change of SECRET_KEY. */
  listTokens(): Promise<readonly (StoredRepoToken & { readonly id: number; readonly repoId: number })[]>;
  /** Replaces the lookup and seal of one stored token. */
  resealToken(id: number, token: Pick<StoredRepoToken, 'lookup' | 'sealed'>): Promise<void>;
  /** Changes the settings that are given, nothing else. */
  update(
    change: { repoId: number; settings: Partial<RepoSettings>; at: Timestamp },
    audit?: AuditEntry,
  ): Promise<Repo | undefined>;
  /**
   * Sets the repo's own token of its git host; undefined takes it away. `was`: only where this is sealed now. False:
   * nothing was changed.
   */
  setHostToken(
    change: {
      readonly repoId: number;
      readonly token: StoredHostToken | undefined;
      readonly was?: string;
    },
    audit?: AuditEntry,
  ): Promise<boolean>;
  /** Up to `limit` repos by service and name, from the one after `after` on. */
  list(part: {
    readonly after: Pick<Repo, 'service' | 'name'> | undefined;
    readonly limit: number;
  }): Promise<readonly Repo[]>;
  /** All repos whose name begins with `<owner>/`, compared without regard to case, by name. */
  ofOwner(service: RepoService, owner: string): Promise<readonly Repo[]>;
  /** The repo of a provider's numeric id (rule 28). */
  findByProviderId(service: RepoService, providerId: string): Promise<Repo | undefined>;
  /**
   * Changes what the provider says of a repo: what is given, nothing else. `name-taken`: another repo has that name;
   * nothing is written. Undefined: the repo is gone. A new name and a suspension are audited (domain auditFollowed).
   */
  follow(change: {
    readonly repoId: number;
    /** Nothing is written, and undefined answered, where it has another name by now: what was learned of a name. */
    readonly whileNamed?: string;
    readonly name?: string;
    readonly providerId?: string;
    /** null ends a suspension. */
    readonly suspended?: string | null;
    readonly seen?: SeenAtProvider;
    /** null: an App may reach it again. */
    readonly accessLost?: AccessLost | null;
    readonly at: Timestamp;
  }): Promise<Repo | 'name-taken' | undefined>;
  /**
   * Removes the repo and everything that belongs to it (builds, jobs, reports, sources, tokens). Delivery records of
   * statuses whose context is open stay: they are wanted as `error` with `description`, marked `repoRemoved`, and
   * removed once delivered.
   */
  remove(removal: { repoId: number; description: string; at: Timestamp }, audit?: AuditEntry): Promise<boolean>;
}

export interface NewRepo {
  readonly service: RepoService;
  readonly name: string;
  readonly owner: string;
  readonly settings: RepoSettings;
  /** The provider's own numeric id, where it is known already (rule 28). */
  readonly providerId?: string | undefined;
  readonly token: StoredRepoToken;
  readonly at: Timestamp;
}

export interface TokenStore {
  create(token: Omit<PersonalToken, 'id' | 'revokedAt'>, audit?: AuditEntry): Promise<PersonalToken>;
  /** Revoked ones too. */
  list(): Promise<readonly PersonalToken[]>;
  /** False when there is no such token; revoking twice keeps the first time. */
  revoke(id: number, at: Timestamp, audit?: AuditEntry): Promise<boolean>;
  /** Never a revoked one. */
  findByHash(hash: string): Promise<PersonalToken | undefined>;
  /** Those of an account that were not revoked, newest first. */
  ofAccount(accountId: number): Promise<readonly PersonalToken[]>;
  /** Notes that it was used. */
  noteUse(id: number, at: Timestamp): Promise<void>;
}

export interface AcceptJob {
  readonly repoId: number;
  readonly facts: JobFacts;
  readonly totals: CoverageTotals;
  readonly files: number;
  readonly contentDigest: string;
  readonly warnings: readonly string[];
  readonly report: ReportBytes;
  readonly sources: readonly StoredSource[];
  readonly periods: WaitingPeriods;
  /** As it was sent; they count for the repo's day. */
  readonly bytes: number;
  readonly limits: JobLimits;
  readonly at: Timestamp;
}

export interface AcceptedJob {
  readonly build: Build;
  /** The stored job; for a repeat (rule 10) the one that was stored first. */
  readonly job: Job;
  readonly repeated: boolean;
}

export interface JobStore {
  /**
   * Finds or opens the build (domain findBuild), stores the job with its report and sources, and writes what that makes
   * due (domain acceptJob): one atomic write. Undefined when the repo is gone. Throws a Failure `over-limit` for a new
   * job beyond the limits.
   */
  accept(upload: AcceptJob): Promise<AcceptedJob | undefined>;
  find(jobId: number): Promise<Job | undefined>;
  /** In order of number. */
  ofBuild(buildId: number): Promise<readonly Job[]>;
  /** The same from the `offset`th on, at most `limit`; reads no other jobs. */
  list(page: { readonly buildId: number; readonly offset: number; readonly limit: number }): Promise<readonly Job[]>;
  /** The encoded reports of these jobs, in the order asked for. Throws a Failure when one is missing. */
  reports(jobIds: readonly number[]): Promise<readonly ReportBytes[]>;
  /** A stored source of a repo. */
  source(repoId: number, digest: string): Promise<StoredSource | undefined>;
}

/** Which of the records of a commit are asked for. */
export interface DeliveryPart {
  /** Only those that were given up. */
  readonly parked: boolean;
  /** Among those on the commit; the pull request's comes beside them. */
  readonly limit: number;
}

export interface OutboxStore {
  /**
   * Leases deliveries that are due and not delivered in the wanted version, longest due first; of more than `limit`,
   * repos take turns. Marks each as uncertain, since its outcome is unknown if this process dies. The records have
   * `uncertain` as it was before, and count this attempt.
   */
  claim(claim: { at: Timestamp; lease: number; limit: number }): Promise<readonly Delivery[]>;
  /**
   * That version arrived; ends the lease. Answers the record as it is now; undefined when it is gone (repo removed and
   * all delivered). An older version than the one that arrived last changes nothing.
   */
  delivered(arrival: {
    id: number;
    version: number;
    /** What was claimed with that version: something newer may be wanted by now. */
    content: DeliveryContent;
    commentId: PlaceId | undefined;
    /** The check run that shows it; undefined: none, or the one that showed it already. */
    checkRunId?: PlaceId | undefined;
    at: Timestamp;
  }): Promise<Delivery | undefined>;
  /** To be tried again, not before `at`; ends the lease. */
  retry(retry: {
    id: number;
    at: Timestamp;
    uncertain: boolean;
    commentId: PlaceId | undefined;
    /** The provider asked to wait before anything was tried: that is no attempt. */
    uncounted?: boolean;
  }): Promise<void>;
  /**
   * Given up until something else is wanted or `resume`; ends the lease. A record of a removed repo is removed.
   * Something newer stays wanted. `uncertain`: the outcome of an attempt before this one is unknown; absent: it is not.
   */
  giveUp(givingUp: { id: number; version: number; reason: string; uncertain?: boolean }): Promise<void>;
  /**
   * Tries everything given up again: at start, since a new setting may have fixed it. With `repoId` only what is parked
   * of that repo: the provider gave access to it back.
   */
  resume(at: Timestamp, repoId?: number): Promise<void>;
  /** What was given up, the newest record first. */
  listGivenUp(limit: number): Promise<readonly Delivery[]>;
  /**
   * Makes the leases of an earlier process void, on builds and on deliveries; only for a store that one process owns.
   */
  voidLeases(): Promise<void>;
  /**
   * The records of this build's target commit, by context, its check run, then the one of its pull request, whichever
   * build owns them: the first 1,000, or as `part` says.
   */
  ofBuild(build: Pick<Build, 'repoId' | 'target' | 'pullRequest'>, part?: DeliveryPart): Promise<readonly Delivery[]>;
  nextDueAt(): Promise<Timestamp | undefined>;
}
