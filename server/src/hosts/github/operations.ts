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

type NotFound = Operation['notFound'];

const UNSEEN_REPO: NotFound = (who) => `${who} cannot see the repo, or the repo was renamed or deleted; give it access`;
const UNSEEN_COMMIT: NotFound = (who) =>
  `${who} cannot see the repo, or the commit is not pushed there; give it access, or push the commit`;
const UNSEEN_PULL: NotFound = (who) =>
  `${who} cannot see the repo, or it has no such pull request; give it access to the repo`;
const NO_COMMIT: NotFound = (who) => `${who} cannot see the repo, or it has no such commit`;

const CONTENTS = '`contents: read` (classic: `repo`, or none for a public repo)';
const CHECKS = '`checks: write`, which only an App can have,';
const COMMENTING = '`pull_requests: write` (classic: `repo`, or `public_repo`)';
const PULLS = '`pull_requests: read` (classic: `repo`, or none for a public repo)';
const METADATA = '`metadata: read` (classic: `repo`, or none for a public repo)';
const ACTIONS = '`actions: read` (classic: `repo`, or none for a public repo)';

const write = (task: string, permission: string, notFound: NotFound): Operation => ({
  writes: true,
  task,
  permission,
  notFound,
});
const question = (task: string, permission: string, notFound: NotFound): Operation => ({
  writes: false,
  task,
  permission,
  notFound,
});
const remembered = (task: string, permission: string, notFound: NotFound): Operation => ({
  ...question(task, permission, notFound),
  remembered: true,
});
const signingIn = (task: string, notFound: NotFound): Operation => ({
  ...question(task, '`metadata: read`', notFound),
  signsIn: true,
});

/** Every operation that this provider asks for. */
export const OPERATIONS = {
  setStatus: write('set a commit status', '`statuses: write` (classic: `repo:status`)', UNSEEN_COMMIT),
  readStatus: question('read the commit statuses', '`statuses: read` (classic: `repo:status`)', UNSEEN_REPO),
  createComment: write('create a comment on the pull request', COMMENTING, UNSEEN_PULL),
  updateComment: write(
    'edit our comment on the pull request',
    COMMENTING,
    (who) => `the comment was deleted, or ${who} cannot see the repo any more`,
  ),
  listComments: question(
    'list the comments of the pull request',
    '`pull_requests: read` (classic: `repo`, or `public_repo`)',
    UNSEEN_PULL,
  ),
  readIdentity: question(
    'tell whose token GITHUB_TOKEN is',
    'any',
    () => 'GITHUB_API_URL is not the API of a GitHub; on an Enterprise server it ends with /api/v3',
  ),
  readPullRequest: remembered('describe the pull request', PULLS, UNSEEN_PULL),
  listPullRequests: remembered('list the open pull requests', PULLS, UNSEEN_REPO),
  listPullRequestsFrom: remembered('list the pull requests of a branch', PULLS, UNSEEN_REPO),
  listPullRequestFiles: remembered('list the files of the pull request', PULLS, UNSEEN_PULL),
  readCommit: remembered('describe the commit', CONTENTS, NO_COMMIT),
  listCommits: remembered('list what came before a commit', CONTENTS, NO_COMMIT),
  compare: remembered(
    'compare two commits',
    CONTENTS,
    (who) => `${who} cannot see the repo, it lacks one of the commits, or they have no common ancestor`,
  ),
  readFile: question('read a file', CONTENTS, NO_COMMIT),
  readRepo: remembered('describe the repo', METADATA, UNSEEN_REPO),
  readRun: remembered('describe the run', ACTIONS, (who) => `${who} cannot see the repo, or it has no such run`),
  listRuns: remembered('list the runs', ACTIONS, UNSEEN_REPO),
  listBranchesAt: remembered('list the branches that point to a commit', CONTENTS, NO_COMMIT),
  readBranch: question(
    'describe the branch',
    CONTENTS,
    (who) => `${who} cannot see the repo, or it has no such branch`,
  ),
  readBranchRules: question('list the rules of the branch', METADATA, UNSEEN_REPO),
  listInstalled: question('list the repos that the token covers', 'any', UNSEEN_REPO),
  readMyRepo: question('say what you may do in the repo', 'any', UNSEEN_REPO),
  listMyRepos: question('list your repos', 'any', UNSEEN_REPO),
  readMe: question('say who you are', 'any', () => 'GITHUB_API_URL is not the API of a GitHub'),
  readRateLimit: question('say how many requests are left', 'any', () => 'GITHUB_API_URL is not the API of a GitHub'),
  readApp: question('describe the GitHub App', 'any', () => 'GITHUB_API_URL is not the API of a GitHub'),
  listInstallations: question('list where the GitHub App is installed', 'any', () => 'GitHub does not know the App'),
  createCheckRun: write('create a check run', CHECKS, UNSEEN_COMMIT),
  updateCheckRun: write(
    'update our check run',
    CHECKS,
    (who) => `the check run is gone, or ${who} cannot see the repo any more`,
  ),
  findCheckRun: question('look for our check run', '`checks: read`', UNSEEN_REPO),
  findInstallation: signingIn(
    'find the installation of the GitHub App for the repo',
    () =>
      'the GitHub App is not installed for the repo, or there is no such repo; install the App for its owner, ' +
      'or give the installation access to the repo',
  ),
  // No write: an App whose answer was lost is at GitHub, and unused.
  makeApp: question('exchange the code for the App', 'any', () => 'GitHub does not know the code, or it was used'),
  // No write: a token whose answer was lost is merely not used.
  makeToken: signingIn(
    'make a token for the installation of the GitHub App',
    () => 'the GitHub App is not installed there any more; install it again',
  ),
} as const;
