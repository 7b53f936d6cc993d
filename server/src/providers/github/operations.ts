/** One thing that is asked of GitHub, in the words that failures need. */
export interface Operation {
  /** Changes something at GitHub: an unknown outcome must be read back before it is repeated (rule 27). */
  readonly writes: boolean;
  /** Completes "when asked to". */
  readonly task: string;
  /** The permission that a fine-grained token or an App needs; a classic token's scope in brackets. */
  readonly permission: string;
  /** What a 404 means here and what to do; GitHub answers it for what a token may not see as well. */
  readonly notFound: string;
  /** Asked about the same thing again and again: answers are kept and only confirmed (remembered-answers.ts). */
  readonly remembered?: true;
}

const UNSEEN_REPO = 'GITHUB_TOKEN cannot see the repo, or the repo was renamed or deleted; give the token access to it';
const CONTENTS = '`contents: read` (classic: `repo`, or none for a public repo)';
const CHECKS = '`checks: write`, which only an App can have,';
const COMMENTING = '`pull_requests: write` (classic: `repo`, or `public_repo`)';

/** Every operation that this provider asks for. */
export const OPERATIONS = {
  setStatus: {
    writes: true,
    task: 'set a commit status',
    permission: '`statuses: write` (classic: `repo:status`)',
    notFound: 'GITHUB_TOKEN cannot see the repo, or the commit is not pushed there; give the token access, or push the commit',
  },
  readStatus: {
    writes: false,
    task: 'read the commit statuses',
    permission: '`statuses: read` (classic: `repo:status`)',
    notFound: UNSEEN_REPO,
  },
  createComment: {
    writes: true,
    task: 'create a comment on the pull request',
    permission: COMMENTING,
    notFound: 'GITHUB_TOKEN cannot see the repo, or it has no such pull request; give the token access to the repo',
  },
  updateComment: {
    writes: true,
    task: 'edit our comment on the pull request',
    permission: COMMENTING,
    notFound: 'the comment was deleted, or GITHUB_TOKEN cannot see the repo any more',
  },
  listComments: {
    writes: false,
    task: 'list the comments of the pull request',
    permission: '`pull_requests: read` (classic: `repo`, or `public_repo`)',
    notFound: 'GITHUB_TOKEN cannot see the repo, or it has no such pull request; give the token access to the repo',
  },
  readIdentity: {
    writes: false,
    task: 'tell whose token GITHUB_TOKEN is',
    permission: 'any',
    notFound: 'GITHUB_API_URL is not the API of a GitHub; on an Enterprise server it ends with /api/v3',
  },
  readPullRequest: {
    writes: false,
    task: 'describe the pull request',
    permission: '`pull_requests: read` (classic: `repo`, or none for a public repo)',
    notFound: 'GITHUB_TOKEN cannot see the repo, or it has no such pull request',
    remembered: true,
  },
  listPullRequests: {
    writes: false,
    task: 'list the open pull requests',
    permission: '`pull_requests: read` (classic: `repo`, or none for a public repo)',
    notFound: UNSEEN_REPO,
    remembered: true,
  },
  listPullRequestFiles: {
    writes: false,
    task: 'list the files of the pull request',
    permission: '`pull_requests: read` (classic: `repo`, or none for a public repo)',
    notFound: 'GITHUB_TOKEN cannot see the repo, or it has no such pull request',
    remembered: true,
  },
  readCommit: {
    writes: false,
    task: 'describe the commit',
    permission: CONTENTS,
    notFound: 'GITHUB_TOKEN cannot see the repo, or it has no such commit',
    remembered: true,
  },
  listCommits: {
    writes: false,
    task: 'list what came before a commit',
    permission: CONTENTS,
    notFound: 'GITHUB_TOKEN cannot see the repo, or it has no such commit',
    remembered: true,
  },
  compare: {
    writes: false,
    task: 'compare two commits',
    permission: CONTENTS,
    notFound: 'GITHUB_TOKEN cannot see the repo, it lacks one of the commits, or they have no common ancestor',
    remembered: true,
  },
  readRepo: {
    writes: false,
    task: 'describe the repo',
    permission: '`metadata: read` (classic: `repo`, or none for a public repo)',
    notFound: UNSEEN_REPO,
    remembered: true,
  },
  readRun: {
    writes: false,
    task: 'describe the run',
    permission: '`actions: read` (classic: `repo`, or none for a public repo)',
    notFound: 'GITHUB_TOKEN cannot see the repo, or it has no such run',
    remembered: true,
  },
  createCheckRun: {
    writes: true,
    task: 'create a check run',
    permission: CHECKS,
    notFound: 'GITHUB_TOKEN cannot see the repo, or the commit is not pushed there; give the token access, or push the commit',
  },
  updateCheckRun: {
    writes: true,
    task: 'update our check run',
    permission: CHECKS,
    notFound: 'the check run is gone, or GITHUB_TOKEN cannot see the repo any more',
  },
} as const satisfies Readonly<Record<string, Operation>>;
