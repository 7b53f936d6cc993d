import { shaOf } from '../coverage-api.ts';
import { type GitlabStandIn, startGitlabStandIn } from '../gitlab-stand-in/gitlab-stand-in.ts';
import { type ForkRunOfAccess, forksOf, ofBoth } from './access-forks.ts';
import { ACCESS_COMMIT, type AccessHost, HOST_SECRET } from './access-scene.ts';

const [WORKFLOW, OTHER_WORKFLOW] = ['glcbt-64_of_acme_closed_0123456789', 'glcbt-64_of_acme_other_0123456789'] as const;
const [HEAD, OWNER, BRANCH] = [shaOf('head of a fork'), 'eve', 'change'];
const MERGE_REQUEST = 8;

/** GitLab, where a fork's pipeline has a token of the fork's project, and may also run in the project itself. */
export async function startAccessGitlab(): Promise<AccessHost> {
  const gitlab = await startGitlabStandIn();
  for (const name of ['acme/closed', 'acme/open', 'acme/other']) gitlab.addRepo(name);
  gitlab.addCommit('acme/closed', { sha: ACCESS_COMMIT, branch: 'main' });
  const own = ofBoth((name) => addFork(gitlab, name));
  const here = ofBoth((name) => runHere(gitlab, name));
  const { id: pipeline } = gitlab.addRun('acme/closed', { headSha: ACCESS_COMMIT });
  const job = { pipeline, sha: ACCESS_COMMIT, ref: 'main', source: 'push', status: 'running' };
  gitlab.addJob(WORKFLOW, { ...job, repo: 'acme/closed' });
  gitlab.addJob(OTHER_WORKFLOW, { ...job, repo: 'acme/other' });
  return {
    service: 'gitlab',
    env: {
      GITLAB_URL: gitlab.url,
      GITLAB_TOKEN: gitlab.token,
      GITLAB_WEBHOOK_SECRET: HOST_SECRET,
    },
    run: String(pipeline),
    forks: forksOf(own, here, 'token'),
    tokens: { workflow: WORKFLOW, otherWorkflow: OTHER_WORKFLOW },
    idTokenOf: (repo, aud) =>
      gitlab.signIdToken({
        ...{ project_path: repo, project_id: String(gitlab.idOf(repo)), ref: 'main', ref_path: 'refs/heads/main' },
        ...{ pipeline_id: String(pipeline), pipeline_source: 'push', user_login: 'mona', sha: ACCESS_COMMIT, aud },
      }),
    close: () => gitlab.close(),
  };
}

function addFork(gitlab: GitlabStandIn, repo: string): ForkRunOfAccess {
  const headRepo = repo.replace('acme', OWNER);
  gitlab.addRepo(headRepo, { parent: repo });
  const head = { headSha: HEAD, headRepo };
  gitlab.addPullRequest(repo, { ...head, number: MERGE_REQUEST, headRef: BRANCH, baseRef: 'main', login: OWNER });
  const run = `7${gitlab.idOf(headRepo)}`;
  const token = `glcbt-64_fork_of_${repo.replace('/', '_')}_0123456789`;
  const source = 'merge_request_event';
  gitlab.addJob(token, { repo: headRepo, pipeline: Number(run), sha: HEAD, ref: BRANCH, source, status: 'running' });
  const fields = { service_name: 'gitlab-ci', service_number: run, service_pull_request: String(MERGE_REQUEST) };
  return { run, commit: HEAD, token, fields };
}

/** A pipeline of the fork's merge request in the project itself. */
function runHere(gitlab: GitlabStandIn, repo: string): ForkRunOfAccess {
  const headBranch = `refs/merge-requests/${MERGE_REQUEST}/head`;
  const run = String(gitlab.addRun(repo, { headSha: HEAD, headBranch, event: 'merge_request_event' }).id);
  return {
    run,
    commit: HEAD,
    token: '',
    fields: { service_name: 'gitlab-ci', service_number: run, service_run_id: run },
  };
}
