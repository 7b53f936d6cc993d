import type { JobPayload } from '@coverage/shared';
import { job, shaOf } from './coverage-api.ts';
import { type GithubStandIn, startGithubStandIn } from './github-stand-in/github-stand-in.ts';
import type { RunSetUp } from './github-stand-in/set-up.ts';

export const REPO = 'acme/shop';
export const MAIN = shaOf('main of the shop');
/** Eve's pull request 7, its temporary merge commit, and Mallory's pull request 8. */
export const [HEAD, MERGE, MALLORYS] = [shaOf('head of eve'), shaOf('merge of eve'), shaOf('head of mallory')];
/** A workflow's own token of acme/shop, as a fork's run has it too. */
export const FORK_TOKEN = 'ghs_workflow-of-a-fork';
/** For a person who may push to acme/shop. */
export const MAINTAINER_TOKEN = 'ghp_classic-of-mona';

/** Fields of an upload; what a test states wins. */
export type Fields = Partial<Record<keyof JobPayload, unknown>>;

/** GitHub with acme/shop, two forks of it and their pull requests. */
export interface ForkGithub {
  readonly github: GithubStandIn;
  /** A run of Eve's pull request that is in progress, unless stated otherwise. */
  run(change?: Partial<RunSetUp>): string;
}

const RUN_OF_EVE = { event: 'pull_request', headSha: HEAD, headRepo: 'eve/shop', headBranch: 'prices', actor: 'eve' };

/** GitHub as the scene has it, and its runs. */
export async function startForkGithub(): Promise<ForkGithub> {
  const github = await startGithubStandIn({
    tokens: {
      'stand-in-token': { login: 'coverage-bot', kind: 'user', access: 'write' },
      [MAINTAINER_TOKEN]: { login: 'mona', kind: 'user', access: 'write', scopes: ['repo'] },
      [FORK_TOKEN]: { login: 'github-actions[bot]', kind: 'installation', access: 'read', repos: [REPO] },
    },
  });
  setUpGithub(github);
  return { github, run: (change) => String(github.addRun(REPO, { ...RUN_OF_EVE, ...change }).id) };
}

function setUpGithub(github: GithubStandIn): void {
  for (const name of [REPO, 'acme/other', 'acme/vault']) github.addRepo(name);
  for (const name of ['eve/shop', 'mallory/shop']) github.addRepo(name, { parent: REPO });
  github.addCommit(REPO, { sha: MAIN, branch: 'main' });
  const change = { baseRef: 'main', baseSha: MAIN };
  const ofEve = { headRepo: 'eve/shop', headRef: 'prices', headSha: HEAD, mergeCommitSha: MERGE };
  github.addPullRequest(REPO, { ...change, ...ofEve, number: 7, login: 'eve' });
  const ofMallory = { headRepo: 'mallory/shop', headRef: 'prices', headSha: MALLORYS };
  github.addPullRequest(REPO, { ...change, ...ofMallory, number: 8, login: 'mallory' });
}

/** What our action sends in Eve's pull request. */
export function uploadOf(run: string): Fields {
  return {
    ...job({ repo_token: '' }),
    repo_token: undefined,
    service_name: 'github',
    service_number: run,
    service_job_id: `${run}-test`,
    service_event_type: 'pull_request',
    service_pull_request: '7',
    commit_sha: HEAD,
    git: undefined,
    repo_name: REPO,
  };
}
