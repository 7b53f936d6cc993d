import type { Trust } from '../builds/job.ts';
import type { RepoService } from '../repo/repo.ts';
import type { Timestamp } from '../time.ts';

/** The states of a provider's commit status. */
export type CommitStatusState = 'pending' | 'success' | 'failure' | 'error';

/** The host's own id of what was made there: a text, or a number as records of 0.1.0 hold it. */
export type PlaceId = string | number;

/** What one context of one commit should show. */
export interface StatusContent {
  readonly kind: 'status';
  readonly state: CommitStatusState;
  /** At most 140 characters (rule 24). */
  readonly description: string;
  readonly targetUrl: string;
}

/** What the comment of one pull request should say: Markdown, its first line the marker (rule 25). */
export interface CommentContent {
  readonly kind: 'comment';
  readonly body: string;
}

/** What the check run of one commit should show: its newest of that name counts (wording/annotations.ts). */
export interface CheckContent {
  readonly kind: 'check';
  /** Never one that keeps anything from being merged. */
  readonly conclusion: 'success' | 'neutral';
  /** Plain text. */
  readonly title: string;
  /** Markdown. */
  readonly summary: string;
  readonly detailsUrl: string;
  /** At most 50. */
  readonly annotations: readonly Annotation[];
}

/** A remark beside lines of code. */
export interface Annotation {
  /** Repo-relative. */
  readonly file: string;
  /** Lines from 1 on, both included. */
  readonly firstLine: number;
  readonly lastLine: number;
  readonly level: 'notice' | 'warning' | 'failure';
  /** Plain text. */
  readonly message: string;
}

export type DeliveryContent = StatusContent | CommentContent | CheckContent;

/** Where a delivery goes: one record each (rule 27). A commit has one check run at most, whatever its name became. */
export type DeliveryTarget =
  | { readonly kind: 'status'; readonly commit: string; readonly context: string }
  | { readonly kind: 'check'; readonly commit: string; readonly name: string }
  | { readonly kind: 'comment'; readonly pullRequest: number };

/** The build that announces, with what decides which build owns a context (rule 24). */
export interface StatusOwner {
  readonly buildId: number;
  readonly sequence: number;
  readonly trust: Trust;
  readonly pullRequest: number | undefined;
  /** A fork's build of a commit that a branch of the repo itself points to: any other build has precedence. */
  readonly copiesHead?: true | undefined;
  /** Its flag is missing from the build: a build that reports the flag has precedence. The stored name of this key. */
  readonly lacks?: true | undefined;
  /** For a pull request's build: the head commit that it announces for. Absent if it is not known. */
  readonly target?: string | undefined;
  /** Where it was tested. Absent if no upload says, and in records of earlier versions. */
  readonly origin?: StatusOrigin | undefined;
  /** The newest head of the pull request that this owner or an earlier one of the record knew; absent: none did. */
  readonly head?: KnownHead | undefined;
}

/** Where the commit of a status was tested, as uploads say: some hosts show a status beside the run of their CI. */
export interface StatusOrigin {
  /** The branch or tag. */
  readonly ref?: string | undefined;
  /** The commit that was checked out, where it is another. */
  readonly tested?: string | undefined;
  /** The host's id of the run. */
  readonly run?: string | undefined;
}

/** Which commit the provider named as a pull request's head, and when it did. */
export interface KnownHead {
  readonly commit: string;
  readonly at: Timestamp;
}

/** Something to announce, as a close or an opening writes it. */
export type Message =
  | {
      readonly target: Extract<DeliveryTarget, { kind: 'status' }>;
      readonly content: StatusContent;
      /** For a flag that the build does not report. */
      readonly lacks?: true | undefined;
    }
  | {
      readonly target: Extract<DeliveryTarget, { kind: 'comment' }>;
      readonly content: CommentContent;
      /** Says nothing worth a new comment, but an earlier one must not go on saying something else (rule 25). */
      readonly onlyEdit?: boolean;
    }
  | {
      readonly target: Extract<DeliveryTarget, { kind: 'check' }>;
      readonly content: CheckContent;
      /** Marks nothing: said only where something was marked before. */
      readonly onlyEdit?: boolean;
    };

/**
 * A record of what is wanted at one place and what arrived there. It outlives its repo while a context is to be ended.
 */
export interface Delivery {
  readonly id: number;
  readonly repoId: number;
  readonly service: RepoService;
  /** What the repo was called when the record was made; only for a repo that is gone. */
  readonly repoName: string;
  readonly target: DeliveryTarget;
  readonly statusOwner: StatusOwner;
  /** `version` rises with each change of `content`. */
  readonly wanted: { readonly version: number; readonly content: DeliveryContent };
  /** The last version that surely arrived. */
  readonly delivered:
    | {
        readonly version: number;
        readonly content: DeliveryContent;
        readonly at: Timestamp;
        /** The check run that shows it, where it is one. */
        readonly checkRunId?: PlaceId | undefined;
      }
    | undefined;
  /** The comment's id at the provider, once known. */
  readonly commentId: PlaceId | undefined;
  /** The outcome of the last call is unknown (time-out, dropped connection): read back before it is repeated. */
  readonly uncertain: boolean;
  readonly attempts: number;
  readonly nextAttemptAt: Timestamp;
  /** Since when something is wanted that has not arrived; of no meaning once it has. Absent in records of 0.1.0. */
  readonly unsentSince?: Timestamp;
  /** Why it is given up until something changes. */
  readonly parked: string | undefined;
  /** The repo was removed: the record goes when this is delivered. */
  readonly repoRemoved: boolean;
}
