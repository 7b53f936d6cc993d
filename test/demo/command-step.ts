import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { builtCommand } from '../support/built-command.ts';
import { inheritedEnvironment } from '../support/child-process.ts';
import type { CiStep, StepResult } from './hosts.ts';

/** A step that runs the command which every server hands out. `variables`: what the CI sets. */
export async function runCommandStep(
  step: CiStep,
  variables: Readonly<Record<string, string>>,
  token = step.repoToken,
): Promise<StepResult> {
  const { file, flag = '', carryforward, workspace } = step;
  const what = file === undefined ? ['done'] : ['report', '--parallel', `--job-flag=${flag}`, file];
  const more = carryforward === undefined ? [] : [`--carryforward=${carryforward}`];
  const args = [await builtCommand(), ...what, ...more, '--json'];
  const ours = { COVERAGE_ENDPOINT: step.server, COVERALLS_REPO_TOKEN: token };
  const env = { ...inheritedEnvironment(), ...ours, ...variables };
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: workspace, env });
  const said = JSON.parse(stdout) as Readonly<Record<string, string | undefined>>;
  const { job_url: jobUrl, build_url: buildUrl, coverage, verdict } = said;
  return { jobUrl, buildUrl, coverage: coverage ?? '', verdict: verdict ?? '' };
}
