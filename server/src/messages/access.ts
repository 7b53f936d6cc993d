// Who may do what: tokens, runs, repos that are asked for, and the Authorization header.
import { counted } from './counted.ts';
import type { Counts, Texts } from './values.ts';

export const UNKNOWN_REPO_TOKEN =
  'a repo token of this service that no repo has (any more): it was replaced, its repo was removed, or it was not ' +
  'copied whole';

export const REPO_TOKEN = 'a repo token of this service';

export const PERSONAL_TOKEN = 'a personal token of this service';

export const BADGE_TOKEN_READS = 'a badge token of this service, which only reads a badge';

export const PRIVATE_KEY = 'a private key';
export const WEB_TOKEN = 'a JSON web token';

export const UNREPLACED_VARIABLE = 'the name of a variable that was not replaced';

export const OTHER_TOKEN = 'a token of another kind';

export const EMPTY_TEXT = 'an empty text';

export const NO_TOKEN = 'a text that is no token of this service';

export const BADGE_TOKEN = 'a badge token of this service';

export const SERVER_SECRET = 'a secret of this server';

export const RUN_WITHOUT_SECRETS = 'Such runs get no secrets, and do not count here.';

export function runOfOtherRepo(run: string): string {
  return `The run ${run} belongs to another repo.`;
}

export function runOfFork(run: string): string {
  return `The run ${run} builds a commit of a fork, which anybody may have written.`;
}

export function runOfBot(run: string, bot: string): string {
  return `The run ${run} was started by ${bot}, whose runs count as those of a fork.`;
}

export function runEnded(run: string): string {
  return `The run ${run} has ended, so this does not come from it.`;
}

export function sendRunId(runId: string): string {
  return `Send ${runId} as service_number (on close as payload.build_num), or use the repo's own token.`;
}

export const RUN_MISSING =
  "A workflow's own token counts only together with its run, and no field holds the id of a run.";

export function runNotSeen(host: string, runs: string): string {
  return `${host} shows this token no run ${runs} in the repo.`;
}

export function sendTestedCommit(where: string): string {
  return `Send the commit that the run checked out (${where}) as commit_sha, or use the repo's own token.`;
}

export const COMMIT_MISSING = 'The job names no commit.';

export function runOfOtherCommit({ run, event, commit, other }: Texts<'run' | 'event' | 'commit' | 'other'>): string {
  return `The run ${run} (${event}) is for the commit ${commit}, but the job is for ${other}.`;
}

export const TOKEN_FOR_EVERYTHING =
  'Such a token covers everything that its owner may do, so it does not say which repo is meant.';

export const SEND_REPO_NAME_OR_TOKEN =
  "Send the repo beside it as repo_name, <owner>/<name>, or use the repo's own token.";

export function repoNameWrong(form: string): string {
  return `repo_name must be ${form}.`;
}

export function nothingAsked(host: string): string {
  return `Nothing was asked of ${host}.`;
}

export function repoNotSeen(host: string): string {
  return `${host} shows this token no such repo.`;
}

export const GIVE_ACCESS = "Check repo_name and give the token access to the repo, or use the repo's own token.";

export function mayNotPush(host: string, right: string): string {
  return `${host} says that its owner may not push there (${right}).`;
}

export const USE_WRITERS_TOKEN = "Use the token of somebody who may, or the repo's own token.";

export const SEND_REPO_NAME = 'Send the repo beside it as repo_name, <owner>/<name>.';

export const OWN_REPO_ALONE =
  "A workflow's own token covers its own repo alone: send that as repo_name, or use the repo's own token.";

export function repoNotHere({ host, service, repo }: Texts<'host' | 'service' | 'repo'>): string {
  return `${host} vouches for it, but this server has no ${service} repo ${repo}.`;
}

export const HAVE_REPO_MADE =
  'Ask an administrator to make it (POST /api/v1/repos), or to name its owner in ALLOWED_OWNERS.';

export function otherRepoNow({ host, now, before }: Texts<'host' | 'now' | 'before'>): string {
  return `At ${host} this name means another repo now (id ${now}) than when the repo was made here (id ${before}).`;
}

export const HAVE_REPO_REPLACED =
  'Ask an administrator to remove the old repo of that name here and to make the new one.';

export function tokenRefused({
  kind,
  repoName,
  found,
  remedy,
}: Texts<'kind' | 'found' | 'remedy'> & { readonly repoName: string | undefined }): string {
  const asked = repoName === undefined ? 'without a repo_name' : `for the repo ${repoName}`;
  return `repo_token is ${kind}, sent ${asked}. ${found} ${remedy}`;
}

export function hostAsksToWait(host: string): string {
  return `${host} asks its callers to wait`;
}

export function hostTooSlow(host: string): string {
  return `${host} did not answer in time`;
}

export function tokenUnchecked({
  kind,
  host,
  repoName,
  why,
}: Texts<'kind' | 'host' | 'why'> & { readonly repoName: string | undefined }): string {
  const asked = repoName === undefined ? '' : ` for the repo ${repoName}`;
  const what = `repo_token is ${kind}, which ${host} has to vouch for${asked}`;
  return `${what}, and ${why}. Nothing was stored; send it again.`;
}

export function tokenOfHost(host: string): string {
  return `a token of ${host}`;
}

export function tokenUnknownToHost(host: string): string {
  return `${host} does not know this token (401): it is wrong, expired or revoked.`;
}

export const SEND_VALID_TOKEN = "Send a valid one (a workflow's own token ends with its job), or the repo's own token.";

export function hostForbids(host: string): string {
  return `${host} refused (403) to answer with it.`;
}

export function orRepoToken(needs: string): string {
  return `${needs} Or use the repo's own token.`;
}

export function hostRefuses(host: string, status: number | undefined): string {
  return `${host} refused (${status ?? 'without a status'}) to answer with it.`;
}

export function haveAddressChecked(address: string): string {
  return `Use the repo's own token, or have the operator check ${address}.`;
}

export function repoSuspended(repo: string, reason: string): string {
  return `The repo ${repo} is suspended: ${reason}`;
}

export const TOO_MANY_CHECKS = 'Too many tokens are being checked at this moment. Try again in a few seconds.';

export function userNameWrong(form: string, found: string): string {
  return `A user name is ${form}, not ${found}.`;
}

export function noTokenOfId(id: number): string {
  return `There is no token ${id}; \`npm run token -- list\` shows all.`;
}

export const METRICS_FORBIDDEN =
  'Only METRICS_TOKEN and administrators may read the metrics; give Prometheus METRICS_TOKEN.';

export const TOKEN_NOT_CHECKED = 'The token could not be checked just now. Try again later.';

export const HOW_TO_SIGN_IN =
  'Send Authorization: token <personal token>; `npm run token -- create --user <name>` makes one.';

export function personalTokenMissing(how: string): string {
  return `This needs a personal token. ${how}`;
}

export function repoTokenUnknown(kind: string): string {
  return `No repo has this repo_token: it is ${kind}. Use the repo's current token.`;
}

export function headerUnreadable(seen: string, how: string): string {
  return `The Authorization header ${seen}. ${how}`;
}

export function tokenNotKnown({ held, none, how }: Texts<'held' | 'none' | 'how'>): string {
  return `The Authorization header holds ${held}; ${none} like it is known here (any more). ${how}`;
}

export const NO_TOKEN_LIKE_IT = 'no personal token and no repo token';

export const NO_PERSONAL_TOKEN_LIKE_IT = 'no personal token';

export function schemeWithoutToken(scheme: string): string {
  return `has the scheme ${scheme} and no token`;
}

export const TOKEN_WITHOUT_SCHEME = 'has no scheme before its token';

export function otherScheme(scheme: string): string {
  return `has the scheme "${scheme}"`;
}

export const NO_SCHEME = 'begins with no scheme';

export const USER_NAME_FORM = '1 to 100 letters, digits or the characters . _ @ + - (a letter or digit first)';

export function tokenLeftOut(field: string, kind: string): string {
  return `${field} held what looks like ${kind}; it was left out. Revoke it if it is real.`;
}

export function strayToken(field: string, kind: string): string {
  return (
    `${field || 'The body'} holds what looks like ${kind}. Nothing was stored. Send a token as repo_token or in the ` +
    'Authorization header alone, and revoke this one if it is real.'
  );
}

/** `asked`: what stands behind "find": `a repo` or `the repo "acme/shop"`. `seen`: what came in place of its token. */
export function repoNotFound({
  repoName,
  seen,
  next,
}: Texts<'seen' | 'next'> & { readonly repoName: string | undefined }): string {
  return `Couldn't find ${repoName === undefined ? 'a repo' : `the repo ${repoName}`}: ${seen}. ${next}`;
}

export const REPO_TOKEN_MISSING = 'no repo_token was sent';

export function repoTokenIs(kind: string): string {
  return `repo_token is ${kind}`;
}

/** `hosts`: each with the tokens that are taken of it. */
export function waysToSignUpload(hosts: readonly { readonly name: string; readonly tokens: string }[]): string {
  const others = hosts.map(({ name, tokens }) => `, or on ${name} ${tokens} with repo_name, <owner>/<name>`);
  return (
    'Anybody can know a service_name and a service_job_id, so they prove nothing. Send in repo_token either the ' +
    `repo's own token${others.join('')}. Without either, only the run of a fork's pull request counts, with its id, ` +
    'its pull request and repo_name, where the repo takes such runs (accept_forks).'
  );
}

export function useCurrentToken(hosts: readonly { readonly name: string; readonly tokens: string }[]): string {
  const others = hosts.map(({ name, tokens }) => ` On ${name} ${tokens} with repo_name works too.`);
  return (
    "Use the repo's current token: GET /api/v1/repos/<service>/<owner>/<name> shows it to whoever may administer " +
    `the repo.${others.join('')}`
  );
}

export function notCovered({
  host,
  covered,
  repoName,
  asked,
}: Texts<'host' | 'asked'> & Counts<'covered'> & { readonly repoName: string | undefined }): string {
  const other = repoName === undefined ? '' : ', and not this one';
  return `${host} says that it covers ${counted(covered, 'repo')}${other} (${asked}).`;
}

export const SIGN_IN_UNPROVEN =
  'A browser’s sign-in alone changes nothing: send the form token of its page too, as X-CSRF-Token, or use a ' +
  'personal token in the Authorization header.';

export const SHARE_TOKEN = 'the token of a share link';
export const SHARE_TOKEN_OPENS = 'the token of a share link, which opens a page in a browser';

export const FORM_OUT_OF_DATE = 'This form is out of date. Go back, reload its page, and send it again.';
export const SIGN_IN_FIRST = 'Sign in first.';
