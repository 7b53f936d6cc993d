import { operationsOf } from '../rest/operations.ts';
import { WORDS } from './rest-api.ts';

const PROJECT = 'the token cannot see the project, or it was moved or deleted; give the token access to it';
const COMMIT = 'the token cannot see the project, or the commit is not there; give it access, or push the commit';
const CHANGE = 'the token cannot see the project, or it has no such merge request; give it access to the project';

const MAINTAINER = 'the token needs the scope `api` and the role Maintainer in the project';

const { write, question } = operationsOf(WORDS);

/** Every operation that this adapter asks for. */
export const OPERATIONS = {
  setStatus: write('set a commit status', COMMIT),
  readStatus: question('read the commit statuses', COMMIT),
  createNote: write('write a note on the merge request', CHANGE),
  updateNote: write('edit our note on the merge request', 'the note was deleted'),
  listNotes: question('list the notes of the merge request', CHANGE),
  listHooks: { ...question('list the webhooks of the project', PROJECT), needs: MAINTAINER },
  setHook: { ...write('set the webhook of the project', PROJECT), needs: MAINTAINER },
  readMe: question('say whose token it is', 'GITLAB_URL is not the address of a GitLab'),
  readToken: question('say what the token may do', 'it does not say'),
  readVersion: question('say its version', 'it does not say'),
  testHook: { ...write('test the webhook of the project', PROJECT), needs: MAINTAINER },
  readProject: question('describe the project', PROJECT),
  listProjects: question('list your projects', PROJECT),
  readMergeRequest: question('describe the merge request', CHANGE),
  listMergeRequests: question('list the merge requests', PROJECT),
  readDiff: question('read the diff of the merge request', CHANGE),
  readCommit: question('describe the commit', COMMIT),
  listCommits: question('list what came before a commit', COMMIT),
  listRefs: question('list the branches of a commit', COMMIT),
  mergeBase: question('find the merge base of two commits', COMMIT),
  compare: question('compare two commits', COMMIT),
  readFile: question('read a file', COMMIT),
  readPipeline: question('describe the pipeline', 'the token cannot see the project, or it has no such pipeline'),
  listPipelines: question('list the pipelines', PROJECT),
  readJob: question('say which job the token is of', 'the job has ended, or it is of another GitLab'),
} as const;
