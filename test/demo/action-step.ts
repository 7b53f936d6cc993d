import { pullRequestEvent, pushEvent, type WorkflowEvent } from '../support/runner-stand-in/event-payloads.ts';
import { runAction } from '../support/runner-stand-in/run-action.ts';
import { FORK } from './fork.ts';
import type { CiStep, StepResult } from './hosts.ts';
import type { TestedRun } from './tested.ts';

/** What the run of a fork's pull request is given. */
const WITHOUT_SECRET = { 'repo-token': '', 'github-token': '' } as const;

/** A step of the built action as a runner starts it. `env`: what the runner says beside what GitHub's says. */
export async function runActionStep(
  step: CiStep,
  tested: TestedRun,
  env: Readonly<Record<string, string>> = {},
): Promise<StepResult> {
  const { server, repoToken, flag, file, carryforward } = step;
  const { exitCode, stdout, stderr, outputs } = await runAction({
    workspace: step.workspace,
    inputs: {
      'server-url': server,
      ...(step.on === 'fork' ? WITHOUT_SECRET : { 'repo-token': repoToken }),
      ...(file === undefined ? { 'parallel-finished': 'true' } : { file, 'flag-name': flag ?? '', parallel: 'true' }),
      ...(carryforward === undefined ? {} : { carryforward }),
    },
    event: eventOf(step, tested),
    runId: step.run,
    env,
  });
  if (exitCode !== 0) throw new Error(`The action failed:\n${stdout}${stderr}`);
  const { coverage = '', verdict = '' } = outputs;
  return { jobUrl: outputs['job-url'], buildUrl: outputs['build-url'], coverage, verdict };
}

function eventOf({ repo, on, commits: { base } }: CiStep, { sha, pull }: TestedRun): WorkflowEvent {
  if (pull === undefined) return pushEvent({ repo, branch: 'main', sha, message: 'Sell tea' });
  const { number, headRef, head: headSha } = pull;
  const ofFork = on === 'fork' ? { headRepo: FORK.headRepo, actor: 'eve' } : {};
  return pullRequestEvent({ repo, number, headRef, headSha, baseSha: base, mergeSha: sha, ...ofFork });
}
