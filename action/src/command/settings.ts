import { readFileSync } from 'node:fs';
import { parse, YAMLParseError } from 'yaml';
import { type CiFacts, statedFacts } from '../context/ci/ci-facts.ts';
import { BITBUCKET_PIPELINES } from '../context/ci/other-cis.ts';
import { type RunFacts, readCi } from '../context/ci/read-ci.ts';
import { readSmall } from '../git/git-places.ts';
import { ActionFailure } from '../runner/failure.ts';
import type { Counts } from '../runner/words.ts';
import { findLocalCheckout, type LocalCheckout } from './local-checkout.ts';
import { typedPath } from './local-reports.ts';
import type { Arguments, Option, Shell } from './shell/command.ts';

export const ENDPOINT_MISSING =
  'No coverage server is set. Set COVERAGE_ENDPOINT (or COVERALLS_ENDPOINT) to its URL, or use ' +
  '--endpoint=https://coverage.example. It is the server that you downloaded this file from.';

export const TOKEN_MISSING =
  'No repo token is set. Set COVERALLS_REPO_TOKEN (as a CI secret), use --repo-token, or write it as "repo_token" ' +
  'into .coveralls.yml. The server shows it in the settings of the repo. In GitHub Actions a job with ' +
  '"permissions: id-token: write" does not need one, nor does a step with "oidc" in Bitbucket Pipelines.';

/** What a repo's `.coveralls.yml` says; empty if it says nothing. */
interface CoverallsFile {
  readonly repoToken: string;
  readonly serviceName: string;
  readonly serviceNumber: string;
  readonly repoName: string;
  readonly endpoint: string;
  readonly flagName: string;
  /** A flag a line, or one list with commas. */
  readonly carryforward: string;
  /** As written: on, or off. */
  readonly parallel: string;
}

/** The name that every client looks for. */
const USUAL = '.coveralls.yml';
const MAX_BYTES = 1 << 20;

/** Reads the file that was named, else the usual one where it is there. Throws `bad-input` if it cannot be read. */
export function readCoverallsFile(named: string | undefined, folder: string): CoverallsFile {
  const path = typedPath(named ?? USUAL, { folder });
  const text = readText(path, named !== undefined);
  const value: unknown = text === undefined ? {} : parsed(path, text);
  const fields = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  const field = (name: string): string => textOf(fields[name]);
  return {
    repoToken: field('repo_token') || field('repo_secret_token'),
    serviceName: field('service_name'),
    serviceNumber: field('service_number'),
    repoName: field('repo_name'),
    endpoint: field('endpoint'),
    flagName: field('flag_name'),
    carryforward: [fields.carryforward].flat().map(textOf).filter(Boolean).join('\n'),
    parallel: field('parallel'),
  };
}

function textOf(value: unknown): string {
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value).trim() : '';
}

function readText(path: string, isNamed: boolean): string | undefined {
  if (!isNamed) return readSmall(path, MAX_BYTES);
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new ActionFailure('bad-input', `There is no file ${path} that can be read: check --config-path.`, { cause });
  }
}

function parsed(path: string, text: string): unknown {
  try {
    return parse(text, { maxAliasCount: 0, logLevel: 'error' });
  } catch (error) {
    // The parser's own words quote the file, which may be a link to a secret.
    const place = error instanceof YAMLParseError ? error.linePos?.[0] : undefined;
    throw new ActionFailure('bad-input', configUnreadable(path, place));
  }
}

/** `place`: where reading stopped, from 1; undefined if YAML is used that is not taken here. */
function configUnreadable(path: string, place: Counts<'line' | 'col'> | undefined): string {
  if (place === undefined) return `${path} uses aliases of YAML, which are not accepted here: write the values out.`;
  return `${path} is not valid YAML: look at line ${place.line}, column ${place.col}.`;
}

/** Which server, and with which credentials. */
export const SERVER_OPTIONS: readonly Option[] = [
  {
    name: 'endpoint',
    aliases: ['coveralls-endpoint', 'server-url'],
    value: 'url',
    summary: 'the URL of your coverage server; else COVERAGE_ENDPOINT, COVERALLS_ENDPOINT',
  },
  {
    name: 'repo-token',
    short: 'r',
    value: 'token',
    summary: "the repo's token; better in COVERALLS_REPO_TOKEN, which nobody sees in a list of processes",
  },
  {
    name: 'config-path',
    short: 'c',
    value: 'file',
    summary: 'a file other than .coveralls.yml, or the same one, to let its endpoint get a token',
  },
  { name: 'timeout', value: 'seconds', summary: 'how long to try in all, 300 by default' },
  { name: 'ca-file', value: 'file', summary: 'additional certificate authorities to trust (PEM)' },
];

/** Which run it is, where the CI says too little or something else is meant. */
export const RUN_OPTIONS: readonly Option[] = [
  {
    name: 'build-number',
    aliases: ['service-number'],
    value: 'number',
    summary: 'the number of the run, shared by its jobs; else the number from the CI',
  },
  { name: 'service-name', value: 'name', summary: 'the name of the CI' },
  { name: 'service-job-id', value: 'id', summary: "the job's id in the CI" },
  { name: 'service-job-number', value: 'number', summary: "the job's number in the CI" },
  { name: 'service-branch', aliases: ['git-branch', 'branch'], value: 'branch', summary: 'the branch' },
  {
    name: 'service-pull-request',
    aliases: ['pull-request'],
    value: 'number',
    summary: 'the number of the pull request',
  },
  { name: 'service-build-url', value: 'url', summary: 'the URL of the run in the CI' },
  { name: 'service-job-url', value: 'url', summary: 'the URL of the job in the CI' },
  { name: 'repo-name', value: 'name', summary: '<owner>/<name> of the repo' },
  { name: 'git-commit', aliases: ['commit'], value: 'sha', summary: 'the commit that was tested' },
];

/** Everything that is known of the run before a report is read. */
export interface Settings {
  readonly file: CoverallsFile;
  readonly run: RunFacts;
  readonly checkout: LocalCheckout;
  /** As written; empty if none is known, or it may not be asked. */
  readonly endpoint: string;
  readonly token: string;
  /** Why the endpoint of the checkout's own file is not asked, and what to do. */
  readonly endpointRefused: string | undefined;
}

/**
 * Reads options, variables and `.coveralls.yml`; asks nobody. Throws `bad-input` if the file cannot be read. A pull
 * request can change the file, so no secret from elsewhere meets its endpoint unless an option named the file.
 */
export function readSettings(given: Arguments, { env, folder }: Pick<Shell, 'env' | 'folder'>): Settings {
  const checkout = findLocalCheckout(folder);
  const named = given.text('config-path');
  const here = readCoverallsFile(named, folder);
  const isElsewhere = named === undefined && checkout.root !== folder && Object.values(here).every((text) => !text);
  const file = isElsewhere ? readCoverallsFile(undefined, checkout.root) : here;
  const { serviceName, repoName, serviceNumber } = file;
  const run = readCi(env, {
    file: statedFacts({ serviceName, repoName, number: serviceNumber }),
    options: optionFacts(given),
  });
  const stated = given.text('endpoint') || env.COVERAGE_ENDPOINT || env.COVERALLS_ENDPOINT;
  const token = given.text('repo-token') || env.COVERALLS_REPO_TOKEN;
  const secret = token || (file.repoToken === '' && otherSecret(env));
  const isRefused = !stated && file.endpoint !== '' && named === undefined && Boolean(secret);
  return {
    file,
    run,
    checkout,
    endpoint: stated || (isRefused ? '' : file.endpoint),
    token: token || file.repoToken || stepToken(run, env),
    endpointRefused: isRefused ? endpointOfCheckout(file.endpoint) : undefined,
  };
}

/** What is sent if no repo token is known: a personal one, or what a CI gives a run for an ID token, or as one. */
function otherSecret(env: Shell['env']): string | undefined {
  return env.COVERAGE_TOKEN || env.ACTIONS_ID_TOKEN_REQUEST_TOKEN || env.BITBUCKET_STEP_OIDC_TOKEN;
}

/** The ID token that Bitbucket gives a step with `oidc`. */
function stepToken({ ci }: RunFacts, { BITBUCKET_STEP_OIDC_TOKEN: token = '' }: Shell['env']): string {
  return ci === BITBUCKET_PIPELINES ? token : '';
}

function optionFacts(given: Arguments): CiFacts {
  return statedFacts({
    serviceName: given.text('service-name'),
    number: given.text('build-number'),
    jobId: given.text('service-job-id'),
    jobNumber: given.text('service-job-number'),
    branch: given.text('service-branch'),
    pullRequest: given.text('service-pull-request'),
    buildUrl: given.text('service-build-url'),
    jobUrl: given.text('service-job-url'),
    repoName: given.text('repo-name'),
    sha: given.text('git-commit'),
  });
}

function endpointOfCheckout(endpoint: string): string {
  return (
    `The token is not sent to ${endpoint}: the URL comes from .coveralls.yml, which any pull request can change, ` +
    'but the token does not. Set the URL where the token is set, as COVERAGE_ENDPOINT, or give it with ' +
    '--endpoint. If the file is to be trusted, name it: --config-path=.coveralls.yml.'
  );
}
