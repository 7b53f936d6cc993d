import { type Counts, counted, type Texts } from '../../core/sentences.ts';
// What GitHub answers, what it asks for, and what it sends. Clauses follow `when asked to …:`.

export function repoNameWrong(form: string): string {
  return `A GitHub repo must be ${form}.`;
}

export function shaNotWhole(found: string): string {
  return `GitHub sets statuses on whole commit SHAs only, not on ${found}.`;
}

export const ASKED_TO_WAIT = 'GitHub asks us to wait before the next request.';

export const NOTHING_ASKED = 'nothing was asked';

export function tooSlow(seconds: number, operation: string): string {
  return `GitHub did not answer within ${seconds} s when asked to ${operation}.`;
}

export function notGithub(operation: string): string {
  return (
    `Something other than GitHub answered when GitHub was asked to ${operation}; ` +
    'check GITHUB_API_URL and any proxy on the way.'
  );
}

export function askedToWait(status: number, operation: string): string {
  return `GitHub answered ${status} when asked to ${operation}: it asks us to wait.`;
}

export function connectionFailed(why: string, operation: string): string {
  return `The connection to GitHub failed (${why}) when asked to ${operation}; check GITHUB_API_URL and the network.`;
}

export function tooManyAnnotations(max: number, count: number): string {
  return `GitHub accepts at most ${max} annotations at once, not ${count}.`;
}

export function nothingCanBeAsked(why: string): string {
  return `No request can be sent to GitHub: ${why}.`;
}

export function refused({
  status,
  said,
  operation,
  meaning,
}: Texts<'said' | 'operation' | 'meaning'> & Counts<'status'>): string {
  return `GitHub answered ${status}${said} when asked to ${operation}: ${meaning}.`;
}

export const GONE = 'what it is about was deleted, or comments are switched off there';

export const GITHUB_IN_TROUBLE = 'GitHub has trouble';

export const NOT_ACCEPTED = 'GitHub does not accept the request';

export const SUSPENDED =
  "the installation of the GitHub App is suspended; lift the suspension in the owner's settings at GitHub";

export function onlyApps(who: string): string {
  return `only a GitHub App may do that, and ${who} is no App’s token`;
}

export function singleSignOn(who: string): string {
  return `the organization demands single sign-on; authorize ${who} for it on GitHub`;
}

export const LOCKED = 'the conversation is locked; unlock it, or let the token belong to a collaborator';

export const ARCHIVED = 'the repo is archived and cannot be written to';

export const CONTENT_NOT_ACCEPTED = 'GitHub does not accept what was sent';

export function githubNames(what: string): string {
  return `GitHub names ${what}`;
}

export const SOMETHING = 'something without a name';

export function needsPermission(permission: string): string {
  return `it needs ${permission} for this repo`;
}

export const TOKEN_INVALID = 'GITHUB_TOKEN is wrong, expired or revoked; set a valid one and restart';

export const THE_APP = 'the GitHub App';

export const APP_KEY_WRONG =
  'GITHUB_APP_ID and GITHUB_APP_PRIVATE_KEY do not belong to one App there; set both to what the App has, and restart';

export const APP_TOKEN_REFUSED = 'it refuses the token that it has just made for the GitHub App';

export function grantPermission(needs: string): string {
  return `${needs}; grant it in the App's settings at GitHub, and let the owner accept it`;
}

export function fieldWrong(form: string, found: string): string {
  return `must be ${form}, not ${found}`;
}

export const OBJECT_FORM = 'an object';

export function tooManyEntries(max: number): string {
  return `has more than ${max} entries`;
}

export function textForm(max: number): string {
  return `a text of 1 to ${max} characters`;
}

export const NUMBER_FORM = 'a whole number above 0';

export const SHA_FORM = 'a whole commit SHA';

export const SWITCH_FORM = 'true or false';

export const STATE_FORM = 'open or closed';

/** `field` is empty if the payload itself is meant; `problem` is a clause. */
export function payloadWrong({
  event,
  field,
  problem,
}: Texts<'event' | 'field'> & { readonly problem: string | undefined }): string {
  return `The payload of this ${event} event is not valid: ${field || 'it'} ${problem ?? 'is not known'}.`;
}

export function signatureWrong(header: string): string {
  return (
    `${header} is not this body's signature; ` +
    'set the secret of the webhook at GitHub to the value of GITHUB_WEBHOOK_SECRET.'
  );
}

export function eventMissing(found: string): string {
  return `X-GitHub-Event must name the event, but is ${found}.`;
}

export const WEBHOOK_OFF =
  'This server accepts no webhooks from GitHub: GITHUB_WEBHOOK_SECRET is not set, and no App was made at /setup.';

export function signatureMissing(header: string): string {
  return `${header} is missing; set the secret of the webhook at GitHub to the value of GITHUB_WEBHOOK_SECRET.`;
}

export function organizationWrong(found: string): string {
  return `${found} is not an organization; give its name as in its GitHub URL, or leave it empty.`;
}

export const PAYLOAD_MISSING = 'The form has no field payload.';

export function payloadNoJson(characters: number, beginning: string): string {
  return (
    `The payload is not JSON: it has ${counted(characters, 'character')} and begins with ${beginning}. Set the ` +
    "webhook's content type to application/json."
  );
}

export const TOO_MANY_WRITES = 'Too many writes to GitHub are waiting already.';

export const FINE_GRAINED_TOKEN = 'a GitHub fine-grained token';

export const CLASSIC_TOKEN = 'a GitHub personal token';

export const GITHUB_TOKEN_KIND = 'a GitHub token';

export const ACCEPTED_TOKENS = "a workflow's GITHUB_TOKEN (or the token of somebody who may push)";

export const WORKFLOW_TOKEN = "a workflow's GITHUB_TOKEN";

export const HOW_TO_SEE_RUNS = 'In a private repo the job needs `permissions: actions: read`.';

export const TOKEN_RIGHTS =
  "A workflow's token needs `actions: read` and `contents: read`; a personal one access to the repo, with single " +
  'sign-on if the organization requires it.';

export const CREDENTIAL = 'GITHUB_TOKEN, or GITHUB_APP_ID and GITHUB_APP_PRIVATE_KEY, or make a GitHub App at /setup';

export const APP_UNINSTALLED = "the GitHub App was uninstalled by the repo's owner; install it again";

export const APP_SUSPENDED = 'the installation of the GitHub App was suspended; lift the suspension';

export const REPO_TAKEN_OUT =
  'the repo was taken out of what the GitHub App may reach; give its installation access to the repo';

export const ANNOTATIONS_NEED_APP =
  'annotations need check runs, which GitHub lets only Apps make, and this server does not sign in as a GitHub App; ' +
  'set GITHUB_APP_ID and GITHUB_APP_PRIVATE_KEY, or make a GitHub App at /setup';

/** For a browser's code, or for a token to renew another by. */
export function tokenNotGiven(status: number): string {
  return `GitHub answered ${status}.`;
}

export const TOKEN_NOT_ANSWERED = 'GitHub did not answer when asked for a token.';
export const CODE_REFUSED = 'GitHub refused the code or the App.';
