import { readFile } from 'node:fs/promises';
import type { CiFacts, Environment } from '../context/ci/ci-facts.ts';
import { GITHUB_ACTIONS } from '../context/ci/known-cis.ts';
import type { GithubEvent } from '../context/event.ts';
import type { BuildContext } from '../context/github.ts';
import { ActionFailure } from '../runner/failure.ts';
import { type Inputs, NO_TOKEN_INPUT, readInputs } from '../step/inputs.ts';
import { readingInputs, typedPath } from './local-reports.ts';
import { knowsBase, runnerOf } from './runner-of-ci.ts';
import { ENDPOINT_MISSING, type Settings, TOKEN_MISSING } from './settings.ts';
import type { Arguments, Shell } from './shell/command.ts';

/** What the command does with the inputs. */
type Task = Inputs['task'];

/**
 * The same inputs as the action's, checked by the same rules. Throws `bad-input` if no server or no token is known, and
 * for what is written wrongly.
 */
export async function readCommandInputs(
  given: Arguments,
  shell: Shell,
  { settings, task }: { readonly settings: Settings; readonly task: Task },
): Promise<Inputs> {
  const { checkout, run, endpoint, token, endpointRefused } = settings;
  const isGithub = isGithubRun(settings);
  if (endpointRefused !== undefined) throw new ActionFailure('bad-input', endpointRefused);
  if (endpoint === '') throw new ActionFailure('bad-input', ENDPOINT_MISSING);
  if (token === '' && !isGithub && !given.isOn('dry-run')) throw new ActionFailure('bad-input', TOKEN_MISSING);
  const texts = inputTexts(given, shell, { settings, task });
  const inputs = await readInputs({
    input: (name) => texts[name]?.trim() ?? '',
    env: isGithub ? { ...shell.env, GITHUB_WORKSPACE: checkout.bounds } : {},
    maskSecret: () => undefined,
    readEvent: () => (isGithub ? readGithubEvent(shell.env.GITHUB_EVENT_PATH) : Promise.resolve({})),
  }).catch(explainMissingToken);
  const place = { folder: shell.folder, root: checkout.root };
  const caFile = given.text('ca-file');
  return {
    ...inputs,
    ...readingInputs(given, place),
    ...(isGithub ? {} : { runner: runnerOf(run, checkout) }),
    caFile: caFile === undefined ? '' : typedPath(caFile, shell),
    sendDiff: !given.isOn('no-diff') && (isGithub || knowsBase(run, checkout)),
    place,
    ofService: (ofRunner) => describeRun(ofRunner, { settings, env: shell.env, flagName: inputs.flagName }),
  };
}

/** GitHub's event says more than its variables, and its runs may have an ID token. */
export function isGithubRun({ run }: Pick<Settings, 'run'>): boolean {
  return run.ci === GITHUB_ACTIONS;
}

function inputTexts(
  given: Arguments,
  { env }: Pick<Shell, 'env'>,
  { settings, task }: { readonly settings: Settings; readonly task: Task },
): Record<string, string | undefined> {
  const { run, file, endpoint, token } = settings;
  const parallel = env.COVERALLS_PARALLEL ?? file.parallel;
  const carryforward = given.texts('carryforward').join('\n') || env.COVERALLS_CARRYFORWARD_FLAGS || file.carryforward;
  return {
    'repo-token': token,
    'coveralls-endpoint': endpoint,
    'parallel-finished': task === 'close' ? 'true' : '',
    'flag-name': given.text('job-flag') || env.COVERALLS_FLAG_NAME || file.flagName,
    parallel: given.isOn('parallel') ? 'true' : parallel,
    // A report only says that it is too early for it.
    carryforward: task === 'close' ? carryforward : '',
    // A run of GitHub's has its own in the runner.
    'build-number': isGithubRun(settings) ? run.stated.number : run.facts.number,
    'git-branch': run.stated.branch,
    'git-commit': run.stated.sha,
    'compare-ref': given.text('compare-ref') || env.COVERALLS_COMPARE_REF,
    'compare-sha': given.text('compare-sha') || env.COVERALLS_COMPARE_SHA,
    'send-source': given.text('send-source'),
    timeout: given.text('timeout'),
    'expected-jobs': given.text('expected-jobs'),
    wait: given.isOn('wait') ? 'true' : '',
    'wait-timeout': given.text('wait-timeout'),
    'dry-run': given.isOn('dry-run') ? 'true' : '',
  };
}

/** What the job says of its run in place of what GitHub's runner would. */
function describeRun(
  ofRunner: BuildContext,
  { settings, env, flagName }: { readonly settings: Settings; readonly env: Environment; readonly flagName: string },
): BuildContext & { readonly run_at?: string } {
  const { run } = settings;
  const isGithub = isGithubRun(settings);
  const { service_job_number: ofLeg, ...rest } = ofRunner;
  const facts: CiFacts = isGithub ? { ...run.stated, ...stated({ jobId: run.facts.jobId }) } : run.facts;
  // A job of a later attempt replaces one with the same number (rule 10). The legs of a matrix that only the action can
  // tell apart would take each other's: without a flag they go without a number.
  const jobNumber = facts.jobNumber ?? (isGithub && flagName !== '' ? ofLeg : undefined);
  return {
    ...rest,
    service_name: facts.serviceName ?? (isGithub ? rest.service_name : ''),
    ...stated({
      service_job_id: facts.jobId,
      service_job_number: jobNumber,
      service_run_id: facts.runId,
      service_pull_request: facts.pullRequest,
      service_build_url: facts.buildUrl,
      service_job_url: facts.jobUrl,
      service_event_type: facts.eventType,
      repo_name: facts.repoName,
      run_at: env.COVERALLS_RUN_AT,
    }),
    ...(facts.attempt === undefined ? {} : { service_attempt: Number(facts.attempt) }),
  };
}

function stated<K extends string>(texts: Readonly<Record<K, string | undefined>>): { readonly [N in K]?: string } {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text)) as { readonly [N in K]?: string };
}

function explainMissingToken(error: unknown): never {
  const isMissing = error instanceof ActionFailure && error.message === NO_TOKEN_INPUT;
  throw isMissing ? new ActionFailure('bad-input', TOKEN_MISSING) : error;
}

async function readGithubEvent(path: string | undefined): Promise<GithubEvent> {
  if (!path) return {};
  try {
    return JSON.parse(await readFile(path, 'utf8')) as GithubEvent;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ActionFailure(
      'bad-input',
      `The event of this run cannot be read from GITHUB_EVENT_PATH (${path}): ${why}.`,
    );
  }
}
