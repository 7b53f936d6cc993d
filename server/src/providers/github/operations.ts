/** One thing that is asked of GitHub, in the words that failures need. */
export interface Operation {
  /** Changes something at GitHub: an unknown outcome must be read back before it is repeated (rule 27). */
  readonly writes: boolean;
  /** Completes "when asked to". */
  readonly task: string;
  /** The permission that a fine-grained token or an App needs; a classic token's scope in brackets. */
  readonly permission: string;
  /**
   * What a 404 means here and what to do, given who asked (a sign-in's name); GitHub answers it for what the
   * token may not see as well.
   */
  readonly notFound: (who: string) => string;
  /** Part of signing in: where it is refused, nothing else of the repo can be asked or written. */
  readonly signsIn?: true;
  /** Asked about the same thing again and again: answers are kept and only confirmed (remembered-answers.ts). */
  readonly remembered?: true;
}

const UNSEEN_REPO = (who: string): string =>
  `${who} cannot see the repo, or the repo was renamed or deleted; give it access`;
const UNSEEN_COMMIT = (who: string): string =>
  `${who} cannot see the repo, or the commit is not pushed there; give it access, or push the commit`;
const UNSEEN_PULL = (who: string): string =>
  `${who} cannot see the repo, or it has no such pull request; give it access to the repo`;
const CONTENTS = '`contents: read` (classic: `repo`, or none for a public repo)';
const CHECKS = '`checks: write`, which only an App can have,';
const COMMENTING = '`pull_requests: write` (classic: `repo`, or `public_repo`)';

/** Every operation that this provider asks for. */
export const OPERATIONS = {
  setStatus: {
    writes: true,
    task: 'set a commit status',
    permission: '`statuses: write` (classic: `repo:status`)',
    notFound: UNSEEN_COMMIT,
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
    notFound: UNSEEN_PULL,
  },
  updateComment: {
    writes: true,
    task: 'edit our comment on the pull request',
    permission: COMMENTING,
    notFound: (who) => `the comment was deleted, or ${who} cannot see the repo any more`,
  },
  listComments: {
    writes: false,
    task: 'list the comments of the pull request',
    permission: '`pull_requests: read` (classic: `repo`, or `public_repo`)',
    notFound: UNSEEN_PULL,
  },
  readIdentity: {
    writes: false,
    task: 'tell whose token GITHUB_TOKEN is',
    permission: 'any',
    notFound: () => 'GITHUB_API_URL is not the API of a GitHub; on an Enterprise server it ends with /api/v3',
  },
  readPullRequest: {
    writes: false,
    task: 'describe the pull request',
    permission: '`pull_requests: read` (classic: `repo`, or none for a public repo)',
    notFound: UNSEEN_PULL,
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
    notFound: UNSEEN_PULL,
    remembered: true,
  },
  readCommit: {
    writes: false,
    task: 'describe the commit',
    permission: CONTENTS,
    notFound: (who) => `${who} cannot see the repo, or it has no such commit`,
    remembered: true,
  },
  listCommits: {
    writes: false,
    task: 'list what came before a commit',
    permission: CONTENTS,
    notFound: (who) => `${who} cannot see the repo, or it has no such commit`,
    remembered: true,
  },
  compare: {
    writes: false,
    task: 'compare two commits',
    permission: CONTENTS,
    notFound: (who) => `${who} cannot see the repo, it lacks one of the commits, or they have no common ancestor`,
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
    notFound: (who) => `${who} cannot see the repo, or it has no such run`,
    remembered: true,
  },
  createCheckRun: {
    writes: true,
    task: 'create a check run',
    permission: CHECKS,
    notFound: UNSEEN_COMMIT,
  },
  updateCheckRun: {
    writes: true,
    task: 'update our check run',
    permission: CHECKS,
    notFound: (who) => `the check run is gone, or ${who} cannot see the repo any more`,
  },
  findInstallation: {
    writes: false,
    task: 'find the installation of the GitHub App for the repo',
    permission: '`metadata: read`',
    notFound: () =>
      'the GitHub App is not installed for the repo, or there is no such repo; install the App for its owner, ' +
      'or give the installation access to the repo',
    signsIn: true,
  },
  // It makes something, yet nothing that anybody sees: a token whose answer was lost is merely not used.
  makeToken: {
    writes: false,
    task: 'make a token for the installation of the GitHub App',
    permission: '`metadata: read`',
    notFound: () => 'the GitHub App is not installed there any more; install it again',
    signsIn: true,
  },
  findCheckRun: {
    writes: false,
    task: 'look for our check run',
    permission: '`checks: read`',
    notFound: UNSEEN_REPO,
  },
} as const satisfies Readonly<Record<string, Operation>>;
