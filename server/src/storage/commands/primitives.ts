import type { Message, StatusOwner } from '../../core/announce/delivery.ts';
import type { Build } from '../../core/builds/build.ts';
import type { CloseCandidates } from '../../core/builds/close-due.ts';
import type { JoinCandidates } from '../../core/builds/find-build.ts';
import type { Job, JobFacts } from '../../core/builds/job.ts';
import type { Quota } from '../../core/builds/job-limits.ts';
import type { AuditEntry } from '../../core/repo/audit.ts';
import type { Timestamp } from '../../core/time.ts';
import type { ReportBytes } from '../../reports/report-bytes.ts';
import type { NextLedger } from '../flip-ledger-store.ts';
import type { AcceptedJob, AcceptJob } from '../store.ts';

/**
 * What an adapter offers to the commands. Each command reads, decides (domain) and writes once: `update` or `begin`
 * with all its effects. `Upload` and `Report` are staged: stored, but invisible before that write.
 */
export interface CommandPrimitives<Upload, Report> {
  readonly candidates: Candidates;
  hasRepo(repoId: number): Promise<boolean>;
  /**
   * Bytes of the accepted uploads of a day (domain dayOf); undefined: the repo is gone. Far from the limit, uploads to
   * other servers within the last second may be missing.
   */
  sentBytes(repoId: number, day: number, limit: number): Promise<number | undefined>;
  findBuild(buildId: number): Promise<Build | undefined>;
  /**
   * The build of the job's number and commit (rule 9), as this process wrote it last, where asking for it costs a
   * command. `update` is refused if it is not as it was, and then it is remembered no more.
   */
  rememberBuild?(repoId: number, facts: JobFacts): Build | undefined;
  /** The same upload in the same build, by domain uploadKey (rule 10). */
  findJob(buildId: number, uploadKey: string): Promise<Job | undefined>;
  /** In order of arrival. */
  jobsOf(buildId: number): Promise<readonly Job[]>;
  /**
   * Compare-and-set of a build by its revision. Undefined: it was changed since, or has the effects' job by its
   * uploadKey, and nothing is written.
   */
  update(before: Build, after: Build, effects?: BuildEffects<Upload, Report>): Promise<Written | undefined>;
  /** Before the candidates are read once more, so that it sees every build that is opened after them. */
  prepareOpening(repoId: number, facts: JobFacts): Promise<Opening<Upload, Report>>;
  /** A build is delayed after a failure; a request for it ends the delay. */
  bringForward(buildId: number): Promise<void>;
  /**
   * Takes bytes from each quota, or from none: then it returns one that is too small, and what was used of it that day.
   */
  takeQuotas(share: QuotaShare): Promise<{ readonly quota: Quota; readonly used: number } | undefined>;
  giveBackQuotas(share: QuotaShare): Promise<void>;
  stageUpload(upload: AcceptJob): Promise<Upload>;
  /**
   * An upload that may have been accepted although the write gave no answer; undefined: as far as known, it was not.
   */
  findAccepted(upload: Upload): Promise<AcceptedJob | undefined>;
  /** Follow-up of an accept, which may be cut off. Undefined: the upload was not accepted. */
  finishUpload(upload: Upload, accepted: AcceptedJob | undefined): Promise<void>;
  stageReport(build: Build, report: ReportBytes): Promise<Report>;
  /** Removes a staged report that no build took. */
  discardReport(report: Report): Promise<void>;
}

export interface QuotaShare {
  readonly quotas: readonly Quota[];
  readonly bytes: number;
  /** Domain dayOf. */
  readonly day: number;
}

/** The builds that a job may join or a close may mean: few enough to read in every accept, whatever the repo's size. */
export interface Candidates {
  toJoin(repoId: number, facts: JobFacts): Promise<JoinCandidates>;
  /** Parallel builds that are open, up to `most`. */
  countOpenParallel(repoId: number, max: number): Promise<number>;
  toClose(repoId: number, buildNumber: string): Promise<CloseCandidates>;
  toCloseNameless(
    repoId: number,
    at: Timestamp,
  ): Promise<{ readonly open: readonly Build[]; readonly closed: readonly Build[] }>;
}

/** How many candidates of each kind are read; only a CI that repeats its numbers, job ids or commits has more. */
export const MAX_CANDIDATES = 50;

/** The right to open a build, which holds until another build is opened that the same jobs could join (rule 9). */
export interface Opening<Upload, Report> {
  /** Undefined: another one was opened, or the repo is gone; nothing is written. */
  begin(toBuild: (place: BuildPlace) => Build, effects?: BuildEffects<Upload, Report>): Promise<Written | undefined>;
}

export interface BuildPlace {
  readonly id: number;
  readonly repoId: number;
  readonly sequence: number;
}

/** What one write of a build does beside its record, all or nothing. */
export interface BuildEffects<Upload, Report> {
  /** Becomes the build's next job; its bytes count for the repo's day. */
  readonly job?: Upload;
  /** Takes the place of the job of that number. */
  readonly revisedJob?: Job | undefined;
  /** Takes the place of the report of the close before. */
  readonly report?: Report | undefined;
  readonly announce?: Announcements;
  readonly ledger?: NextLedger | undefined;
  /** Another try, at that time, for the build's failed announcements. */
  readonly retryAnnouncements?: Timestamp;
  readonly bringForward?: boolean;
  readonly audit?: AuditEntry | undefined;
}

export interface Announcements {
  readonly messages: readonly Message[];
  readonly statusOwner: StatusOwner;
  readonly at: Timestamp;
}

export interface Written {
  readonly build: Build;
  readonly job: Job | undefined;
}

/** Each build once, as it was last read, highest sequence first. */
export function newestFirst<B extends Pick<Build, 'id' | 'sequence'>>(records: readonly B[]): readonly B[] {
  const builds = new Map(records.map((build) => [build.id, build]));
  return [...builds.values()].sort((a, b) => b.sequence - a.sequence || b.id - a.id);
}
