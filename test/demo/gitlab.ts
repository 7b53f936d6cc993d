import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { builtCommand } from '../support/built-command.ts';
import { inheritedEnvironment } from '../support/child-process.ts';
import { startGitlabStandIn } from '../support/gitlab-stand-in/gitlab-stand-in.ts';
import { FORK, PULL } from './fork.ts';
import type { CiRun, CiStep, DemoHost, StepResult } from './hosts.ts';

const JOB_TOKEN = 'glcbt-64_token_of_the_forks_job';

/** GitLab, and the command that every server hands out, with the variables of GitLab CI. */
export const GITLAB: DemoHost = {
  service: 'gitlab',
  name: 'GitLab',
  pullRequest: (number) => `Merge request !${number}`,
  words: {
    isChecked: 'which knows the operations and the pitfalls that this server meets there',
    vouches: 'its CI_JOB_TOKEN vouches',
  },
  async start({ now }) {
    const gitlab = await startGitlabStandIn({ now });
    return {
      ...gitlab,
      env: { GITLAB_URL: gitlab.url, GITLAB_TOKEN: gitlab.token },
      violation: () => gitlab.violations()[0],
      testedOfFork: ({ forkHead }) => forkHead,
      beginRun(asked) {
        const { repo, run, on } = asked;
        const { sha, ref, source } = testedBy(asked);
        const id = Number(run);
        if (on !== 'fork') return void gitlab.addRun(repo, { id, headSha: sha, headBranch: ref, event: source });
        // A fork's pipeline runs in the fork's own project.
        gitlab.addJob(JOB_TOKEN, {
          repo: FORK.headRepo,
          pipeline: id,
          sha,
          ref: FORK.headRef,
          source,
          status: 'running',
        });
      },
      runStep: (step) => runStep(step, gitlab.url),
    };
  },
};

async function runStep(step: CiStep, gitlab: string): Promise<StepResult> {
  const { file, flag = '', carryforward, workspace } = step;
  const what = file === undefined ? ['done'] : ['report', '--parallel', `--job-flag=${flag}`, file];
  const more = carryforward === undefined ? [] : [`--carryforward=${carryforward}`];
  const args = [await builtCommand(), ...what, ...more, '--json'];
  const env = { ...inheritedEnvironment(), ...variablesOf(step, gitlab) };
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: workspace, env });
  const said = JSON.parse(stdout) as Readonly<Record<string, string | undefined>>;
  const { job_url: jobUrl, build_url: buildUrl, coverage, verdict } = said;
  return { jobUrl, buildUrl, coverage: coverage ?? '', verdict: verdict ?? '' };
}

/** Merged results, but for a fork's: those pipelines test the head. */
function testedBy({ on, commits }: CiRun) {
  if (on === 'main') return { sha: commits.base, ref: 'main', source: 'push', head: '' };
  const source = 'merge_request_event';
  if (on === 'fork') return { sha: commits.forkHead, ref: `refs/merge-requests/${FORK.number}/head`, source, head: '' };
  const [sha, head] =
    on === 'first push' ? [commits.firstMerge, commits.firstHead] : [commits.secondMerge, commits.secondHead];
  return { sha, ref: `refs/merge-requests/${PULL.number}/merge`, source, head };
}

function variablesOf(step: CiStep, gitlab: string): Record<string, string> {
  const { on, repo, run, commits } = step;
  const { sha, ref, source, head } = testedBy(step);
  const project = on === 'fork' ? FORK.headRepo : repo;
  const { number, headRef } = on === 'fork' ? FORK : PULL;
  const change = {
    CI_MERGE_REQUEST_IID: String(number),
    CI_MERGE_REQUEST_PROJECT_PATH: repo,
    CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: headRef,
    CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: head,
    CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main',
    CI_MERGE_REQUEST_DIFF_BASE_SHA: commits.base,
  };
  return {
    COVERAGE_ENDPOINT: step.server,
    COVERALLS_REPO_TOKEN: on === 'fork' ? JOB_TOKEN : step.repoToken,
    GITLAB_CI: 'true',
    CI_PIPELINE_ID: run,
    CI_PIPELINE_IID: run,
    CI_PIPELINE_SOURCE: source,
    CI_PIPELINE_URL: `${gitlab}/${project}/-/pipelines/${run}`,
    CI_PROJECT_PATH: project,
    CI_JOB_NAME: step.flag ?? 'close',
    CI_COMMIT_SHA: sha,
    CI_COMMIT_REF_NAME: ref,
    ...(on === 'main' ? {} : change),
  };
}
