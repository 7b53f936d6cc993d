import type { EndedRun } from '../core/builds/ended-run.ts';
import type { AccessLost } from '../core/repo/repo.ts';
import type { Timestamp } from '../core/time.ts';
import type { PullRequestFacts } from './provider-facts.ts';

/**
 * What a git host reports by webhook, in the words of core. Every text in it is hostile, though the host vouches for
 * the message. An event may be out of date: hosts repeat events, and keep no order.
 */
export type ProviderEvent =
  /** A pull request was opened, got commits or another base. */
  | {
      readonly kind: 'pull-request-changed';
      readonly repo: EventRepo;
      readonly pull: EventPull;
      readonly baseChanged: boolean;
    }
  /** It was closed, merged or not. */
  | { readonly kind: 'pull-request-closed'; readonly repo: EventRepo; readonly pull: EventPull }
  /** A branch points to another commit. */
  | { readonly kind: 'pushed'; readonly repo: EventRepo; readonly branch: string; readonly commit: string }
  | { readonly kind: 'run-ended'; readonly repo: EventRepo; readonly run: EndedRun }
  /** It was created, renamed, transferred, made public or private, or has another default branch. */
  | {
      readonly kind: 'repo-changed';
      readonly repo: EventRepo;
      readonly formerName: string | undefined;
      /** It was made private: believed however old the event is, since hiding too long does no harm. */
      readonly hidden?: true;
    }
  | { readonly kind: 'repo-removed'; readonly repo: EventRepo }
  /** Repos that the host reports from now on; `gained`: because an App may reach them. */
  | { readonly kind: 'repos-listed'; readonly repos: readonly EventRepo[]; readonly gained?: GainedAccess | undefined }
  /** Repos that an App may not reach any more. */
  | {
      readonly kind: 'access-lost';
      readonly repos: readonly EventRepo[];
      readonly lost: AppAccess;
      readonly how: AccessLost['how'];
    }
  /** An owner was renamed. `appId`: of the App that received it; undefined if the message does not say. */
  | { readonly kind: 'owner-renamed'; readonly appId: number | undefined; readonly from: string; readonly to: string };

/** What changed about where an App may go. */
export interface AppAccess {
  readonly appId: number;
  readonly installation: number;
  /** Every repo of this owner is concerned, listed or not; undefined: those that are listed. */
  readonly owner: string | undefined;
}

export interface GainedAccess extends AppAccess {
  /** The losses that it ends; none if only the App's permissions changed. */
  readonly ends: readonly AccessLost['how'][];
}

/** A repo as an event describes it. */
export interface EventRepo {
  /** The host's numeric id. */
  readonly id: string;
  /** `<owner>/<name>` as of the event. */
  readonly name: string;
  /** Undefined if the event does not say. */
  readonly described:
    | {
        readonly defaultBranch: string;
        readonly visibility: 'private' | 'public';
        /** When the host last changed the repo's description: by it, old events are known. */
        readonly changedAt: Timestamp;
      }
    | undefined;
}

export type EventPull = Pick<
  PullRequestFacts,
  'headCommit' | 'baseBranch' | 'state' | 'merged' | 'landedCommit' | 'fromFork'
> & {
  readonly number: number;
};

/** A message of a git host as it came, its body byte for byte. */
export interface ProviderMessage {
  /** A header; undefined without it. */
  header(name: string): string | undefined;
  readonly body: Uint8Array;
}

/** What a message holds. */
export interface HostMessage {
  /** The host's own name of the event. */
  readonly name: string;
  /** Undefined: nothing that matters here. */
  readonly event: ProviderEvent | undefined;
}

/** Reads the messages of one git host. */
export interface HostWebhook {
  /** Without one it takes no message. */
  readonly hasSecret: boolean;
  /** Bytes; the host sends no more in one message. */
  readonly bodyLimit: number;
  /**
   * Checks the headers alone, so that a body that would be refused is not read: throws a Failure `not-found` where
   * this server takes no messages, `credential-missing` where one bears no signature.
   */
  checkHeaders(message: Pick<ProviderMessage, 'header'>): void;
  /**
   * Looks at the signature first, and parses nothing without a right one. Throws a Failure `credential-unknown` for a
   * signature that is wrong, `payload-invalid` for what does not fit, with what was seen.
   */
  read(message: ProviderMessage): Promise<HostMessage>;
}
