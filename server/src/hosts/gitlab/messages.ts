// What GitLab answers, what it asks for, and what it sends.

export function nameWrong(form: string): string {
  return `A GitLab project must be ${form}.`;
}

export function shaNotWhole(found: string): string {
  return `GitLab sets statuses on whole commit SHAs only, not on ${found}.`;
}

export const TOO_MANY_WRITES = 'Too many writes to GitLab are waiting already.';

export const TOKEN_REFUSED =
  'the token is wrong, expired or revoked; set a valid one as GITLAB_TOKEN and restart, or as the token of the repo';
export const NEEDS_RIGHTS =
  'the token needs the scope `api` and the role Developer in the project, or Maintainer where the branch is protected';
export const GITLAB_IN_TROUBLE = 'GitLab has trouble';
export const NOT_ACCEPTED = 'GitLab does not accept what was sent';
export const BUSY = 'another status of this commit is being set';

export const CREDENTIAL = 'GITLAB_TOKEN';
export const ACCESS_ENDED = "the server's token lost its access to the project; give it access again";

export const JOB_TOKEN = 'a GitLab CI job token';
export const PERSONAL_TOKEN = 'a GitLab access token';
export const OAUTH_TOKEN = 'a GitLab OAuth token';
export const ANY_TOKEN = 'a GitLab token';
export const ACCEPTED_TOKENS = "a job's CI_JOB_TOKEN (or the access token of somebody who may push)";
export const OF_JOB = "a job's CI_JOB_TOKEN";
export const SEE_RUN = 'GitLab shows the job of a CI_JOB_TOKEN only while it runs.';
export const TOKEN_RIGHTS = 'A job token counts while its job runs; an access token needs the scope `read_api`.';

export const WEBHOOK_OFF = 'This server accepts no webhooks from GitLab: GITLAB_WEBHOOK_SECRET is not set.';
export function hookStopped(project: string): string {
  return `GitLab no longer sends messages to the webhook of ${project} because too many deliveries failed.`;
}
export const SIGNING_TOKEN_NOT_TAKEN =
  'GitLab accepts no signing token before 19.0; set GITLAB_WEBHOOK_SECRET to a secret token (openssl rand -hex 32).';
export const SECRET_MISSING =
  'X-Gitlab-Token is missing; set the secret token of the webhook at GitLab to the value of GITLAB_WEBHOOK_SECRET.';
export const SECRET_WRONG =
  'X-Gitlab-Token is wrong; set the secret token of the webhook at GitLab to the value of GITLAB_WEBHOOK_SECRET.';
export const SIGNATURE_MISSING =
  'webhook-signature is missing; give the webhook at GitLab the signing token that GITLAB_WEBHOOK_SECRET holds.';
export const SIGNATURE_WRONG =
  "webhook-signature is not this message's signature; set GITLAB_WEBHOOK_SECRET to the signing token of the webhook.";

export function eventMissing(found: string): string {
  return `X-Gitlab-Event must name the event, but is ${found}.`;
}
