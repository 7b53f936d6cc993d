/**
 * Events as GitHub hands them to a workflow: the payload's parts that matter, and the variables that follow from it.
 */
export interface WorkflowEvent {
  readonly name: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** GITHUB_SHA, GITHUB_REF and their kin. */
  readonly variables: Readonly<Record<string, string>>;
}

interface Basics {
  /** `<owner>/<name>` */
  readonly repo: string;
  readonly actor?: string;
}

interface PullRequest extends Basics {
  readonly number: number;
  readonly headSha: string;
  readonly headRef: string;
  readonly baseSha: string;
  /** GITHUB_SHA: the temporary merge commit. */
  readonly mergeSha: string;
  /** Default: the repo itself; another name is a fork. */
  readonly headRepo?: string;
}

interface Push extends Basics {
  readonly sha: string;
  readonly beforeSha?: string;
  readonly message?: string;
}

const PERSON = { name: 'Mona Lisa', email: 'mona@example.com' };

const account = (login: string) => ({ login, id: 1_001, type: login.endsWith('[bot]') ? 'Bot' : 'User' });

function repository(fullName: string, { fork = false, id = 3_000_000_001 } = {}): object {
  const [owner = '', name = ''] = fullName.split('/');
  const url = `https://github.com/${fullName}`;
  return { id, name, full_name: fullName, private: false, fork, owner: account(owner), html_url: url };
}

/** What every event has. `ref`: GITHUB_REF. */
function eventOf(name: string, { repo, actor = 'mona' }: Basics, at: { sha: string; ref: string; payload: object }) {
  const payload = { ...at.payload, repository: repository(repo), sender: account(actor) };
  const variables = {
    GITHUB_REPOSITORY: repo,
    GITHUB_ACTOR: actor,
    GITHUB_SHA: at.sha,
    GITHUB_REF: at.ref,
    GITHUB_REF_NAME: at.ref.replace(/^refs\/(heads|tags|pull)\//, ''),
    GITHUB_REF_TYPE: at.ref.startsWith('refs/tags/') ? 'tag' : 'branch',
    GITHUB_HEAD_REF: '',
    GITHUB_BASE_REF: '',
  };
  return { name, payload, variables } satisfies WorkflowEvent;
}

/** A pull request was opened or got commits. The runner tests the merge commit, not the head. */
export function pullRequestEvent(event: PullRequest): WorkflowEvent {
  const { repo, number, headSha, headRef, baseSha, mergeSha, headRepo = repo, actor = 'mona' } = event;
  const payload = {
    action: 'synchronize',
    number,
    pull_request: {
      number,
      state: 'open',
      title: `Change ${number}`,
      user: account(actor),
      head: { ref: headRef, sha: headSha, repo: repository(headRepo, { fork: headRepo !== repo }) },
      base: { ref: 'main', sha: baseSha, repo: repository(repo) },
      // In the payload this is the merge of the state before; GITHUB_SHA is the one that is tested.
      merge_commit_sha: null,
    },
  };
  const made = eventOf('pull_request', event, { sha: mergeSha, ref: `refs/pull/${number}/merge`, payload });
  return { ...made, variables: { ...made.variables, GITHUB_HEAD_REF: headRef, GITHUB_BASE_REF: 'main' } };
}

/** Commits arrived on a branch. */
export function pushEvent({ branch, ...event }: Push & { readonly branch: string }): WorkflowEvent {
  return pushOf(event, `refs/heads/${branch}`);
}

/** A tag was pushed. */
export function tagPushEvent({ tag, ...event }: Push & { readonly tag: string }): WorkflowEvent {
  return pushOf({ beforeSha: '0'.repeat(40), ...event }, `refs/tags/${tag}`);
}

function pushOf(event: Push, ref: string): WorkflowEvent {
  const { sha, beforeSha = 'e'.repeat(40), message = 'Change prices' } = event;
  const commit = { id: sha, message, timestamp: '2030-01-02T03:04:05+01:00', author: PERSON, committer: PERSON };
  const payload = { ref, before: beforeSha, after: sha, deleted: false, forced: false, head_commit: commit };
  return eventOf('push', event, { sha, ref, payload });
}

/** The merge queue asks for the checks of a pull request as it would land. */
export function mergeGroupEvent(
  event: Basics & { readonly number: number; readonly headSha: string; readonly baseSha: string },
): WorkflowEvent {
  const { number, headSha, baseSha } = event;
  const ref = `refs/heads/gh-readonly-queue/main/pr-${number}-${baseSha}`;
  const message = `Merge pull request #${number}`;
  const group = { head_sha: headSha, head_ref: ref, base_sha: baseSha, base_ref: 'refs/heads/main' };
  const headCommit = { id: headSha, message, author: PERSON, committer: PERSON };
  const payload = { action: 'checks_requested', merge_group: { ...group, head_commit: headCommit } };
  return eventOf('merge_group', event, { sha: headSha, ref, payload });
}

/** Somebody pressed the button. */
export function workflowDispatchEvent(
  event: Basics & { readonly branch: string; readonly sha: string },
): WorkflowEvent {
  const ref = `refs/heads/${event.branch}`;
  const payload = { inputs: null, ref, workflow: '.github/workflows/test.yml' };
  return eventOf('workflow_dispatch', event, { sha: event.sha, ref, payload });
}

/** The clock started it: on main's head, without anybody's commit. */
export function scheduleEvent(event: Basics & { readonly sha: string }): WorkflowEvent {
  const payload = { schedule: '0 3 * * *', workflow: '.github/workflows/test.yml' };
  return eventOf('schedule', event, { sha: event.sha, ref: 'refs/heads/main', payload });
}

/** Another workflow's run ended, which was `headRepo`'s: the repo's own workflow of main follows it. */
export function workflowRunEvent(
  event: Basics & {
    /** Main's head: GITHUB_SHA. */
    readonly sha: string;
    readonly headSha: string;
    readonly headBranch: string;
    /** Default: the repo itself. */
    readonly headRepo?: string;
    /** GitHub lists none of a fork's. */
    readonly pullRequests?: readonly number[];
  },
): WorkflowEvent {
  const { repo, sha, headSha, headBranch, headRepo = repo, pullRequests = [] } = event;
  const side = (ref: string, commit: string): object => ({ ref, sha: commit, repo: { id: 3_000_000_001 } });
  const run = {
    ...{ id: 30_433_642, name: 'CI', event: 'pull_request', status: 'completed', conclusion: 'success' },
    head_branch: headBranch,
    head_sha: headSha,
    head_commit: { id: headSha, message: 'Change prices', author: { name: 'Eve', email: 'eve@example.com' } },
    head_repository: headRepo === repo ? repository(repo) : repository(headRepo, { fork: true, id: 3_000_000_002 }),
    pull_requests: pullRequests.map((number) => ({ number, head: side(headBranch, headSha), base: side('main', sha) })),
  };
  const payload = { action: 'completed', workflow_run: run };
  return eventOf('workflow_run', event, { sha, ref: 'refs/heads/main', payload });
}

/** A pull request, with the secrets of its base: the runner checks the base branch out. */
export function pullRequestTargetEvent(event: Omit<PullRequest, 'mergeSha'>): WorkflowEvent {
  const { payload, variables } = pullRequestEvent({ ...event, mergeSha: event.baseSha });
  const ofBase = { GITHUB_REF: 'refs/heads/main', GITHUB_REF_NAME: 'main' };
  return { name: 'pull_request_target', payload, variables: { ...variables, ...ofBase } };
}

/** Somebody wrote below a pull request: the runner checks main out. */
export function issueCommentEvent(event: Basics & { readonly number: number; readonly sha: string }): WorkflowEvent {
  const { number, sha, actor = 'mona' } = event;
  const issue = { number, title: `Change ${number}`, state: 'open', pull_request: {} };
  const payload = { action: 'created', issue, comment: { id: 1, body: '/coverage', user: account(actor) } };
  return eventOf('issue_comment', event, { sha, ref: 'refs/heads/main', payload });
}
