import type { Counts, Texts } from './values.ts';
// What is said of the action's inputs.

export const TOKEN_MISSING =
  'Input repo-token: give the repo token that the server shows for this repo (as a secret), or a github-token.';

export const SERVER_MISSING =
  'Input server-url: give the address of your coverage server there, or in coveralls-endpoint. Neither is set.';

export const SERVER_TWICE =
  'Inputs coveralls-endpoint and server-url mean the same and both are set: give only one of them.';

export const CARRYFORWARD_TOO_EARLY =
  'Input carryforward takes effect in the step that closes the build (parallel-finished).';

export const FILES_IN_CLOSE = 'Inputs file and files are not used in the step that closes the build.';

export const WAIT_IN_PARALLEL =
  'Input wait: a parallel upload does not close its build, so there is no verdict to wait for. Set wait in the step ' +
  'that closes the build (parallel-finished), not in this one.';

export const EXPECTED_JOBS_IN_CLOSE =
  'Input expected-jobs is for the uploads: the step that closes the build closes it with what has arrived.';

export function withoutEffect(names: readonly string[]): string {
  return `Inputs of coverallsapp/github-action that have no effect here: ${names.join(', ')}.`;
}

export function fileTwice(taken: string, old: string): string {
  return `Input path-to-lcov is the old name of file, and both are set: "${taken}" is used, "${old}" is not.`;
}

export function notASourceChoice(text: string): string {
  return `Input send-source: expected all, changed or none, got "${text}".`;
}

export function notASha(name: string, text: string): string {
  return `Input ${name}: expected the sha of a commit, 7 to 64 hexadecimal digits, got "${text}".`;
}

export function unknownSha(start: string): string {
  return (
    `Input git-commit: neither the checkout nor a build on the server has one commit that begins with "${start}". ` +
    'The upload is stored, but no commit status can be posted for it. Give all the digits, or check out more commits ' +
    '("fetch-depth: 0" of actions/checkout).'
  );
}

export function notARef(name: string, text: string): string {
  return `Input ${name}: expected the name of a branch or tag as git takes it, got "${text}".`;
}

export function passwordInAddress(name: string): string {
  return `Input ${name}: leave user name and password out of the address; the token goes into repo-token.`;
}

export function notAnAddress(name: string, text: string): string {
  return `Input ${name}: expected an address like https://coverage.example or http://host:8080/path, got "${text}".`;
}

export function moreThanBase(name: string, { text, path }: Texts<'text' | 'path'>): string {
  return `Input ${name}: give only the base of the address, without ${path} at its end, got "${text}".`;
}

export function notASwitch(name: string, text: string): string {
  return `Input ${name}: expected true or false, got "${text}".`;
}

export function notACountOfJobs(text: string, most: number): string {
  return `Input expected-jobs: expected how many uploads the build will have, from 1 to ${most}, got "${text}".`;
}

export function notSeconds(name: string, { text, most }: Texts<'text'> & Counts<'most'>): string {
  return `Input ${name}: expected whole seconds from 1 to ${most}, got "${text}".`;
}

export function notAMove(text: string): string {
  return `Input path-map: expected from=to, such as /app=backend, one a line, got "${text}".`;
}

export function unknownFormat(name: string, known: string): string {
  return (
    `Input format: "${name}" is not a format that can be read. Known formats: ${known}. Leave the input out to let ` +
    'the content decide.'
  );
}
