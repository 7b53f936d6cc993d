import { type CiFacts, statedFacts } from '../context/ci/ci-facts.ts';
import { type RunFacts, readCi } from '../context/ci/read-ci.ts';
import { SETTING_OPTIONS as SAY } from '../messages/command/settings.ts';
import { type CoverallsFile, readCoverallsFile } from './coveralls-file.ts';
import { findLocalCheckout, type LocalCheckout } from './local-checkout.ts';
import type { Arguments, Option, Shell } from './shell/command.ts';

/** Which server, and as whom. */
export const SERVER_OPTIONS: readonly Option[] = [
  { name: 'endpoint', aliases: ['coveralls-endpoint', 'server-url'], value: 'url', summary: SAY.endpoint },
  { name: 'repo-token', short: 'r', value: 'token', summary: SAY.repoToken },
  { name: 'config-path', short: 'c', value: 'file', summary: SAY.configPath },
  { name: 'timeout', value: 'seconds', summary: SAY.timeout },
  { name: 'ca-file', value: 'file', summary: SAY.caFile },
];

/** Which run it is, where the CI says too little or something else is meant. */
export const RUN_OPTIONS: readonly Option[] = [
  { name: 'build-number', aliases: ['service-number'], value: 'number', summary: SAY.buildNumber },
  { name: 'service-name', value: 'name', summary: SAY.serviceName },
  { name: 'service-job-id', value: 'id', summary: SAY.jobId },
  { name: 'service-job-number', value: 'number', summary: SAY.jobNumber },
  { name: 'service-branch', aliases: ['git-branch', 'branch'], value: 'branch', summary: SAY.branch },
  { name: 'service-pull-request', aliases: ['pull-request'], value: 'number', summary: SAY.pullRequest },
  { name: 'service-build-url', value: 'url', summary: SAY.buildUrl },
  { name: 'service-job-url', value: 'url', summary: SAY.jobUrl },
  { name: 'repo-name', value: 'name', summary: SAY.repoName },
  { name: 'git-commit', aliases: ['commit'], value: 'sha', summary: SAY.commit },
];

/** Everything that is known of the run before a report is read. */
export interface Settings {
  readonly file: CoverallsFile;
  readonly run: RunFacts;
  readonly checkout: LocalCheckout;
  /** As written; empty where none is known, or it may not be asked. */
  readonly endpoint: string;
  readonly token: string;
  /** Why the endpoint of the checkout's own file is not asked, and what to do. */
  readonly endpointRefused: string | undefined;
}

/**
 * Reads options, variables and `.coveralls.yml`; asks nobody. Throws `bad-input` where the file cannot be read. A pull
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
    token: token || file.repoToken,
    endpointRefused: isRefused ? endpointOfCheckout(file.endpoint) : undefined,
  };
}

/** What is sent where no repo token is known: a personal one, or what GitHub gives a run for an id-token. */
function otherSecret(env: Shell['env']): string | undefined {
  return env.COVERAGE_TOKEN || env.ACTIONS_ID_TOKEN_REQUEST_TOKEN;
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
    `The token is not sent to ${endpoint}: the address comes from .coveralls.yml, which any pull request can change, ` +
    'and the token does not. Set the address where the token is set, as COVERAGE_ENDPOINT, or give it with ' +
    '--endpoint. If the file is to be trusted, name it: --config-path=.coveralls.yml.'
  );
}
