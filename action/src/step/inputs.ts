import { resolve } from 'node:path';
import { type GithubEvent, hasNoSecrets } from '../context/event.ts';
import { isRefName, isShaStart } from '../context/git.ts';
import type { BuildContext, BuildInputs, Runner } from '../context/github.ts';
import { type PathChoice, type PathMove, parseMove } from '../report/path-names.ts';
import type { SourceChoice } from '../report/source-reader.ts';
import { readCodecovInputs } from './codecov-inputs.ts';
import {
  badInput,
  type InputTexts,
  isOff,
  listed,
  readFailureSwitch,
  readPatterns,
  readSeconds,
  readSwitch,
} from './input-values.ts';

export const NO_TOKEN_INPUT =
  'Input repo-token: give the repo token that the server shows for this repo (as a secret), or a github-token.';

export function notAnAddress(name: string, text: string): string {
  return `Input ${name}: expected an address like https://coverage.example or http://host:8080/path, got "${text}".`;
}

/** All inputs of the step, checked. Texts are empty if nothing was given. */
export interface Inputs extends BuildInputs {
  /** Upload a report, or close the build. */
  readonly task: 'report' | 'close';
  readonly format: string;
  readonly parallel: boolean;
  /** How many jobs the build will have: once that many have arrived, the server closes it. */
  readonly expectedJobs: number | undefined;
  /** Flags, or a list of them with commas, or `all`; empty for none. */
  readonly carryforward: string | readonly string[];
  readonly endpoint: URL;
  /** What goes into `repo_token`; empty: the run alone has to vouch for the upload. */
  readonly token: string;
  /** The repo's own token, which older servers read in an address; empty if only a GitHub token is there. */
  readonly readToken: string;
  /** GitHub's token of this run; the only host that gets it from git is the run's own. */
  readonly githubToken: string;
  /** What an ID token of the run is asked for with; undefined: a repo token goes first, or the job may ask for none. */
  readonly idTokenRequest: IdTokenRequest | undefined;
  readonly allowEmpty: boolean;
  /** A file of a report that fits several of the checkout may be left out. */
  readonly allowAmbiguous: boolean;
  /** Which files of the repo count. */
  readonly choice: PathChoice;
  /** What names of the reports are in the repo. */
  readonly pathMap: readonly PathMove[];
  /** Which lines the tested commit changed goes along with the report. */
  readonly sendDiff: boolean;
  /** Whose text goes along too; undefined: as the server says of the repo. */
  readonly sendSource: SourceChoice | undefined;
  /** For all tries of the upload or the close together, in milliseconds. */
  readonly timeoutMs: number;
  /** How long the step waits for the verdict that it ends by; undefined: it does not. */
  readonly waitMs: number | undefined;
  /** Everything is done but sending. */
  readonly dryRun: boolean;
  /** Uncovered changed lines are marked by warnings of this step. */
  readonly annotations: boolean;
  /** Certificates of authorities that are trusted too; empty: the usual ones alone. */
  readonly caFile: string;
  /** The runner reaches the network through a proxy (HTTPS_PROXY, HTTP_PROXY). */
  readonly behindProxy: boolean;
  /** A fork's pull request: its run gets no secret. The server takes it where the repo accepts forks. */
  readonly withoutSecret: boolean;
  /** Sentences about inputs that do nothing here. */
  readonly notices: readonly string[];
  readonly runner: Runner;
  /** Where reports are searched, and the checkout that they are of, absolute; undefined: the workspace is both. */
  readonly place?: { readonly folder: string; readonly root: string };
  /** Another CI's way to say what its run is; undefined: as GitHub's runner says it. */
  readonly ofService?: (ofRunner: BuildContext) => BuildContext & { readonly run_at?: string };
}

/** What the runner gives a job with `permissions: id-token: write`. */
export interface IdTokenRequest {
  readonly url: string;
  readonly token: string;
}

/** Where inputs come from: the toolkit and the process, or a test. */
export interface InputSource extends InputTexts {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Has the runner replace this text in the log from now on. */
  maskSecret(secret: string): void;
  /** The event's payload; throws if it can not be read. */
  readEvent(): Promise<GithubEvent>;
}

const LONGEST_TIMEOUT_S = 6 * 60 * 60;
/** What the server takes (docs/wire.md). */
const MAX_JOBS = 1_000;
/** What the action appends to the base itself. */
const API_PATH = /\/(?:api\/v1(?:\/jobs)?|webhook)\/?$/;

/** For coverallsapp/github-action, which downloads a program and runs it. */
const WITHOUT_MEANING = ['debug', 'measure', 'coverage-reporter-version', 'coverage-reporter-platform'];

/**
 * Reads and checks all inputs and the runner's variables; nothing else in the action reads either. Throws `bad-input`,
 * which names the input, the value (never a secret's) and the form that is expected.
 */
export async function readInputs(given: InputSource): Promise<Inputs> {
  const runner = await readRunner(given);
  const own = readCodecovInputs(given, runner.repository);
  const source: InputSource = { ...given, ...own };
  const { input } = source;
  const [repoToken, githubToken] = [input('repo-token'), markedToken(input('github-token'), source.env)];
  for (const secret of [repoToken, githubToken]) if (secret !== '') source.maskSecret(secret);
  const expectedJobs = readExpectedJobs(source);
  const parallel = readSwitch(source, 'parallel') || expectedJobs !== undefined;
  const task = readSwitch(source, 'parallel-finished') ? 'close' : 'report';
  const dryRun = readSwitch(source, 'dry-run');
  const withoutSecret = (repoToken === '' || isHostToken(repoToken)) && hasNoSecrets(runner);
  const idTokenRequest = repoToken === '' ? readIdTokenRequest(source) : undefined;
  if (repoToken === '' && githubToken === '' && idTokenRequest === undefined && !withoutSecret && !dryRun)
    throw badInput(NO_TOKEN_INPUT);
  return {
    task,
    files: readFiles(source),
    format: input('format'),
    flagName: input('flag-name'),
    parallel,
    expectedJobs,
    carryforward: readCarryforward(source),
    endpoint: readEndpoint(source),
    token: repoToken || githubToken,
    readToken: isHostToken(repoToken) ? '' : repoToken,
    githubToken,
    idTokenRequest,
    allowEmpty: readSwitch(source, 'allow-empty'),
    allowAmbiguous: readSwitch(source, 'allow-ambiguous'),
    choice: { include: readPatterns(source, 'include'), exclude: readPatterns(source, 'exclude') },
    pathMap: listed(input('path-map'), /\r?\n/).map(readMove),
    sendDiff: readSwitch(source, 'send-diff', 'true'),
    sendSource: readSourceChoice(source),
    timeoutMs: readSeconds(source, 'timeout', { unset: 300, max: LONGEST_TIMEOUT_S }),
    waitMs: readWait(source, { task, parallel }),
    dryRun,
    annotations: readSwitch(source, 'annotations'),
    buildNumber: input('build-number'),
    basePath: input('base-path'),
    matrix: input('matrix') || 'null',
    gitBranch: input('git-branch'),
    gitCommit: readSha(source, 'git-commit'),
    compareRef: readRef(source, 'compare-ref'),
    compareSha: readSha(source, 'compare-sha'),
    caFile: input('ca-file') && resolve(runner.workspace, input('ca-file')),
    behindProxy: ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'].some((name) => Boolean(source.env[name])),
    runner,
    withoutSecret,
    pullRequest: own.pullRequest,
    notices: [...own.notices, ...noticesOf(source)],
    ...(own.searched === undefined
      ? {}
      : { place: { folder: resolve(runner.workspace, own.searched), root: runner.workspace } }),
  };
}

function readIdTokenRequest({ env }: InputSource): IdTokenRequest | undefined {
  const { ACTIONS_ID_TOKEN_REQUEST_URL: url, ACTIONS_ID_TOKEN_REQUEST_TOKEN: token } = env;
  return url && token ? { url, token } : undefined;
}

function readFiles({ input }: InputSource): string[] {
  return [...listed(input('file') || input('path-to-lcov'), /\r?\n/), ...readPatterns({ input }, 'files')];
}

/** If there are several lines, each is one flag, whose name may hold commas. */
export function readCarryforward({ input }: InputTexts): string | readonly string[] {
  const flags = listed(input('carryforward'), /\r?\n/);
  return flags.length > 1 ? flags : (flags[0] ?? '');
}

/** Throws `bad-input`. */
export function readMove(text: string): PathMove {
  const move = parseMove(text);
  if (move === undefined)
    throw badInput(`Input path-map: expected from=to, such as /app=backend, one per line, got "${text}".`);
  return move;
}

function noticesOf({ input }: InputSource): string[] {
  const given = WITHOUT_MEANING.filter((name) => !isOff(input(name)));
  const [file, oldFile] = [input('file'), input('path-to-lcov')];
  return [
    ...(given.length === 0 ? [] : [withoutEffect(given)]),
    ...(file === '' || oldFile === '' || file === oldFile ? [] : [fileTwice(file, oldFile)]),
  ];
}

/** In lower case; a short one is completed later, by the checkout or the server. */
function readSha({ input }: InputSource, name: string): string {
  const text = input(name);
  if (text === '' || isShaStart(text)) return text.toLowerCase();
  throw badInput(`Input ${name}: expected the sha of a commit, 7 to 64 hexadecimal digits, got "${text}".`);
}

function readRef({ input }: InputSource, name: string): string {
  const text = input(name);
  if (text === '' || isRefName(text)) return text;
  throw badInput(`Input ${name}: expected the name of a branch or tag that git accepts, got "${text}".`);
}

/** Such a token may be given as the repo's; it never goes into an address, where proxies would log it. */
export function isHostToken(token: string): boolean {
  return /^(?:gh[a-z]_|github_pat_|gitea:|forgejo:)/.test(token);
}

/** Tokens of Gitea and Forgejo have no mark of their own: the server believes one with the service before it. */
function markedToken(token: string, { FORGEJO_ACTIONS: forgejo, GITEA_ACTIONS: gitea }: InputSource['env']): string {
  const service = forgejo ? 'forgejo:' : gitea ? 'gitea:' : '';
  return token === '' || token.startsWith(service) ? token : service + token;
}

/** Whether a failure fails the step; `ofServer`: the server could not be reached, or failed. */
export function failsStep({ input }: InputTexts, { ofServer }: { readonly ofServer: boolean }): boolean {
  const source = { input: (name: string) => input('fail_ci_if_error') || input(name) };
  if (!readFailureSwitch(source, 'fail-on-error', true)) return false;
  return !ofServer || readFailureSwitch(source, 'fail-on-server-error', false);
}

async function readRunner({ env, readEvent }: InputSource): Promise<Runner> {
  const variable = (name: string): string => env[name] ?? '';
  return {
    eventName: variable('GITHUB_EVENT_NAME'),
    sha: variable('GITHUB_SHA'),
    ref: variable('GITHUB_REF'),
    refName: variable('GITHUB_REF_NAME'),
    headRef: variable('GITHUB_HEAD_REF'),
    repository: variable('GITHUB_REPOSITORY'),
    runId: variable('GITHUB_RUN_ID'),
    runAttempt: variable('GITHUB_RUN_ATTEMPT'),
    job: variable('GITHUB_JOB'),
    serverUrl: variable('GITHUB_SERVER_URL') || 'https://github.com',
    workspace: resolve(variable('GITHUB_WORKSPACE') || '.'),
    event: await readEvent(),
  };
}

function readEndpoint({ input }: InputSource): URL {
  const names = ['coveralls-endpoint', 'server-url'] as const;
  const given = names.filter((name) => input(name) !== '');
  const [name] = given;
  if (name === undefined)
    throw badInput(
      'Input server-url: set this or coveralls-endpoint to the URL of your coverage server. Neither is set.',
    );
  if (given.length > 1)
    throw badInput('Inputs coveralls-endpoint and server-url mean the same, but both are set: set only one of them.');
  const text = input(name);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && (url.username !== '' || url.password !== '')) {
    throw badInput(`Input ${name}: leave user name and password out of the URL; the token goes into repo-token.`);
  }
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw badInput(notAnAddress(name, text));
  }
  const path = API_PATH.exec(url.pathname)?.[0];
  if (path !== undefined)
    throw badInput(`Input ${name}: give only the base URL, without ${path} at its end, got "${text}".`);
  return url;
}

function readSourceChoice({ input }: InputSource): SourceChoice | undefined {
  const text = input('send-source').toLowerCase();
  if (text === '') return undefined;
  const choice = (['all', 'changed', 'none'] as const).find((one) => one === text);
  if (choice !== undefined) return choice;
  throw badInput(`Input send-source: expected all, changed or none, got "${input('send-source')}".`);
}

/** A verdict is of a whole build, which a parallel upload does not close. */
function readWait(source: InputTexts, step: { readonly task: Inputs['task']; readonly parallel: boolean }) {
  const waitMs = readSeconds(source, 'wait-timeout', { unset: 600, max: LONGEST_TIMEOUT_S });
  if (!readSwitch(source, 'wait')) return undefined;
  if (step.task === 'report' && step.parallel)
    throw badInput(
      'Input wait: a parallel upload does not close its build, so there is no verdict to wait for. Set wait in ' +
        'the step that closes the build (parallel-finished), not in this one.',
    );
  return waitMs;
}

function readExpectedJobs({ input }: InputSource): number | undefined {
  const text = input('expected-jobs');
  if (text === '') return undefined;
  const jobs = Number(text);
  if (/^\d+$/.test(text) && jobs >= 1 && jobs <= MAX_JOBS) return jobs;
  throw badInput(
    `Input expected-jobs: expected the number of uploads that the build will have, from 1 to ${MAX_JOBS}, got ` +
      `"${text}".`,
  );
}

function withoutEffect(names: readonly string[]): string {
  return `Inputs of coverallsapp/github-action that have no effect here: ${names.join(', ')}.`;
}

function fileTwice(taken: string, old: string): string {
  return `Input path-to-lcov is the old name of file, and both are set: "${taken}" is used, "${old}" is not.`;
}
