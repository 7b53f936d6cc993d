// What the command "migrate" says of itself and of what it found.
import type { Counts } from '../values.ts';

export const MIGRATE = {
  summary: 'say what a repo changes that moves here from Coveralls or Codecov',
  usage: '[options] [file...]',
  explanation:
    "Reads .github, other CIs' files, .coveralls.yml and codecov.yml of this folder, or the files that\n" +
    'are named, and prints what to change. With --write it changes all but codecov.yml; whatever it does not change\n' +
    'stays as it is, comments too. Settings of codecov.yml are printed as the settings of a repo here. Nothing is\n' +
    'sent.',
  options: {
    server: 'address of the server that the repo moves to',
    action: 'the action that workflows use then; without it, steps of coverallsapp/github-action keep theirs',
    write: 'change the files',
    json: 'everything as JSON',
  },
  examples: [
    ['migrate --server=https://coverage.example', 'What to change, with the least of changes.'],
    [
      'migrate --server=https://coverage.example --action=acme/coverage-service@v1 --write',
      'Change the workflows to that action.',
    ],
  ],
} as const;

/** Stands for the address where none was named. */
export const SOME_SERVER = 'https://coverage.example';

export function keptAction(server: string): string {
  return `The step keeps its action and uploads to ${server}; its secret must be the repo token of this server.`;
}

export function otherAction(before: string, after: string): string {
  return `${before} becomes ${after}.`;
}

export function inputRenamed(from: string, to: string): string {
  return `The input ${from} is called ${to} here.`;
}

export function inputRemoved(name: string, why: 'needless' | 'no-equal'): string {
  return why === 'needless'
    ? `The input ${name} goes: it means nothing here.`
    : `The input ${name} goes: it has no equal here. Look whether the step still does what it should.`;
}

export const SEVERAL_FLAGS =
  'One upload has one flag here, so the step fails with a list: make it one step for each of these flags.';

export const SECRET_OF_OTHERS = 'The secret that is named here must hold the repo token of this server from now on.';

export function oneSecret(credential: string): string {
  return `It is ${credential} here, as in the first such step: all steps of a file upload and close with one token.`;
}

export const NEVER_FAILS = 'Without fail_ci_if_error a step of Codecov never fails: fail-on-error: false keeps that.';

export const FOLDER_JOINED = 'The input working-directory goes: it is part of the names in files or directory now.';

export const NAMED_ALONE =
  'The input directory goes: beside files, which are named, no others are searched here. Name all reports in files.';

export const TEST_RESULTS = 'The step uploads test results, not coverage; it is left as it is.';

export const FLOW_MAP = 'The inputs of this step stand in one line, in braces; change it by hand.';

export const NAME_THE_ACTION =
  'The step uses codecov/codecov-action, which uploads to Codecov alone; say with --action=<owner>/<repo>@<ref> ' +
  'which action takes its place.';

const OUR_COMMAND =
  'curl -fsS "$COVERAGE_ENDPOINT/cli.mjs" -o coverage.mjs, then node coverage.mjs report, with --job-flag=<flag> for ' +
  'a flag and the reports by name if they are not found. COVERAGE_ENDPOINT and COVERALLS_REPO_TOKEN are variables of ' +
  'the CI.';

/** What to do with a command that runs a client of another service. */
export const CLIENTS = {
  bashUploader: `The bash uploader sends to Codecov alone. Run in its place: ${OUR_COMMAND}`,
  codecov: `This client sends to Codecov alone. Run in its place: ${OUR_COMMAND}`,
  codecovProgram: "This fetches or checks Codecov's program, which sends to Codecov alone. Remove it.",
  codecovInstalled: "This installs Codecov's client, which sends to Codecov alone. Remove it.",
  coveralls:
    'coveralls reads the address of this server from COVERALLS_ENDPOINT, the PyPI package from COVERALLS_HOST. Set ' +
    'it beside COVERALLS_REPO_TOKEN in the variables of the CI.',
  goveralls: 'goveralls takes the address of this server by -endpoint <address>, and the token by -repotoken.',
  tarpaulin: 'cargo tarpaulin takes the address of this server by --report-uri <address>/api/v1/jobs.',
  maven: 'The plugin takes the address of this server by -DcoverallsUrl=<address>/api/v1/jobs.',
  gradle: 'Set apiEndpoint = "<address>/api/v1/jobs" in the block of the plugin in the build file.',
  sbt: 'Set coverallsEndpoint := Some("<address>") in the build file.',
  excoveralls: 'Set config :excoveralls, endpoint: "<address>" in config/config.exs.',
  phpCoveralls: 'Set the entry point of php-coveralls to the address of this server in .coveralls.yml.',
  curl: 'Send it to <address>/api/v1/jobs of this server, with its repo token.',
} as const;

export function orbDeclared(orb: string): string {
  return `The orb ${orb} is used by the steps that are named below; remove it with the last of them.`;
}

/** Of a step of an orb. */
export const ORB_STEPS = {
  coveralls:
    'The orb runs the official reporter: set COVERALLS_ENDPOINT to the address of this server, and ' +
    'COVERALLS_REPO_TOKEN to its token, in the environment variables of the project.',
  codecov: `The orb sends to Codecov alone. Put a run step in its place: ${OUR_COMMAND}`,
} as const;

export const NO_SECRETS =
  'A composite action sees no secrets: give it an input for the repo token, and pass the secret where it is used.';

/** Said of .coveralls.yml. */
export function endpointOfCi(server: string): string {
  return (
    `The CI says the address, since any pull request can change this file: set COVERAGE_ENDPOINT to ${server} where ` +
    'the token is set, and COVERALLS_ENDPOINT for other clients.'
  );
}

export const ENDPOINT_REMOVED = 'endpoint goes: no token of the CI is sent to an address in this file.';

export function endpointSet(names: readonly string[], server: string): string {
  return `The jobs run a client of Coveralls: ${names.join(' and ')} tell it to upload to ${server}.`;
}

export function setByHand(names: readonly string[], server: string): string {
  return (
    `The jobs run a client of Coveralls, and the variables are not written one in a line: set ${names.join(' and ')} ` +
    `to ${server} by hand.`
  );
}

export function tokenRemoved(key: string): string {
  return `${key} goes: it is the token of the other service. Give the new one to CI as COVERALLS_REPO_TOKEN.`;
}

export function theSetting(name: string): string {
  return `the repo's setting ${name}`;
}

export function theInput(name: string): string {
  return `the input ${name} of the action`;
}

/** Of a pattern in codecov.yml. */
export function patternRefused(key: string, pattern: string, why: keyof typeof WHY_NOT): string {
  return `${key}: ${JSON.stringify(pattern)} is not taken over: ${WHY_NOT[why]}`;
}

const WHY_NOT = {
  regex:
    'it is a regular expression that no pattern here matches exactly. Name the files that it means in the ' +
    'input exclude of the action.',
  negated:
    'exclude has no exceptions. Name the files that do not count in the input exclude of the action, without this one.',
  braces: 'Codecov takes its braces or backslashes literally. If they mean a choice, write it in the input exclude.',
  blank: 'the input exclude ends a pattern at a blank. Put a ? in its place if that means the same files.',
  fix: 'path-map knows no patterns. Name each beginning of a path in the input path-map of the action.',
} as const;

/** Where changed lines must reach the base's total, less so many points. */
export function patchThreshold(points: number): string {
  return (
    `coverage.status.patch.default.threshold: on Codecov changed lines may be ${points} points below the base's ` +
    'total. patch_minimum "base" allows none; give a number in its place if that is too strict.'
  );
}

export function prefixAdded(fix: string, folder: string): string {
  return (
    `fixes: ${JSON.stringify(fix)} is not taken over: path-map adds no folder to every name. Names of reports are ` +
    `found in the checkout; if some are not, set the input base-path of the action to ${folder}.`
  );
}

export const NOTHING_FOUND =
  'There is nothing to change: no workflow or composite action that uses coverallsapp/github-action or ' +
  'codecov/codecov-action, no file of a CI that runs a client of theirs, no .coveralls.yml and no codecov.yml. ' +
  'Scripts that the CI runs, such as those in package.json or a Makefile, are not read.';

export function notYaml(path: string): string {
  return `${path} is no YAML that can be read; it is left as it is.`;
}

export function fileMissing(path: string): string {
  return `There is no file ${path}.`;
}

export const HEADINGS = {
  settings: 'Settings of the repo here (PUT /api/v1/repos/<service>/<owner>/<name>, and the same with /settings):',
  inputs: 'Inputs of the step that uploads, or that closes the build:',
  mapped: 'What became of each key:',
  notes: 'To do by hand:',
  withoutEqual: 'Keys without an equal here:',
} as const;

export function written({ files }: Counts<'files'>): string {
  return files === 1 ? '1 file was changed.' : `${files} files were changed.`;
}

export const NOT_WRITTEN = 'Nothing was changed: --write does it.';
