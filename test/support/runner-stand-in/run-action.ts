import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { inheritedEnvironment, startChild } from '../child-process.ts';
import { expandExpressions, inputVariable, parseOutputs, readInputDefaults } from './action-metadata.ts';
import type { WorkflowEvent } from './event-payloads.ts';

/** One step that uses the action. */
export interface ActionStep {
  /** GITHUB_WORKSPACE and the working directory: the checkout. */
  readonly workspace: string;
  /** What is given under `with:`. */
  readonly inputs?: Readonly<Record<string, string>>;
  readonly event: WorkflowEvent;
  /** The leg's `matrix` context. */
  readonly matrix?: Readonly<Record<string, unknown>> | null;
  /** The workflow's own token, `${{ github.token }}`. */
  readonly githubToken?: string;
  /** GITHUB_RUN_ID; all steps of one run share it. */
  readonly runId?: string;
  readonly runNumber?: string;
  readonly runAttempt?: string;
  /** The job's id in the workflow file. */
  readonly job?: string;
  /** Variables on top, as `env:` of a step. */
  readonly env?: Readonly<Record<string, string>>;
  /** Another script than the committed bundle. */
  readonly bundle?: string;
  /** Another file than the project's action.yml. */
  readonly metadata?: string;
  readonly timeoutMs?: number;
}

export interface ActionResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly outputs: Readonly<Record<string, string>>;
  /** Markdown of the job summary. */
  readonly summary: string;
  /** What the runner itself warns of: inputs that action.yml does not declare. */
  readonly warnings: readonly string[];
  /** The environment that the action saw. */
  readonly env: Readonly<Record<string, string>>;
}

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Runs the action's bundle as GitHub's runner does: variables, event file, output and summary files. */
export async function runAction(step: ActionStep): Promise<ActionResult> {
  const directory = await mkdtemp(join(tmpdir(), 'action-run-'));
  try {
    const files = await writeRunnerFiles(directory, step.event);
    const { variables, warnings } = await inputVariables(step);
    const env = { ...inheritedEnvironment(), ...runnerVariables(step, directory), ...files, ...variables, ...step.env };
    const ended = await runBundle(step, env);
    return {
      ...ended,
      outputs: parseOutputs(await readFile(files.GITHUB_OUTPUT, 'utf8')),
      summary: await readFile(files.GITHUB_STEP_SUMMARY, 'utf8'),
      warnings,
      env,
    };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function runBundle(
  step: ActionStep,
  env: Readonly<Record<string, string>>,
): Promise<Pick<ActionResult, 'exitCode' | 'stdout' | 'stderr'>> {
  const { bundle = join(root, 'action/dist/main.js'), workspace, timeoutMs = 60_000 } = step;
  const child = startChild({ script: bundle, cwd: workspace, env });
  const limit = new AbortController();
  const late = sleep(timeoutMs, undefined, { signal: limit.signal }).catch(() => undefined);
  const ending = await Promise.race([child.end, late]);
  limit.abort();
  if (!ending) {
    child.signal('SIGKILL');
    throw new Error(`The action did not end within ${timeoutMs} ms. It wrote:\n${child.lines.join('\n')}`);
  }
  const text = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');
  return { exitCode: ending.code ?? 128, stdout: text(child.stdout), stderr: text(child.stderr) };
}

type RunnerFile =
  | 'GITHUB_EVENT_PATH'
  | 'GITHUB_OUTPUT'
  | 'GITHUB_STEP_SUMMARY'
  | 'GITHUB_ENV'
  | 'GITHUB_PATH'
  | 'GITHUB_STATE';

async function writeRunnerFiles(directory: string, event: WorkflowEvent): Promise<Record<RunnerFile, string>> {
  const files: Record<RunnerFile, string> = {
    GITHUB_EVENT_PATH: join(directory, 'event.json'),
    GITHUB_OUTPUT: join(directory, 'set_output'),
    GITHUB_STEP_SUMMARY: join(directory, 'step_summary'),
    GITHUB_ENV: join(directory, 'set_env'),
    GITHUB_PATH: join(directory, 'add_path'),
    GITHUB_STATE: join(directory, 'save_state'),
  };
  for (const [name, file] of Object.entries(files)) {
    await writeFile(file, name === 'GITHUB_EVENT_PATH' ? JSON.stringify(event.payload, null, 2) : '');
  }
  await mkdir(join(directory, 'temp'));
  return files;
}

/** Inputs as variables: defaults of action.yml, then the step's own. */
async function inputVariables(step: ActionStep): Promise<{ variables: Record<string, string>; warnings: string[] }> {
  const {
    inputs = {},
    metadata = join(root, 'action.yml'),
    githubToken = 'workflow-token',
    matrix = null,
    workspace,
  } = step;
  const defaults = readInputDefaults(await readFile(metadata, 'utf8'));
  const values = new Map<string, string>();
  for (const [name, text] of defaults) {
    values.set(inputVariable(name), expandExpressions(text, { githubToken, matrix, workspace }));
  }
  for (const [name, value] of Object.entries(inputs)) values.set(inputVariable(name), value);
  const known = new Set([...defaults.keys()].map(inputVariable));
  const unknown = Object.keys(inputs).filter((name) => !known.has(inputVariable(name)));
  const warnings = unknown.map(
    (name) => `Unexpected input(s) '${name}', valid inputs are ['${[...defaults.keys()].join("', '")}']`,
  );
  return { variables: Object.fromEntries(values), warnings };
}

function runnerVariables(step: ActionStep, directory: string): Record<string, string> {
  const { event, workspace, runId = '1234567890', runNumber = '71', runAttempt = '1', job = 'test' } = step;
  const {
    GITHUB_REPOSITORY: repo = 'acme/shop',
    GITHUB_ACTOR: actor = 'mona',
    GITHUB_SHA: sha = '',
    GITHUB_REF: ref = '',
  } = event.variables;
  return {
    CI: 'true',
    GITHUB_ACTIONS: 'true',
    GITHUB_ACTION: '__self',
    GITHUB_ACTION_PATH: root,
    GITHUB_ACTOR: actor,
    GITHUB_ACTOR_ID: '1001',
    GITHUB_TRIGGERING_ACTOR: actor,
    GITHUB_API_URL: 'https://api.github.com',
    GITHUB_GRAPHQL_URL: 'https://api.github.com/graphql',
    GITHUB_SERVER_URL: 'https://github.com',
    GITHUB_EVENT_NAME: event.name,
    GITHUB_REPOSITORY: repo,
    GITHUB_REPOSITORY_ID: '3000000001',
    GITHUB_REPOSITORY_OWNER: repo.split('/')[0] ?? '',
    GITHUB_REPOSITORY_OWNER_ID: '1001',
    GITHUB_REF_PROTECTED: 'false',
    GITHUB_RUN_ID: runId,
    GITHUB_RUN_NUMBER: runNumber,
    GITHUB_RUN_ATTEMPT: runAttempt,
    GITHUB_RETENTION_DAYS: '90',
    GITHUB_JOB: job,
    GITHUB_WORKFLOW: 'test',
    GITHUB_WORKFLOW_REF: `${repo}/.github/workflows/test.yml@${ref}`,
    GITHUB_WORKFLOW_SHA: sha,
    GITHUB_WORKSPACE: workspace,
    ...machineVariables(join(directory, 'temp')),
    ...event.variables,
  };
}

function machineVariables(temp: string): Record<string, string> {
  return {
    RUNNER_OS: 'Linux',
    RUNNER_ARCH: 'X64',
    RUNNER_NAME: 'GitHub Actions 1',
    RUNNER_ENVIRONMENT: 'github-hosted',
    RUNNER_TEMP: temp,
    RUNNER_TOOL_CACHE: temp,
  };
}
