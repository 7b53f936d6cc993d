import { operationsOf } from '../rest/operations.ts';
import { WORDS } from './rest-api.ts';

const REPO = 'the token cannot see the repo, or it was moved or deleted; give the token access to it';
const COMMIT = 'the token cannot see the repo, or the commit is not there; give it access, or push the commit';
const PULL = 'the token cannot see the repo, or it has no such pull request; give it access to the repo';

const HOOKS = 'the token is wrong or expired, or may not administer the repo';

const { write, question } = operationsOf(WORDS);

/** Every operation that this adapter asks for. */
export const OPERATIONS = {
  setStatus: write('set a build status', COMMIT),
  readStatus: question('read the build status', COMMIT),
  createComment: write('write a comment on the pull request', PULL),
  updateComment: write('edit our comment on the pull request', 'the comment was deleted'),
  readComment: question('read our comment on the pull request', 'the comment was deleted'),
  listComments: question('list what was said on the pull request', PULL),
  readRepo: question('describe the repo', REPO),
  listRepos: question('list the repos', REPO),
  readPull: question('describe the pull request', PULL),
  listPulls: question('list the pull requests', REPO),
  readCommit: question('describe the commit', COMMIT),
  listCommits: question('list what came before a commit', COMMIT),
  listBranches: question('list the branches', REPO),
  mergeBase: question('find the merge base of two commits', COMMIT),
  compare: question('compare two commits', COMMIT),
  listHooks: { ...question('list the webhooks of the repo', REPO), needs: HOOKS },
  setHook: { ...write('set the webhook of the repo', REPO), needs: HOOKS },
  setReport: write('write a report on the commit', COMMIT),
  readFile: question('read a file', COMMIT),
  listRequired: question('list the builds that are required', 'this version has no required builds'),
  readVersion: question('say its version', 'BITBUCKET_SERVER_URL is not the address of a Bitbucket Data Center'),
  readHook: { ...question('say what became of the webhook', REPO), needs: HOOKS },
  readMe: question('list its projects', 'BITBUCKET_SERVER_URL is not the address of a Bitbucket Data Center'),
} as const;
