import { operationsOf } from '../rest/operations.ts';
import type { HostWords } from '../rest/sentences.ts';

const REPO = "the token's user cannot see the repo, or it was moved or deleted; make the user a collaborator";
const COMMIT = "the token's user cannot see the repo, or the commit is not there; make it a collaborator, or push";
const PULL = "the token's user cannot see the repo, or it has no such pull request";

const HOOKS = 'the token needs the scope `write:repository`, and its user to administer the repo';

/** Every operation that this adapter asks for. */
export function giteaOperations(host: HostWords) {
  const { write, question } = operationsOf(host);
  return {
    setStatus: write('set a commit status', COMMIT),
    readStatus: question('read the commit statuses', COMMIT),
    createComment: write('write a comment on the pull request', PULL),
    updateComment: write('edit our comment on the pull request', 'the comment was deleted'),
    listComments: question('list the comments of the pull request', PULL),
    readMe: question('say whose token it is', `${host.address} is not the address of a ${host.name}`),
    readVersion: question('say its version', `${host.address} is not the address of a ${host.name}`),
    readRepo: question('describe the repo', REPO),
    listRepos: question('list your repos', REPO),
    readPull: question('describe the pull request', PULL),
    listPulls: question('list the pull requests', REPO),
    readDiff: question('read a diff', COMMIT),
    readCommit: question('describe the commit', COMMIT),
    readTree: question('list the files of a commit', COMMIT),
    readBranch: question('describe the branch', 'there is no such branch'),
    listBranches: question('list the branches', REPO),
    listCommits: question('list what came before a commit', COMMIT),
    readFile: question('read a file', COMMIT),
    listHooks: { ...question('list the webhooks of the repo', REPO), needs: HOOKS },
    setHook: { ...write('set the webhook of the repo', REPO), needs: HOOKS },
    readRun: question('describe the run', 'it has no such run, or its version shows none'),
    listRuns: question('list the runs', 'its version shows none'),
  };
}

export type Operations = ReturnType<typeof giteaOperations>;
