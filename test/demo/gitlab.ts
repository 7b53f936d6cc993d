import { startGitlabStandIn } from '../support/gitlab-stand-in/gitlab-stand-in.ts';
import { runCommandStep } from './command-step.ts';
import { FORK } from './fork.ts';
import type { CiRun, CiStep, DemoHost } from './hosts.ts';
import { type TestedCommits, testedBy } from './tested.ts';

/** Merged results, except for a fork's: those pipelines test the head. */
const TESTED: TestedCommits = { ofPulls: 'merge', ofForks: 'head' };
const JOB_TOKEN = 'glcbt-64_token_of_the_forks_job';

/** GitLab, and the command that every server hands out, with the variables of GitLab CI. */
export const GITLAB: DemoHost = {
  service: 'gitlab',
  name: 'GitLab',
  pullRequest: (number) => `Merge request !${number}`,
  words: {
    isChecked: 'which knows the operations and the pitfalls that this server meets there',
    ofFork: 'its run has no secret, and its CI_JOB_TOKEN vouches for it',
  },
  tested: TESTED,
  runsForks: true,
  async start({ now }) {
    const gitlab = await startGitlabStandIn({ now });
    return {
      ...gitlab,
      env: { GITLAB_URL: gitlab.url, GITLAB_TOKEN: gitlab.token },
      violation: () => gitlab.violations()[0],
      beginRun(asked) {
        const { repo, run, on } = asked;
        const { sha, ref, source } = testedOf(asked);
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
      runStep: (step) =>
        runCommandStep(step, variablesOf(step, gitlab.url), step.on === 'fork' ? JOB_TOKEN : step.repoToken),
    };
  },
};

function testedOf({ on, commits }: CiRun) {
  const { sha, pull } = testedBy(on, commits, TESTED);
  if (pull === undefined) return { sha, ref: 'main', source: 'push', pull };
  const ends = TESTED[on === 'fork' ? 'ofForks' : 'ofPulls'];
  return { sha, ref: `refs/merge-requests/${pull.number}/${ends}`, source: 'merge_request_event', pull };
}

function variablesOf(step: CiStep, gitlab: string): Record<string, string> {
  const { on, repo, run, commits } = step;
  const { sha, ref, source, pull } = testedOf(step);
  const project = on === 'fork' ? FORK.headRepo : repo;
  const change = pull && {
    CI_MERGE_REQUEST_IID: String(pull.number),
    CI_MERGE_REQUEST_PROJECT_PATH: repo,
    CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: pull.headRef,
    // Empty unless it is a pipeline of merged results.
    CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: pull.head === sha ? '' : pull.head,
    CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main',
    CI_MERGE_REQUEST_DIFF_BASE_SHA: commits.base,
  };
  return {
    GITLAB_CI: 'true',
    CI_PIPELINE_ID: run,
    CI_PIPELINE_IID: run,
    CI_PIPELINE_SOURCE: source,
    CI_PIPELINE_URL: `${gitlab}/${project}/-/pipelines/${run}`,
    CI_PROJECT_PATH: project,
    CI_JOB_NAME: step.flag ?? 'close',
    CI_COMMIT_SHA: sha,
    CI_COMMIT_REF_NAME: ref,
    ...change,
  };
}
