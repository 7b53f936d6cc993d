// Uploads and closes without a secret: why the run that they name does not vouch for them.
import type { Texts } from './values.ts';

/** `repoName`: quoted. */
export function refused({ repoName, found, remedy }: Texts<'repoName' | 'found' | 'remedy'>): string {
  return `No repo_token was sent, and no run vouches for this in the repo ${repoName}. ${found} ${remedy}`;
}

export function withoutSecrets(run: string): string {
  return `The run ${run} has no secrets: it is of a fork, or of a bot.`;
}

export const SWITCHED_OFF = 'It takes nothing from runs without secrets, such as those of forks.';

export const SWITCH_ON = 'Whoever administers it can change that: its setting accept_forks.';

/** To the holder of a token of such a run. The same whether this server has the repo or not. */
export const OFF_OR_NOT_HERE =
  'Runs without secrets count where this server has the repo and its setting accept_forks is on, and one of both is ' +
  'not so.';

export function noCredential(host: string): string {
  return `This server has no credential of its own for ${host}, so it cannot ask about the run.`;
}

export function setCredential(settings: string): string {
  return `The operator can set ${settings}.`;
}

export const NO_RUN = 'No field holds the id of a run.';

export function sendRun(runId: string): string {
  return `Send ${runId} as service_number (on close as payload.build_num).`;
}

export function notSeen(host: string, runs: string): string {
  return `${host} knows no run ${runs} there.`;
}

export function ofOtherRepo(run: string): string {
  return `The run ${run} belongs to another repo.`;
}

export function nameOwnRun(runId: string): string {
  return `Send the id of the run that this comes from (${runId}).`;
}

/** `event`: the host's own word. */
export function ofOtherEvent(run: string, event: string): string {
  return `The run ${run} was started by ${event}, and does not test a pull request.`;
}

export function hasSecrets(run: string): string {
  return `The run ${run} is of the repo itself, which gets its secrets.`;
}

export const SEND_TOKEN = "Send the repo's own token, or a token of the run, as repo_token.";

export function awaitsApproval(run: string): string {
  return `The run ${run} waits for approval, so nothing of it has run.`;
}

export const APPROVE = 'Have it approved first.';

export function endedBefore(run: string, minutes: number): string {
  return `The run ${run} ended more than ${minutes} minutes ago.`;
}

export const RUN_AGAIN = 'Run it again.';

export const PULL_REQUEST_MISSING = 'The job names no pull request.';

export const SEND_PULL_REQUEST = 'Send its number as service_pull_request.';

export function ofOtherPull(run: string, pullRequest: number): string {
  return `The run ${run} does not test the pull request ${pullRequest}.`;
}

export function ofOtherCommit({ run, commit, other }: Texts<'run' | 'commit' | 'other'>): string {
  return `The run ${run} tests the commit ${commit} or a merge of it, and the job is for ${other}.`;
}

export const COMMIT_MISSING = 'The job names no commit.';

export function sendCommit(where: string): string {
  return `Send the commit that the run checked out (${where}) as commit_sha.`;
}

export function deniedToServer(host: string): string {
  return `${host} does not let this server see the run.`;
}

export const ASK_OPERATOR = "The operator can check this server's credential and its rights (actions: read).";

export function unanswered(repoName: string, host: string): string {
  return (
    `No repo_token was sent, and ${host} did not say in time whether a run vouches for this in the repo ${repoName}. ` +
    'Nothing was stored; send it again.'
  );
}

export function tooMany(retryAfter: number): string {
  return `Too many runs without secrets are being checked. Nothing was stored; try again in ${retryAfter} seconds.`;
}
