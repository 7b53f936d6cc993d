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
}

const UNSEEN_REPO = 'GITHUB_TOKEN cannot see the repo, or the repo was renamed or deleted; give the token access to it';
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
  },
  readCommit: {
    writes: false,
    task: 'describe the commit',
    permission: '`contents: read` (classic: `repo`, or none for a public repo)',
    notFound: 'GITHUB_TOKEN cannot see the repo, or it has no such commit',
  },
} as const satisfies Readonly<Record<string, Operation>>;
