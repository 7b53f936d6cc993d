import type { Commit } from './commit.ts';

/**
 * The parts of GitHub's event payloads that matter here. https://docs.github.com/webhooks/webhook-events-and-payloads
 */
export interface GithubEvent {
  readonly repository?: EventRepo;
  /** On whose behalf it happened. */
  readonly sender?: { readonly login?: string; readonly type?: string };
  /** For a comment: `pull_request` is there where the issue is one. */
  readonly issue?: { readonly number?: number; readonly pull_request?: object };
  readonly pull_request?: {
    readonly number?: number;
    readonly title?: string;
    readonly user?: { readonly login?: string } | null;
    readonly head?: {
      readonly sha?: string;
      readonly ref?: string;
      /** Null if the fork was removed. */
      readonly repo?: { readonly full_name?: string } | null;
    };
    readonly base?: { readonly sha?: string; readonly ref?: string };
  };
  readonly merge_group?: {
    readonly head_sha?: string;
    readonly head_ref?: string;
    readonly base_sha?: string;
    readonly base_ref?: string;
    readonly head_commit?: EventCommit | null;
  };
  readonly workflow_run?: {
    readonly head_sha?: string;
    readonly head_branch?: string | null;
    readonly head_commit?: EventCommit | null;
    /** The repo that holds its head. Null if the fork was removed. */
    readonly head_repository?: EventRepo | null;
    readonly pull_requests?: readonly {
      readonly number?: number;
      readonly base?: { readonly ref?: string; readonly sha?: string; readonly repo?: EventRepo };
    }[];
  };
  readonly head_commit?: EventCommit | null;
  /** For a push: the branch's commit before it; all zeros for a new one. */
  readonly before?: string;
  /** For a push: what was there before is no ancestor. */
  readonly forced?: boolean;
}

interface EventRepo {
  readonly id?: number;
  readonly full_name?: string;
}

interface EventCommit {
  readonly message?: string;
  readonly author?: { readonly name?: string; readonly email?: string } | null;
  readonly committer?: { readonly name?: string; readonly email?: string } | null;
}

/** What an event says of the build, whatever kind it is. Empty if it says nothing. */
export interface EventFacts {
  /** The commit that is built: a pull request's head, not the merge that GitHub makes of it. */
  readonly headSha: string;
  /** A tag as `refs/tags/<name>`. */
  readonly branch: string;
  readonly pullRequest: string;
  readonly baseBranch: string;
  readonly baseSha: string;
  /** The branch's commit before a push that only added to it. */
  readonly pushedFrom: string;
  /** GITHUB_SHA is the merge of the head into the base branch. */
  readonly testsMerge: boolean;
  /** The head commit as far as the event describes it, for a checkout that does not hold it. */
  readonly commit: Omit<Commit, 'parents'>;
}

/** The runner's variables that an event is read with. */
export interface EventRunner {
  readonly event: GithubEvent;
  readonly sha: string;
  readonly ref: string;
  readonly refName: string;
  readonly headRef: string;
}

/**
 * Reads the event of a run: pull requests of every kind, merge queues, runs after another workflow, pushes, tags,
 * schedules.
 */
export function describeEvent(runner: EventRunner): EventFacts {
  const { pull_request: pull, merge_group: group, workflow_run: run } = runner.event;
  if (pull !== undefined) return pullRequestFacts(runner, pull);
  if (group !== undefined) {
    return {
      headSha: group.head_sha || runner.sha,
      branch: withoutHeads(group.head_ref || runner.ref),
      pullRequest: '',
      baseBranch: withoutHeads(group.base_ref ?? ''),
      baseSha: group.base_sha ?? '',
      pushedFrom: '',
      testsMerge: false,
      commit: describeCommit(group.head_commit),
    };
  }
  if (run !== undefined) return workflowRunFacts(runner, run);
  return {
    headSha: runner.sha,
    branch: branchOf(runner),
    pullRequest: /^refs\/pull\/(\d+)\//.exec(runner.ref)?.[1] ?? '',
    baseBranch: '',
    baseSha: '',
    pushedFrom: pushedFrom(runner.event),
    testsMerge: false,
    commit: describeCommit(runner.event.head_commit),
  };
}

/** What Dependabot starts without secrets, beside pull requests (docs.github.com, "Dependabot on GitHub Actions"). */
const OF_DEPENDABOT: ReadonlySet<string> = new Set(['push', 'create', 'deployment', 'deployment_status']);
const DEPENDABOT = 'dependabot[bot]';

/**
 * Whether GitHub gives the run of this event no secrets: those of a fork's pull request, and Dependabot's. Under
 * pull_request_target there are some.
 * https://docs.github.com/actions/security-for-github-actions/security-guides/using-secrets-in-github-actions
 */
export function hasNoSecrets({ event, eventName, repository }: SecretsRunner): boolean {
  const { pull_request: pull, sender } = event;
  if (eventName === 'pull_request_target') return false;
  if (pull === undefined) return sender?.login === DEPENDABOT && OF_DEPENDABOT.has(eventName);
  const from = pull.head?.repo;
  const isFork = from === null || (from?.full_name !== undefined && !sameName(from.full_name, repository));
  return isFork || [pull.user?.login, sender?.login].includes(DEPENDABOT);
}

type SecretsRunner = Pick<EventRunner, 'event'> & { readonly eventName: string; readonly repository: string };

function sameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function pullRequestFacts(runner: EventRunner, pull: NonNullable<GithubEvent['pull_request']>): EventFacts {
  const headSha = pull.head?.sha || runner.sha;
  return {
    headSha,
    branch: pull.head?.ref || runner.headRef,
    pullRequest: String(pull.number ?? ''),
    baseBranch: pull.base?.ref ?? '',
    baseSha: pull.base?.sha ?? '',
    pushedFrom: '',
    // Under pull_request_target GITHUB_SHA is the base branch's commit, which was not tested.
    testsMerge: /^refs\/pull\/\d+\/merge$/.test(runner.ref) && runner.sha !== headSha,
    commit: { message: pull.title ?? '', ...(pull.user?.login ? { authorName: pull.user.login } : {}) },
  };
}

/**
 * The run that this one follows. GitHub lists no pull requests for a fork's run: the server finds the one with its
 * head. Its branch is none of the repo's, whatever it is called.
 */
function workflowRunFacts({ event, sha }: EventRunner, run: NonNullable<GithubEvent['workflow_run']>): EventFacts {
  const isOwn = isSameRepo(run.head_repository, event.repository);
  const pull = run.pull_requests?.find(({ base }) => isSameRepo(base?.repo, event.repository));
  return {
    headSha: run.head_sha || sha,
    branch: isOwn || pull !== undefined ? (run.head_branch ?? '') : '',
    pullRequest: String(pull?.number ?? ''),
    baseBranch: pull?.base?.ref ?? '',
    baseSha: pull?.base?.sha ?? '',
    pushedFrom: '',
    testsMerge: false,
    commit: describeCommit(run.head_commit),
  };
}

/** What the event does not say is the repo's own; null is a fork that was removed. */
function isSameRepo(one: EventRepo | null | undefined, own: EventRepo | undefined): boolean {
  if (one === null) return false;
  if (one?.id !== undefined && own?.id !== undefined) return one.id === own.id;
  if (one?.full_name === undefined || own?.full_name === undefined) return true;
  return sameName(one.full_name, own.full_name);
}

/** Empty for a new branch or tag, whose `before` is all zeros, and after a forced push. */
function pushedFrom({ before = '', forced }: GithubEvent): string {
  return forced === false && !/^0*$/.test(before) ? before : '';
}

/** The branch that GITHUB_REF names. */
export function branchOf({ ref, refName, headRef }: EventRunner): string {
  if (headRef !== '') return headRef;
  if (ref.startsWith('refs/tags/')) return ref;
  return ref.startsWith('refs/pull/') ? '' : withoutHeads(ref) || refName;
}

function withoutHeads(ref: string): string {
  return ref.replace(/^refs\/heads\//, '');
}

function describeCommit(commit: EventCommit | null | undefined): Omit<Commit, 'parents'> {
  const { author, committer } = commit ?? {};
  return {
    message: commit?.message ?? '',
    ...(author?.name === undefined ? {} : { authorName: author.name }),
    ...(author?.email === undefined ? {} : { authorEmail: author.email }),
    ...(committer?.name === undefined ? {} : { committerName: committer.name }),
    ...(committer?.email === undefined ? {} : { committerEmail: committer.email }),
  };
}
