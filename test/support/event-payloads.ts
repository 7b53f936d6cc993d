/**
 * Events as GitHub hands them to a workflow: the payload's parts that matter, and the variables that follow from it.
 */
export interface WorkflowEvent {
  readonly name: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** GITHUB_SHA, GITHUB_REF and their kin. */
  readonly variables: Readonly<Record<string, string>>;
}

interface EventBasics {
  /** `<owner>/<name>` */
  readonly repo: string;
  readonly actor?: string;
  readonly defaultBranch?: string;
}

export interface PullRequestEvent extends EventBasics {
  readonly number: number;
  readonly headSha: string;
  readonly headRef: string;
  readonly baseSha: string;
  readonly baseRef?: string;
  /** GITHUB_SHA: the temporary merge commit. */
  readonly mergeSha: string;
  /** Default: the repo itself; another name is a fork. */
  readonly headRepo?: string;
  readonly action?: 'opened' | 'synchronize' | 'reopened';
}

export interface PushEvent extends EventBasics {
  readonly branch: string;
  readonly sha: string;
  readonly beforeSha?: string;
  readonly message?: string;
}

function account(login: string): object {
  return { login, id: 1001, type: login.endsWith('[bot]') ? 'Bot' : 'User', html_url: `https://github.com/${login}` };
}

function repository(fullName: string, { defaultBranch = 'main', fork = false } = {}): object {
  const [owner = '', name = ''] = fullName.split('/');
  return {
    id: 3_000_000_001,
    name,
    full_name: fullName,
    private: false,
    fork,
    owner: account(owner),
    html_url: `https://github.com/${fullName}`,
    clone_url: `https://github.com/${fullName}.git`,
    default_branch: defaultBranch,
  };
}

function common(event: EventBasics): Record<string, unknown> {
  const { defaultBranch = 'main', actor = 'mona' } = event;
  return { repository: repository(event.repo, { defaultBranch }), sender: account(actor) };
}

function variables(
  event: EventBasics,
  ref: { sha: string; ref: string; type?: 'branch' | 'tag' },
): Record<string, string> {
  return {
    GITHUB_REPOSITORY: event.repo,
    GITHUB_ACTOR: event.actor ?? 'mona',
    GITHUB_SHA: ref.sha,
    GITHUB_REF: ref.ref,
    GITHUB_REF_NAME: ref.ref.replace(/^refs\/(heads|tags|pull)\//, ''),
    GITHUB_REF_TYPE: ref.type ?? 'branch',
    GITHUB_HEAD_REF: '',
    GITHUB_BASE_REF: '',
  };
}

/** A pull request was opened or got commits. The runner tests the merge commit, not the head. */
export function pullRequestEvent(event: PullRequestEvent): WorkflowEvent {
  const { number, headSha, headRef, baseSha, baseRef = 'main', mergeSha, headRepo = event.repo } = event;
  const side = (fullName: string, ref: string, sha: string): object => ({
    label: `${fullName.split('/')[0]}:${ref}`,
    ref,
    sha,
    repo: repository(fullName, { fork: fullName !== event.repo }),
  });
  const payload = {
    action: event.action ?? 'synchronize',
    number,
    pull_request: {
      number,
      state: 'open',
      locked: false,
      draft: false,
      title: `Change ${number}`,
      html_url: `https://github.com/${event.repo}/pull/${number}`,
      user: account(event.actor ?? 'mona'),
      head: side(headRepo, headRef, headSha),
      base: side(event.repo, baseRef, baseSha),
      // In the payload this is the merge of the state before; GITHUB_SHA is the one that is tested.
      merge_commit_sha: null,
      merged: false,
    },
    ...common(event),
  };
  const ref = { sha: mergeSha, ref: `refs/pull/${number}/merge` };
  return {
    name: 'pull_request',
    payload,
    variables: { ...variables(event, ref), GITHUB_HEAD_REF: headRef, GITHUB_BASE_REF: baseRef },
  };
}

/** Commits arrived on a branch. */
export function pushEvent(event: PushEvent): WorkflowEvent {
  return pushOf(event, `refs/heads/${event.branch}`, 'branch');
}

/** A tag was pushed. */
export function tagPushEvent(event: Omit<PushEvent, 'branch'> & { readonly tag: string }): WorkflowEvent {
  return pushOf({ beforeSha: '0'.repeat(40), ...event }, `refs/tags/${event.tag}`, 'tag');
}

function pushOf(event: Omit<PushEvent, 'branch'>, ref: string, type: 'branch' | 'tag'): WorkflowEvent {
  const person = { name: 'Mona Lisa', email: 'mona@example.com', username: 'mona' };
  const commit = {
    id: event.sha,
    tree_id: 'f'.repeat(40),
    message: event.message ?? 'Change prices',
    timestamp: '2030-01-02T03:04:05+01:00',
    url: `https://github.com/${event.repo}/commit/${event.sha}`,
    author: person,
    committer: person,
    distinct: true,
  };
  const payload = {
    ref,
    before: event.beforeSha ?? 'e'.repeat(40),
    after: event.sha,
    created: type === 'tag',
    deleted: false,
    forced: false,
    base_ref: null,
    head_commit: commit,
    commits: type === 'tag' ? [] : [commit],
    pusher: { name: 'mona', email: 'mona@example.com' },
    ...common(event),
  };
  return { name: 'push', payload, variables: variables(event, { sha: event.sha, ref, type }) };
}

/** The merge queue asks for the checks of a pull request as it would land. */
export function mergeGroupEvent(
  event: EventBasics & {
    readonly number: number;
    readonly headSha: string;
    readonly baseSha: string;
    readonly baseRef?: string;
  },
): WorkflowEvent {
  const { number, headSha, baseSha, baseRef = 'main' } = event;
  const headRef = `refs/heads/gh-readonly-queue/${baseRef}/pr-${number}-${baseSha}`;
  const message = `Merge pull request #${number}`;
  const person = { name: 'Mona Lisa', email: 'mona@example.com' };
  const headCommit = {
    id: headSha,
    tree_id: 'f'.repeat(40),
    message,
    timestamp: '2030-01-02T03:04:05Z',
    author: person,
  };
  const payload = {
    action: 'checks_requested',
    merge_group: {
      head_sha: headSha,
      head_ref: headRef,
      base_sha: baseSha,
      base_ref: `refs/heads/${baseRef}`,
      head_commit: { ...headCommit, committer: person },
    },
    ...common(event),
  };
  return { name: 'merge_group', payload, variables: variables(event, { sha: headSha, ref: headRef }) };
}

/** Somebody pressed the button. */
export function workflowDispatchEvent(
  event: EventBasics & { readonly branch: string; readonly sha: string },
): WorkflowEvent {
  const ref = `refs/heads/${event.branch}`;
  const payload = { inputs: null, ref, workflow: '.github/workflows/test.yml', ...common(event) };
  return { name: 'workflow_dispatch', payload, variables: variables(event, { sha: event.sha, ref }) };
}

/** The clock started it: on the default branch's head, without anybody's commit. */
export function scheduleEvent(event: EventBasics & { readonly sha: string }): WorkflowEvent {
  const ref = `refs/heads/${event.defaultBranch ?? 'main'}`;
  const payload = { schedule: '0 3 * * *', workflow: '.github/workflows/test.yml', ...common(event) };
  return { name: 'schedule', payload, variables: variables(event, { sha: event.sha, ref }) };
}

/** Another workflow's run ended, which was `headRepo`'s: the repo's own workflow of the default branch follows it. */
export function workflowRunEvent(
  event: EventBasics & {
    /** The default branch's head: GITHUB_SHA. */
    readonly sha: string;
    readonly headSha: string;
    readonly headBranch: string;
    /** Default: the repo itself. */
    readonly headRepo?: string;
    /** GitHub lists none of a fork's. */
    readonly pullRequests?: readonly number[];
  },
): WorkflowEvent {
  const { repo, sha, headSha, headBranch, headRepo = repo, pullRequests = [], defaultBranch = 'main' } = event;
  const holder = repository(headRepo, { fork: headRepo !== repo }) as Record<string, unknown>;
  const own = { id: 3_000_000_001, name: repo.split('/')[1], url: `https://api.github.com/repos/${repo}` };
  const side = (ref: string, commit: string): object => ({ ref, sha: commit, repo: own });
  const payload = {
    action: 'completed',
    workflow_run: {
      id: 30_433_642,
      name: 'CI',
      event: 'pull_request',
      status: 'completed',
      conclusion: 'success',
      head_branch: headBranch,
      head_sha: headSha,
      head_commit: { id: headSha, message: 'Change prices', author: { name: 'Eve', email: 'eve@example.com' } },
      head_repository: { ...holder, ...(headRepo !== repo && { id: 3_000_000_002 }) },
      repository: repository(repo),
      pull_requests: pullRequests.map((number) => ({
        number,
        head: side(headBranch, headSha),
        base: side(defaultBranch, sha),
      })),
    },
    workflow: { id: 1, name: 'CI' },
    ...common(event),
  };
  return { name: 'workflow_run', payload, variables: variables(event, { sha, ref: `refs/heads/${defaultBranch}` }) };
}

/** A pull request, with the secrets of its base: the runner checks the base branch out. */
export function pullRequestTargetEvent(event: Omit<PullRequestEvent, 'mergeSha'>): WorkflowEvent {
  const { payload, variables: ofPull } = pullRequestEvent({ ...event, mergeSha: event.baseSha });
  const ref = { GITHUB_REF: `refs/heads/${event.baseRef ?? 'main'}`, GITHUB_REF_NAME: event.baseRef ?? 'main' };
  return { name: 'pull_request_target', payload, variables: { ...ofPull, ...ref } };
}

/** Somebody wrote below a pull request, or below an issue: the runner checks the default branch out. */
export function issueCommentEvent(
  event: EventBasics & { readonly number: number; readonly sha: string; readonly isPull?: boolean },
): WorkflowEvent {
  const { repo, number, sha, isPull = true, defaultBranch = 'main' } = event;
  const pull = { url: `https://api.github.com/repos/${repo}/pulls/${number}` };
  const payload = {
    action: 'created',
    issue: { number, title: `Change ${number}`, state: 'open', ...(isPull && { pull_request: pull }) },
    comment: { id: 1, body: '/coverage', user: account(event.actor ?? 'mona') },
    ...common(event),
  };
  return { name: 'issue_comment', payload, variables: variables(event, { sha, ref: `refs/heads/${defaultBranch}` }) };
}
