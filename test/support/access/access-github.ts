import { shaOf } from '../coverage-api.ts';
import { type GithubStandIn, startGithubStandIn } from '../github-stand-in/github-stand-in.ts';
import { FORKED, type ForkRunOfAccess, forksOf, ofBoth } from './access-forks.ts';
import { ACCESS_COMMIT, type AccessHost, HOST_SECRET } from './access-scene.ts';

/** The token that GitHub vouches for. */
export const ACCESS_WORKFLOW = 'ghs_workflow-of-acme-closed';
const OTHER_WORKFLOW = 'ghs_workflow-of-acme-other';
const actions = { login: 'github-actions[bot]', kind: 'installation', access: 'read' } as const;
const [HEAD, OWNER, BRANCH] = [shaOf('head of a fork'), 'eve', 'change'];
const PULL_REQUEST = 8;

const forkTokenOf = (repo: string): string => `ghs_fork-of-${repo.replace('/', '-')}`;

export async function startAccessGithub(): Promise<AccessHost> {
  const github = await startGithubStandIn({
    tokens: {
      'stand-in-token': { login: 'coverage-bot', kind: 'user', access: 'write' },
      [ACCESS_WORKFLOW]: { ...actions, repos: ['acme/closed'] },
      [OTHER_WORKFLOW]: { ...actions, repos: ['acme/other'] },
      ...Object.fromEntries(FORKED.map((name) => [forkTokenOf(name), { ...actions, repos: [name] }])),
    },
  });
  for (const name of ['acme/closed', 'acme/open', 'acme/other']) github.addRepo(name);
  github.addCommit('acme/closed', { sha: ACCESS_COMMIT, branch: 'main' });
  const own = ofBoth((name) => addFork(github, name));
  const after = ofBoth((name) => follow(github, name));
  // The newest, which the ID tokens are of.
  const run = String(github.addRun('acme/closed', { headSha: ACCESS_COMMIT }).id);
  return {
    service: 'github',
    env: {
      GITHUB_API_URL: github.url,
      GITHUB_TOKEN: github.token,
      GITHUB_WEBHOOK_SECRET: HOST_SECRET,
    },
    run,
    forks: forksOf(own, after, 'id'),
    tokens: { workflow: ACCESS_WORKFLOW, otherWorkflow: OTHER_WORKFLOW },
    idTokenOf: (repo, aud) => github.issueIdToken(repo, { aud, sha: ACCESS_COMMIT }),
    close: () => github.close(),
  };
}

function addFork(github: GithubStandIn, repo: string): ForkRunOfAccess {
  const headRepo = repo.replace('acme', OWNER);
  github.addRepo(headRepo, { parent: repo });
  const head = { headSha: HEAD, headRepo };
  github.addPullRequest(repo, { ...head, number: PULL_REQUEST, headRef: BRANCH, baseRef: 'main', login: OWNER });
  const run = String(github.addRun(repo, { ...head, headBranch: BRANCH, event: 'pull_request', actor: OWNER }).id);
  const fields = { service_name: 'github', service_number: run, service_pull_request: String(PULL_REQUEST) };
  return { run, commit: HEAD, token: forkTokenOf(repo), fields };
}

/** The `workflow_run` that follows the fork's. */
function follow(github: GithubStandIn, repo: string): ForkRunOfAccess {
  const { id } = github.addRun(repo, { event: 'workflow_run', headSha: ACCESS_COMMIT, headBranch: 'main' });
  const run = String(id);
  return { run, commit: HEAD, token: '', fields: { service_name: 'github', service_number: run } };
}
