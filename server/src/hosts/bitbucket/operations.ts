import { type Operation, operationsOf } from '../rest/operations.ts';
import { WORDS } from './rest-api.ts';

/** One that counts against the requests of an hour. */
export interface CountedOperation extends Operation {
  /** How much of the hour may be spent before this one waits: what matters least waits first. */
  readonly share: number;
}

const REPO = 'the token cannot see the repo, or it was moved or deleted; give the token access to it';
const COMMIT = 'the token cannot see the repo, or the commit is not there; give it access, or push the commit';
const PULL = 'the token cannot see the repo, or it has no such pull request; give it access to the repo';

const HOOKS = 'the token needs the scope `webhook`, and to administer the repo';

const { write, question } = operationsOf(WORDS);
const counted = (share: number, operation: Operation): CountedOperation => ({ ...operation, share });

/** Statuses may spend the whole hour; comments, facts, reports and source texts leave something for what is above. */
export const OPERATIONS = {
  setStatus: counted(1, write('set a build status', COMMIT)),
  readStatus: counted(1, question('read the build status', COMMIT)),
  createComment: counted(0.95, write('write a comment on the pull request', PULL)),
  updateComment: counted(0.95, write('edit our comment on the pull request', 'the comment was deleted')),
  listComments: counted(0.95, question('list the comments of the pull request', PULL)),
  readMe: counted(0.95, question('say whose token it is', 'BITBUCKET_API_URL is not the address of Bitbucket')),
  listRights: counted(0.9, question('list what you may do in repos', REPO)),
  readRepo: counted(0.9, question('describe the repo', REPO)),
  readPull: counted(0.9, question('describe the pull request', PULL)),
  listPulls: counted(0.9, question('list the pull requests', REPO)),
  readCommit: counted(0.9, question('describe the commit', COMMIT)),
  listCommits: counted(0.9, question('list what came before a commit', COMMIT)),
  listBranches: counted(0.9, question('list the branches of a commit', REPO)),
  mergeBase: counted(0.9, question('find the merge base of two commits', COMMIT)),
  compare: counted(0.9, question('compare two commits', COMMIT)),
  readPipeline: counted(0.9, question('describe the pipeline', 'the token cannot see the repo, or its pipelines')),
  listPipelines: counted(0.9, question('list the pipelines', REPO)),
  listHooks: { ...counted(0.9, question('list the webhooks of the repo', REPO)), needs: HOOKS },
  setHook: { ...counted(0.9, write('set the webhook of the repo', REPO)), needs: HOOKS },
  setReport: counted(0.75, write('write a report on the commit', COMMIT)),
  readFile: counted(0.5, question('read a file', COMMIT)),
} as const;
