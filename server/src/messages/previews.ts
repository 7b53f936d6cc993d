// Previews: the verdict that a pull request will get.
import { counted } from './counted.ts';
import type { Counts, Texts } from './values.ts';

export const QUESTION_FORM =
  'The first line of a preview must be a JSON object, the question; each further line is one job, as an upload ' +
  'sends it. docs/api.md, "Preview", has an example.';

export const THE_QUESTION = "A preview's question";

export const NO_JOBS =
  'The preview has no jobs. After the question send at least one line with a job, as an upload sends it.';

export function tooManyJobs(most: number): string {
  return `A preview has at most ${counted(most, 'job')}. Merge reports of one flag into one job.`;
}

export function diffsForm(most: number): string {
  return `an array of at most ${counted(most, 'diff')}`;
}

export const SHA_FORM = 'must be a whole commit sha: 40 or 64 hexadecimal digits';

export function ancestorsForm(most: number): string {
  return `must be an array of at most ${most} whole commit shas`;
}

export const TEXT_FORM = 'must be a text';

export const SWITCH_FORM = 'must be true or false';

export const PULL_REQUEST_FORM = "must be a pull request's number";

export const CREDENTIAL_NEEDED =
  'A preview needs a credential: send the repo token, or a personal token together with ' +
  '?repo=<service>/<owner>/<name>, as "Authorization: Bearer <token>".';

export const REPO_NEEDED =
  'With a personal token a preview must say which repo is meant: add ?repo=<service>/<owner>/<name> to the address.';

export function notRepoOfToken(repo: string): string {
  return `The repo token belongs to another repo than ${repo}. Send the token of that repo, or leave out ?repo.`;
}

export function tooManyPreviews({
  repo,
  count,
  limit,
  retryAfter,
}: Texts<'repo'> & Counts<'count' | 'limit' | 'retryAfter'>): string {
  return (
    `${counted(count, 'preview')} of the repo ${repo} came within a minute; the limit of one repo is ${limit} ` +
    `(MAX_REPO_JOBS_PER_MINUTE). Ask again in ${retryAfter} s.`
  );
}
