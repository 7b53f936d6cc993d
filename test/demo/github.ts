import { pullRequestEvent, pushEvent, type WorkflowEvent } from '../support/event-payloads.ts';
import { startGithubStandIn } from '../support/github-stand-in/github-stand-in.ts';
import { runAction } from '../support/run-action.ts';
import { FORK, PULL } from './fork.ts';
import type { CiRun, CiStep, DemoHost, StepResult } from './hosts.ts';

/** GitHub, and the built action as its runner starts it. */
export const GITHUB: DemoHost = {
  service: 'github',
  name: 'GitHub',
  pullRequest: (number) => `Pull request ${number}`,
  words: { isChecked: "which checks every request against GitHub's own API description", vouches: 'GitHub vouches' },
  async start({ now }) {
    const github = await startGithubStandIn({ now });
    return {
      ...github,
      env: { GITHUB_API_URL: github.url, GITHUB_TOKEN: github.token },
      violation: () => github.violations().map((one) => JSON.stringify(one))[0],
      testedOfFork: ({ forkMerge }) => forkMerge,
      beginRun({ repo, run, on, commits: { forkHead: headSha } }) {
        const { headRepo, headRef: headBranch } = FORK;
        const head = { headSha, headRepo, headBranch };
        if (on === 'fork') github.addRun(repo, { id: Number(run), event: 'pull_request', actor: 'eve', ...head });
      },
      runStep,
    };
  },
};

/** What GitHub gives the run of a fork's pull request. */
const WITHOUT_SECRET = { 'repo-token': '', 'github-token': '' } as const;

async function runStep(step: CiStep): Promise<StepResult> {
  const { server, repoToken, flag, file, carryforward } = step;
  const { exitCode, stdout, stderr, outputs } = await runAction({
    workspace: step.workspace,
    inputs: {
      'server-url': server,
      ...(step.on === 'fork' ? WITHOUT_SECRET : { 'repo-token': repoToken }),
      ...(file === undefined ? { 'parallel-finished': 'true' } : { file, 'flag-name': flag ?? '', parallel: 'true' }),
      ...(carryforward === undefined ? {} : { carryforward }),
    },
    event: eventOf(step),
    runId: step.run,
  });
  if (exitCode !== 0) throw new Error(`The action failed:\n${stdout}${stderr}`);
  const { coverage = '', verdict = '' } = outputs;
  return { jobUrl: outputs['job-url'], buildUrl: outputs['build-url'], coverage, verdict };
}

function eventOf({ repo, on, commits }: CiRun): WorkflowEvent {
  const { base, forkHead, forkMerge } = commits;
  if (on === 'main') return pushEvent({ repo, branch: 'main', sha: base, message: 'Sell tea' });
  if (on === 'fork')
    return pullRequestEvent({ repo, ...FORK, actor: 'eve', headSha: forkHead, baseSha: base, mergeSha: forkMerge });
  const isFirst = on === 'first push';
  return pullRequestEvent({
    repo,
    number: PULL.number,
    headRef: PULL.headRef,
    headSha: isFirst ? commits.firstHead : commits.secondHead,
    baseSha: base,
    mergeSha: isFirst ? commits.firstMerge : commits.secondMerge,
  });
}
