// Closes and reruns.
import type { Counts, Texts } from './values.ts';

export function noBuildOfNumber(number: string): string {
  return `No build matching CI build number ${number} found`;
}

export const NO_OPEN_BUILD =
  'No open parallel build found, and none was closed in the last 10 minutes. Name it by payload.build_num, or ' +
  'upload its jobs first.';

export const BUILD_NUMBER_MISSING =
  'build_num is missing. Name the build that is to be worked out again as a close does: by its number, a job id, ' +
  'or the number that this server gave it.';

export const NEVER_CLOSED =
  'That build is open and has never been closed, so there is nothing to work out again. Close it by POST /webhook.';

export function statusWrong(found: string): string {
  return `payload.status must be "done", but is ${found}.`;
}

export function payloadWrong(found: string): string {
  return `payload must be an object or its JSON, but is ${found}.`;
}

export function notAnObject(field: string, found: string): string {
  return `${field} must be an object, but is ${found}.`;
}

export function notATextOrNumber(field: string, found: string): string {
  return `${field} must be a text or a number, but is ${found}.`;
}

export function tooManyCarried(flags: number, most: number): string {
  return (
    `carryforward names ${flags} flags; at most ${most} are taken. Name fewer, or send "all" for every flag of the ` +
    'base.'
  );
}

export const SERVER_FAULT = "A fault in this server; the server's log has the details.";

export function notMerged(why: string): string {
  return `Not merged: ${why}.`;
}

export function pullHasOtherHead({ host, pull, head }: Texts<'host' | 'head'> & Counts<'pull'>): string {
  return `The upload names pull request ${pull}, but ${host} says that its head is ${head}, which was not tested here.`;
}

export function pullNotShown(host: string, pull: number): string {
  return `The upload names pull request ${pull}, but ${host} shows this server no such pull request.`;
}

export const NO_EVENT = 'something else';

/** `event`: quoted, by the host's own word. */
export function countsWithoutPull(event: string): string {
  return (
    `Its run was started by ${event}, so the build counts without the pull request. Upload from a run of the pull ` +
    'request, or for its head.'
  );
}

export const THE_BODY = 'the body';
