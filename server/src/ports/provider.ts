import type { Annotation, PlaceId, StatusContent, StatusOrigin } from '../core/announce/delivery.ts';
import type { DescribedRun } from '../core/repo/fork-run.ts';
import type { ProviderFacts } from './provider-facts.ts';

export type { CommitFacts, PullRequestFacts } from './provider-facts.ts';

/** How long a call may take in all, its own retries and waiting included, in ms: shorter than any lease (rule 27). */
export const CALL_TIME_LIMIT = 20_000;

/**
 * A git host (GitHub, ...). Names are `<owner>/<name>` as the repo has them. Every call ends within CALL_TIME_LIMIT and
 * throws nothing but a ProviderFailure.
 */
export interface Provider extends ProviderFacts, Partial<CheckRuns> {
  /** How long it may be at work on a request whose connection is gone, in ms; left out: ten seconds. */
  readonly settlingTime?: number | undefined;
  /** Sets one commit status. */
  setStatus(call: StatusCall): Promise<void>;
  /** The newest status of a context on a commit, or undefined: read back after an unknown outcome. */
  readStatus(
    call: Omit<StatusCall, 'content'>,
  ): Promise<Pick<StatusContent, 'state' | 'description' | 'targetUrl'> | undefined>;
  /** Creates a comment on a pull request; answers its id. */
  createComment(call: CommentCall): Promise<PlaceId>;
  /** Replaces a comment's body; `gone` when somebody deleted it. */
  updateComment(call: CommentCall & { readonly commentId: PlaceId }): Promise<'updated' | 'gone'>;
  /**
   * Looks for our own comment: written by our identity, its first line equal to `marker`. Line ends of `body` are `\n`.
   */
  findComment(
    call: Omit<CommentCall, 'body'> & { readonly marker: string },
  ): Promise<{ readonly id: PlaceId; readonly body: string } | undefined>;
  /**
   * Makes the webhook that sends the repo's events to `address`, or gives the one that is there its events and secret
   * again; left out: this server cannot make one there.
   */
  setWebhook?(call: { readonly repo: string; readonly address: string }): Promise<WebhookChange>;
  /** The whole of a commit whose beginning a webhook message holds; left out: messages hold whole ones. */
  findCommit?(call: { readonly repo: string; readonly beginning: string }): Promise<string | undefined>;
  /** How the webhook of that address is; undefined: the host does not say. Left out: it cannot be asked. */
  readWebhook?(call: { readonly repo: string; readonly address: string }): Promise<WebhookState | undefined>;
  /**
   * Whether nothing is merged into the branch before this status passes; undefined: the host does not say. Left out: it
   * cannot be asked.
   */
  requiresStatus?(call: {
    readonly repo: string;
    readonly branch: string;
    readonly context: string;
  }): Promise<boolean | undefined>;
}

/** `failing`: nothing comes from it, for this reason, a sentence. */
export type WebhookState = { readonly kind: 'missing' | 'set' } | { readonly kind: 'failing'; readonly why: string };

/** `unchanged`: it was as it should be, as far as the host shows it. */
export type WebhookChange = 'made' | 'repaired' | 'unchanged';

export interface StatusCall {
  readonly repo: string;
  readonly commit: string;
  readonly context: string;
  readonly content: StatusContent;
  readonly pullRequest?: number | undefined;
  readonly origin?: StatusOrigin | undefined;
}

export interface CommentCall {
  readonly repo: string;
  readonly pullRequest: number;
  readonly body: string;
}

/** The App that this server signs in as, where it does. */
export interface SignedInApp {
  readonly id: number;
  /** What is known of an installation is out of date: it is asked about again. */
  forgetInstallation(id: number): void;
}

/**
 * What a token that came with a request sees at its git host. It is made for that request, asks with that token alone,
 * and nothing of it outlives the request. Undefined is a definite answer, as above; every call throws nothing but a
 * ProviderFailure.
 */
export interface TokenView extends RunView {
  /** A repo, as the token's owner sees it. */
  readRepo(call: { readonly repo: string }): Promise<RefreshedRepo | undefined>;
  /**
   * The repo of this name among those that an installation's token covers; without a name the only one that it covers.
   */
  findInstalled(call: { readonly repo: string | undefined }): Promise<InstalledRepo>;
}

/** What shows whether a run vouches for an upload. */
export interface RunView extends Pick<ProviderFacts, 'describeCommit' | 'describePullRequest'> {
  readRun(...call: Parameters<ProviderFacts['readRun']>): Promise<DescribedRun | undefined>;
}

/** `timeLimit`: milliseconds for everything that is asked of this view. */
export type OpenTokenView = (opening: { readonly token: string; readonly timeLimit: number }) => TokenView;

export interface RefreshedRepo {
  /** The provider's id. */
  readonly id: string;
  /** `<owner>/<name>` as the provider writes it today. */
  readonly name: string;
  /** Whether the token's owner may push there. */
  readonly mayPush: boolean;
}

export interface InstalledRepo {
  readonly repo: RefreshedRepo | undefined;
  /** How many repos the token covers. */
  readonly covered: number;
  /** The run that the token is of, where it says so itself; else the upload has to name it. */
  readonly run?: DescribedRun | undefined;
}

/** How a failed call is to be treated. */
export type ProviderFailureKind =
  /** Try again later: 5xx, refused connection before anything was sent. */
  | 'transient'
  /**
   * Its outcome is unknown: time-out or dropped connection after the request was sent, 502/504. Read back
   * first.
   */
  | 'uncertain'
  /** The host asked us to slow down: try again at `retryAt`. */
  | 'limited'
  /** Final until something changes: 401, 403, 404, 410, 422. */
  | 'permanent';

/** The one error a provider adapter throws. */
export class ProviderFailure extends Error {
  readonly kind: ProviderFailureKind;
  /** For `limited`: when to try again, ms since 1970. */
  readonly retryAt: number | undefined;
  readonly status: number | undefined;
  /**
   * For a permanent one: the host denies us all access (the sign-in is refused, or was taken away). Nothing can be
   * announced there either, and the question may be answered once access is restored.
   */
  readonly accessDenied: boolean;

  constructor(
    kind: ProviderFailureKind,
    message: string,
    details: {
      readonly retryAt?: number | undefined;
      readonly status?: number | undefined;
      readonly accessDenied?: boolean;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, { cause: details.cause });
    this.name = 'ProviderFailure';
    this.kind = kind;
    this.retryAt = details.retryAt;
    this.status = details.status;
    this.accessDenied = details.accessDenied ?? false;
  }
}

/**
 * Results with remarks beside lines of code, each called by a name of ours. Hosts that tie them to a kind of sign-in
 * refuse others: at GitHub only an App may make them, and a plain token ends in a permanent ProviderFailure.
 */
export interface CheckRuns {
  /** Creates one on a commit; answers its id. It hides, or replaces, an earlier one of the same name. */
  createCheckRun(call: CheckRunCall): Promise<PlaceId>;
  /**
   * Replaces everything but the annotations, which no host removes: it must have those of the call already.
   * `gone` when there is no such check run any more.
   */
  updateCheckRun(call: CheckRunCall & { readonly checkRunId: PlaceId }): Promise<'updated' | 'gone'>;
  /**
   * Read back after an unknown outcome: the id of the newest check run of this name on the commit, where it was made or
   * updated by a call that said exactly the same. Undefined: it says something else, or there is none.
   */
  findCheckRun(call: CheckRunCall): Promise<PlaceId | undefined>;
}

/** More annotations than this in one call are a permanent failure before anything is sent. */
export const ANNOTATION_LIMIT = 50;

export interface CheckRunCall {
  readonly repo: string;
  readonly commit: string;
  /** Shown among the checks; several of one name may stand on a commit. */
  readonly name: string;
  /** The build's page. */
  readonly detailsUrl: string;
  readonly conclusion: 'success' | 'neutral';
  /** Markdown, except for the title. */
  readonly title: string;
  readonly summary: string;
  readonly annotations: readonly Annotation[];
}
