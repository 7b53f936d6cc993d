import type { CoverageTotals } from '../coverage/totals.ts';
import type { SentDiff } from '../diff/sent-diff.ts';
import type { VouchedRun } from '../repo/workflow-run.ts';
import type { Timestamp } from '../time.ts';
import type { Overall } from '../verdict/checks.ts';
import type { JudgedBase } from '../verdict/findings.ts';
import type { ChangeCause, FlagVerdict, Verdict } from '../verdict/verdict.ts';
import type {
  Acceptance,
  AcceptedBy,
  Annotations,
  BuildFacts,
  EmptyReason,
  Landing,
  PatchResult,
} from './build-facts.ts';
import type { ComposedOwner } from './compose-groups.ts';
import type { CloseAttempts, ClosedBy, DueTask } from './due-tasks.ts';
import type { GroupResult } from './group-result.ts';
import type { HistorySource, Imported } from './imported.ts';
import type { CommitAuthors, Trust } from './job.ts';
import type { JudgedRules } from './judged-rules.ts';
import type { SentRules } from './sent-rules.ts';

export type BuildState = 'open' | 'closed';

/** The flags named for carryforward, `all`, or none (rule 15). */
export type CarryforwardRequest = readonly string[] | 'all';

/** How a base build was found (rules 18 and 19). */
export type BaseRule =
  | 'compare-sha'
  | 'compare-ref'
  | 'merge-parent'
  | 'merge-base'
  | 'ancestor'
  | 'base-branch'
  | 'previous-on-branch'
  | 'default-branch';

/** The base build that was taken, with what the verdict needs of it. */
export interface BasePick {
  readonly buildId: number;
  readonly number: string;
  readonly commit: string | undefined;
  readonly branch: string | undefined;
  /** Set where it was found as the newest build of this tag. */
  readonly tag?: string | undefined;
  readonly rule: BaseRule;
  /** Steps along first parents from the commit that was asked for; undefined if none were counted. */
  readonly commitsAway: number | undefined;
  /**
   * The commit that it was found by: its own, the one it was tested at, or the one it landed as. Absent if it was found
   * by a branch.
   */
  readonly foundAs?: string | undefined;
  /** Which of the base's closes was read (rule 12: a base that was closed again is read again). */
  readonly closeCount: number;
}

/** Where a carried flag's report comes from (rule 16). */
export interface CarriedPick {
  readonly flag: string;
  readonly buildId: number;
  readonly number: string;
  readonly commit: string | undefined;
  /** The commit whose text its report is about, where that is another: the one it landed as, or was tested at. */
  readonly textCommit?: string | undefined;
  readonly closedAt: Timestamp;
  readonly closeCount: number;
}

/** One flag of a closed build, or a flag of its base that did not report (rule 17). */
export interface FlagResult {
  readonly name: string;
  /** `uploaded` by a job, `carried` from another build, or `missing`: the base has it, this build does not. */
  readonly kind: 'uploaded' | 'carried' | 'missing';
  /** Undefined for a missing flag. */
  readonly totals: CoverageTotals | undefined;
  /** The same flag's totals in the base. */
  readonly baseTotals: CoverageTotals | undefined;
  /** For its changed lines, where the repo's file has a rule for them. */
  readonly changes?: CoverageTotals | undefined;
  /** The base lacks the flag: it is compared with a build before the base, which the verdict names. */
  readonly looksPastBase?: true | undefined;
  readonly carried: CarriedPick | undefined;
  /** For a missing flag: where it was seen last. */
  readonly lastSeen: JudgedBase | undefined;
  readonly verdict: FlagVerdict;
  /**
   * Where its change comes from: only of a flag that fails, or would without the repo's settings, and whose reports
   * could be compared.
   */
  readonly cause?: ChangeCause | undefined;
}

/** A file whose numbers or text differ from the base's. */
export interface FileChange {
  readonly name: string;
  /**
   * `changed`, `added`, `removed`: in the diff, where it is known, else by what both reports say of the text;
   * `newly-measured`, `no-longer-measured`: not in the diff, and in one report alone; `elsewhere`: the same text or an
   * unknown one, yet it lost coverage.
   */
  readonly kind: 'changed' | 'added' | 'removed' | 'newly-measured' | 'no-longer-measured' | 'elsewhere';
  readonly totals: CoverageTotals | undefined;
  readonly baseTotals: CoverageTotals | undefined;
  /**
   * Inclusive 1-based ranges of relevant lines without hits, at most MAX_RANGES of them; of `elsewhere` those that the
   * base did not miss.
   */
  readonly uncovered: readonly (readonly [first: number, last: number])[];
  /** How many uncovered ranges there are in all. */
  readonly uncoveredRanges: number;
  /**
   * For a file that lost coverage `elsewhere`: the lines that were covered and now are missed, at most MAX_RANGES
   * ranges. Absent if it is not known that both texts are the same, and in results of earlier versions.
   */
  readonly newlyMissed?: readonly (readonly [first: number, last: number])[] | undefined;
  /** How many ranges of them there are in all. */
  readonly newlyMissedRanges?: number | undefined;
  /** Lines that did not change, and of which a branch was covered and is missed now; at most MAX_RANGES. */
  readonly newlyPartly?: readonly number[] | undefined;
  /** How many such lines there are in all. */
  readonly newlyPartlyLines?: number | undefined;
}

/** What an upload asked to be compared with, and why that is not the base (rule 18). */
export interface UnmetComparison {
  readonly field: 'compare_sha' | 'compare_ref';
  /** As it was sent. */
  readonly value: string;
  /**
   * `unknown`: no build has it; `ambiguous`: several commits begin so; `no-base`: none of its builds can be the base;
   * `unverified`: an unverified run names no base (rule 29).
   */
  readonly why: 'unknown' | 'ambiguous' | 'no-base' | 'unverified';
}

/** What a close itself warns of: data, from which wording/ makes sentences. Names of flags are as uploads sent them. */
export type CloseWarning =
  /** Flags to be carried forward that no build holds, and how many more there are (rule 16). */
  | { readonly kind: 'flags-not-found'; readonly flags: readonly string[]; readonly more: number }
  /** For carried reports. Results of earlier versions lack `leftOut`: there the files were kept in part. */
  | { readonly kind: 'carried-files-changed'; readonly files: number; readonly leftOut?: true | undefined }
  | { readonly kind: 'texts-differ'; readonly files: number }
  /** Percentages of the base, by its own choice of files and by the build's. */
  | { readonly kind: 'base-counted-anew'; readonly stored: CoverageTotals; readonly counted: CoverageTotals }
  /** Its base was imported as a number alone: nothing is known of what changed line by line. */
  | { readonly kind: 'base-without-lines'; readonly from: HistorySource }
  | { readonly kind: 'nothing-relevant' }
  | ({ readonly kind: 'comparison-unmet' } & UnmetComparison)
  /** With the provider's reason, a sentence. */
  | { readonly kind: 'access-denied'; readonly refusal: string }
  /** No further try can succeed. `keepsNumbers`: the numbers shown are those of the close before. */
  | { readonly kind: 'cannot-merge'; readonly keepsNumbers: boolean };

/** What a close found: written once per close, read by pages, JSON, statuses and the comment. */
export interface BuildResult {
  /** 1 for the first close, one more for each close after. */
  readonly closeCount: number;
  readonly closedAt: Timestamp;
  readonly closedBy: ClosedBy;
  readonly totals: CoverageTotals;
  readonly files: number;
  readonly baseTotals: CoverageTotals | undefined;
  readonly base: BasePick | undefined;
  /** What was the base before an administrator took it out of the bases: it is again when that is taken back. */
  readonly excludedBase?: BasePick | undefined;
  readonly flags: readonly FlagResult[];
  readonly carried: readonly CarriedPick[];
  /** What the build's own commit status says. */
  readonly verdict: Verdict;
  /** For the total alone, where a group, or a broken file, decides the one above; else absent. */
  readonly totalVerdict?: Verdict | undefined;
  /** In the order of the repo's file; absent if it names none. */
  readonly groups?: readonly GroupResult[] | undefined;
  /** By CODEOWNERS; absent if nobody asks for it, or there is none. */
  readonly owners?: readonly ComposedOwner[] | undefined;
  /** For lines that lost coverage and were not changed; absent if they are not judged. */
  readonly elsewhere?: FlagVerdict | undefined;
  /** By which rules it was judged; absent in results of earlier versions, which the settings alone judged. */
  readonly rules?: JudgedRules | undefined;
  /** What its checks amount to; absent in results of earlier versions (overallOf). */
  readonly overall?: Overall | undefined;
  /** Ids of the jobs that count (rule 10). */
  readonly countedJobs: readonly number[];
  /** How many of them have no flag; absent in results of earlier versions. */
  readonly unflaggedJobs?: number | undefined;
  /** The changed files first, then those that lost coverage elsewhere; at most MAX_FILE_CHANGES, worst first. */
  readonly fileChanges: readonly FileChange[];
  readonly fileChangeCount: number;
  /** Sentences in results of earlier versions. */
  readonly warnings: readonly (CloseWarning | string)[];
  /** Absent in results of earlier versions, and if no diff could be had. */
  readonly patch?: PatchResult | undefined;
  /** Absent if none was asked for, or it is not known what changed. */
  readonly marks?: Annotations | undefined;
  readonly cause?: ChangeCause | undefined;
  /** Only where something fails. `holds`: all that fails was accepted, with numbers that were no better. */
  readonly acceptance?: (AcceptedBy & { readonly holds: boolean }) | undefined;
  /** When the first close with a provisional verdict was written; absent once the provider answered. */
  readonly provisionalSince?: Timestamp | undefined;
  /**
   * When the first close was written that could not learn what changed, though nothing was decided by it; absent once
   * it is known.
   */
  readonly changesUnknownSince?: Timestamp | undefined;
}

/** A context that was opened for a build, with the text it must be ended under (rule 22). */
export interface OpenedContext {
  readonly context: string;
  /** Undefined for the build's own context, and for the one of its changed lines. */
  readonly flag: string | undefined;
  /** The context of the changed lines. */
  readonly patch?: true;
  /** For a group of files. */
  readonly group?: NamedGroup | undefined;
}

/** A group by what addresses and people call it. */
export interface NamedGroup {
  readonly id: string;
  /** Hostile text. */
  readonly name: string;
}

/** What was wrong with one upload, a sentence. */
export interface JobWarning {
  /** The job's number. */
  readonly job: number;
  readonly sentence: string;
}

/** A stored build. `revision` rises with every accepted job and every state change; a close is conditional on it. */
export interface Build {
  readonly id: number;
  readonly repoId: number;
  /** Repo-wide, from 1, and down from 0 for imported builds; the highest is the newest (rule 9). */
  readonly sequence: number;
  readonly revision: number;
  /** As shown: `serviceNumber` as sent, else the chronological number. */
  readonly number: string;
  readonly serviceName: string;
  /** Set by the first job that states one: that which opened the build, or another client of its run (rule 9). */
  readonly serviceNumber: string | undefined;
  /** The first that a job stated; absent if none did. */
  readonly serviceJobId?: string | undefined;
  /** The first that a job stated; absent if none did. */
  readonly serviceRun?: string | undefined;
  readonly commit: string | undefined;
  readonly testedCommit: string | undefined;
  readonly branch: string | undefined;
  readonly tag: boolean;
  readonly mergeQueue: boolean;
  readonly pullRequest: number | undefined;
  readonly baseBranch: string | undefined;
  readonly baseCommit: string | undefined;
  readonly compareRef: string | undefined;
  readonly compareCommit: string | undefined;
  readonly message: string | undefined;
  /** As its job has them; absent if none stated any, and in builds of earlier versions. */
  readonly remotes?: string | undefined;
  readonly authors: CommitAuthors;
  readonly buildUrl: string | undefined;
  /** The first diff that one of its jobs brought and that leads to what it tests; absent if none did. */
  readonly diff?: SentDiff | undefined;
  /** The first that one of its jobs brought, null: there is none; absent if none says it. */
  readonly rulesFile?: SentRules | null | undefined;
  readonly eventType: string | undefined;
  readonly trust: Trust;
  /** Why it is unverified although its uploads came with a token; absent if it is not (rule 29). */
  readonly runCheck?: RunCheck | undefined;
  /** The run that the job which opened it was vouched for with; absent if its token was another (rule 29). */
  readonly vouchedRun?: VouchedRun | undefined;
  /** Whether any of its jobs was parallel. */
  readonly parallel: boolean;
  /** The highest service_attempt of its jobs. */
  readonly attempt: number;
  readonly jobs: number;
  /** Absent if none of its jobs said how many there will be. */
  readonly expectedJobs?: ExpectedJobs | undefined;
  readonly createdAt: Timestamp;
  readonly lastJobAt: Timestamp;
  readonly state: BuildState;
  /** At most one task of each kind, in the order in which they are done. */
  readonly due: readonly DueTask[];
  /** Absent after a close was written. */
  readonly attempts?: CloseAttempts | undefined;
  /** The list of the last close request. */
  readonly carryforward: CarryforwardRequest | undefined;
  /** When a close without a build number last meant it: the next one within 10 minutes answers for it (wire.md). */
  readonly namelessCloseAt: Timestamp | undefined;
  /** The commit that statuses go to, fixed before the first status (rule 21). */
  readonly target: string | undefined;
  readonly openedContexts: readonly OpenedContext[];
  /** Disagreements between its jobs (rule 9), and what its uploads warned of. */
  readonly warnings: readonly string[];
  /** The first warnings of its jobs; absent if its first job came to an earlier version. */
  readonly jobWarnings?: readonly JobWarning[] | undefined;
  /** Undefined before the first close. */
  readonly result: BuildResult | undefined;
  /** What the provider said; absent if it has not answered. */
  readonly facts?: BuildFacts | undefined;
  /** Its pull request was given another base: the one of the close before does not stay. */
  readonly baseForgotten?: true | undefined;
  /**
   * What its base was looked for by and not found, best first: `commit:<sha>`, `short:<7 digits>` of a shortened one,
   * `branch:<name>`, `tag:<name>`, or `build:<id>` of one that was taken out (rule 20).
   */
  readonly missingBases?: readonly string[] | undefined;
  readonly landed?: Landing | undefined;
  /** An administrator took it out of the bases. */
  readonly excludedAsBase?: { readonly by: string; readonly at: Timestamp } | undefined;
  /** A maintainer accepted what failed in one of its results. */
  readonly acceptance?: Acceptance | undefined;
  /** Why it has no job: its run ended and sent none. Absent in builds that have one. */
  readonly emptyBecause?: EmptyReason | undefined;
  /** How its CI run ended, where the provider reported it (rule 13). */
  readonly runConclusion?: 'success' | 'failure' | 'cancelled' | 'skipped' | undefined;
  /** Which attempt of the run ended so; absent: the first. */
  readonly runAttempt?: number | undefined;
  /** It was brought from another service, and is never closed again; absent if jobs were uploaded to it. */
  readonly imported?: Imported | undefined;
}

/** `unknown`: the host has not said yet whose the run is. Then the token's trust counts again once it is the repo's. */
export interface RunCheck {
  readonly run: 'fork' | 'unknown';
  /** For the token that its uploads came with. */
  readonly trust: Exclude<Trust, 'run'>;
}

/** For a build of which a job said how many there will be (rule 11). */
export interface ExpectedJobs {
  /** The largest number that one of its jobs stated. */
  readonly jobs: number;
  /** Jobs that came, without those that another attempt replaced (rule 10). */
  readonly arrived: number;
}

export const MAX_FILE_CHANGES = 200;
export const MAX_RANGES = 20;
