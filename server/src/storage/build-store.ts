import type { Message, StatusOwner } from '../core/announce/delivery.ts';
import type { Build, BuildResult, CarryforwardRequest, OpenedContext } from '../core/builds/build.ts';
import type { EmptyReason } from '../core/builds/build-facts.ts';
import type { AfterClose, BehindClose } from '../core/builds/close-due.ts';
import type { JobFacts } from '../core/builds/job.ts';
import type { BuildRevision } from '../core/builds/revise-build.ts';
import type { AuditEntry } from '../core/repo/audit.ts';
import type { VouchedRun } from '../core/repo/workflow-run.ts';
import type { Timestamp } from '../core/time.ts';
import type { ReportBytes } from '../reports/report-bytes.ts';
import type { BuildPage, BuildPageQuery } from './build-pages.ts';
import type { NextLedger } from './flip-ledger-store.ts';

/** Which closed builds of a repo are asked for. Builds of unverified runs (rule 29) never are among them. */
export interface ClosedQuery {
  readonly repoId: number;
  /** `branch`: builds on that branch (no pull request, no tag). */
  readonly scope: { readonly branch: string } | { readonly tag: string } | { readonly pullRequest: number } | 'repo';
  /** Only builds with a lower sequence. */
  readonly before: number | undefined;
  /** Not builds of this commit (rule 18: a push is not compared with its own commit). */
  readonly notCommit?: string | undefined;
  readonly limit: number;
}

export interface CloseRequest {
  readonly repoId: number;
  /** As sent; undefined: the newest open parallel build (wire.md "Close"). */
  readonly buildNumber: string | undefined;
  readonly carryforward: CarryforwardRequest | undefined;
  /** Only builds of this run are meant (rule 29); absent: any. */
  readonly vouchedRun?: VouchedRun | undefined;
  /** Whether only unverified builds are meant (rule 29). */
  readonly unverified?: boolean;
  readonly at: Timestamp;
}

/** Asks for a closed build to be closed again. */
export interface RerunRequest {
  readonly repoId: number;
  /** As sent; read as the number of a close request is. */
  readonly buildNumber: string;
  /** As of a close. */
  readonly vouchedRun?: VouchedRun | undefined;
  readonly at: Timestamp;
}

export interface BuildClosing {
  readonly buildId: number;
  /** The revision that was merged: if the build has moved on, nothing is written, unless `behind` says otherwise. */
  readonly revision: number;
  /**
   * Given: a build that moved on takes the result anyway, and is closed again for what came in the meantime (domain
   * closeBehind).
   */
  readonly behind?: BehindClose | undefined;
  readonly result: BuildResult;
  /** Undefined: the report of the close before stays. */
  readonly report: ReportBytes | undefined;
  /** Where statuses of this build go, from now on (rule 21). */
  readonly target: string | undefined;
  /** Every context this build has used, with its text (rule 22). */
  readonly openedContexts: readonly OpenedContext[];
  readonly messages: readonly Message[];
  readonly statusOwner: StatusOwner;
  /** What is to be done later. */
  readonly after?: AfterClose | undefined;
  /** Which lines flip on the branch, with this build. */
  readonly ledger?: NextLedger | undefined;
  readonly at: Timestamp;
}

export interface PendingPost {
  readonly buildId: number;
  readonly revision: number;
  /** The build as it is stored at that revision: then the post may stay behind further jobs (domain tookOnlyJobs). */
  readonly seen?: Build | undefined;
  /** Where statuses of this build go, from now on (rule 21). */
  readonly target: string | undefined;
  readonly openedContexts: readonly OpenedContext[];
  readonly messages: readonly Message[];
  readonly statusOwner: StatusOwner;
  readonly at: Timestamp;
}

/**
 * If a method has a limit of builds, it answers at most that many trusted ones and as many unverified ones (rule 29):
 * those of a fork never push others out.
 */
export interface BuildStore {
  find(buildId: number): Promise<Build | undefined>;
  /** Builds whose commit, tested commit or target is this one, in every repo, newest sequence first; at most 100. */
  findByCommit(commit: string): Promise<readonly Build[]>;
  /** The builds of one repo with this commit, tested commit or target, newest first; at most 100. */
  ofCommit(repoId: number, commit: string): Promise<readonly Build[]>;
  /** The same for several commits at once, in no stated order; at most 500, the newest. */
  ofCommits(repoId: number, commits: readonly string[]): Promise<readonly Build[]>;
  /** Commits of a repo's builds that begin with these digits, except for those of unverified runs (rule 29). */
  commitsStarting(query: {
    readonly repoId: number;
    /** Hexadecimal digits, in lower case. */
    readonly digits: string;
    readonly limit: number;
  }): Promise<readonly string[]>;
  /** Closed builds that miss one of these as a base, newest first (rule 20). */
  withMissingBase(query: {
    readonly repoId: number;
    readonly missingBases: readonly string[];
    readonly limit: number;
  }): Promise<readonly Build[]>;
  /** Closed builds that have taken this build as their base, newest first (rule 20). */
  basedOn(query: {
    readonly repoId: number;
    readonly buildId: number;
    readonly limit: number;
  }): Promise<readonly Build[]>;
  /** Builds of this service_number, newest first. */
  ofServiceNumber(repoId: number, serviceNumber: string, limit: number): Promise<readonly Build[]>;
  /**
   * Opens a build that no job opened, with its close due (domain openEmptyBuild), unless a build is there that a job of
   * these facts would join: then that one is answered as it is. Undefined: the repo is gone.
   */
  openEmpty(opening: {
    readonly repoId: number;
    readonly facts: JobFacts;
    readonly because: EmptyReason;
    readonly carryforward: CarryforwardRequest | undefined;
    /** Milliseconds (rule 9). */
    readonly quiet: number;
    readonly at: Timestamp;
  }): Promise<Build | undefined>;
  /** Changes a build (domain reviseBuild), whatever else happened to it. Undefined: it is gone. */
  revise(
    change: { readonly buildId: number; readonly revision: BuildRevision },
    audit?: AuditEntry,
  ): Promise<Build | undefined>;
  /** Builds of one repo with this pull request, newest first. */
  ofPullRequest(repoId: number, pullRequest: number, limit: number): Promise<readonly Build[]>;
  /** A repo's builds, page by page. */
  list(query: BuildPageQuery): Promise<BuildPage>;
  /** Builds that have a result (closed once at least), newest first. */
  closed(query: ClosedQuery): Promise<readonly Build[]>;
  /** Among these only those with a percentage, complete ones before incomplete ones: candidates for a base. */
  bases(query: ClosedQuery): Promise<readonly Build[]>;
  /** For the closed builds only those in which a job uploaded this flag. */
  withFlag(query: ClosedQuery & { readonly flag: string }): Promise<readonly Build[]>;
  /** Builds of all repos that were set aside, newest first. */
  listSetAside(limit: number): Promise<readonly Build[]>;
  /**
   * Removes a build with its jobs, its reports and the delivery records that it owns; source texts stay until
   * SourceStore is asked which of them no build names. False: there is none.
   */
  remove(buildId: number, audit?: AuditEntry): Promise<boolean>;
  /** The merged report of the last close. */
  report(buildId: number): Promise<ReportBytes | undefined>;
  /**
   * Finds the build that a close request means (domain findClose) and writes the close that is due. Undefined: there is
   * none.
   */
  requestClose(request: CloseRequest): Promise<Build | undefined>;
  /**
   * Finds the build that a rerun means (domain findNamedRerun) and writes that it is due again (domain requestRerun).
   * What was given up of its announcements is tried again. A build that never closed is answered as it is. Undefined:
   * there is none.
   */
  requestRerun(request: RerunRequest): Promise<Build | undefined>;
  /** Writes the pending statuses of a build. Undefined when it moved on, by more than the jobs that `seen` allows. */
  postPending(post: PendingPost): Promise<Build | undefined>;
  /** Writes a close: result, report, ledger and the messages to announce. Undefined when the revision moved on. */
  close(closing: BuildClosing): Promise<Build | undefined>;
  /**
   * Leases builds in which a task is due at `at`, longest due first; where more than `limit` are due, repos take turns.
   * None of a repo in `except`. A lease lasts until `release` or its time.
   */
  claimDue(claim: {
    at: Timestamp;
    lease: number;
    limit: number;
    except?: readonly number[];
  }): Promise<readonly Build[]>;
  /** Ends a lease early; `retryAt`: not to be claimed before. */
  release(release: { buildId: number; retryAt: Timestamp | undefined }): Promise<void>;
  /** When something is due next, so that a worker can sleep; undefined: nothing. */
  nextDueAt(): Promise<Timestamp | undefined>;
}
