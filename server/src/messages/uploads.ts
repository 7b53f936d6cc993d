// Uploads: limits, a server that is too busy, and what is taken with a warning.
import { counted } from './counted.ts';
import type { Counts, Texts } from './values.ts';

export function repoRemoved(repo: string): string {
  return `The repo ${repo} was removed while this job was uploaded. Create it again and use its new repo token.`;
}

export function tooManyJobs(build: string, jobs: number): string {
  return (
    `Build ${build} holds ${jobs} jobs already and takes no more. No run sends so many: give each run a ` +
    'service_number of its own.'
  );
}

export function jobsDisagree({ job, what, theirs, first }: Texts<'what' | 'theirs' | 'first'> & Counts<'job'>): string {
  return `Job ${job} states ${what} ${theirs}, but an earlier job of this build stated ${first}; the first counts.`;
}

export const PULL_REQUEST = 'pull request';

export const COMMIT_MESSAGE = 'commit message';

export const NO_COMMIT = 'this build states no commit';

export function tests(commit: string): string {
  return `this build tests ${commit}`;
}

export function diffOfOtherCommit(head: string, but: string): string {
  return `brought a diff that leads to ${head}, but ${but}; it is not used.`;
}

export const ANOTHER_DIFF = 'brought another diff than an earlier job of this build; the first counts.';

export function notATextOrNumber(found: string): string {
  return `must be a text or a number, but is ${found}`;
}

export function notASwitch(found: string): string {
  return `must be true or false, but is ${found}`;
}

export function notACountOfJobs(found: string, most: number): string {
  return `must be a whole number from 1 to ${most}, but is ${found}`;
}

export const DOES_NOT_FIT = 'does not fit';

export const RUN_AT_UNREADABLE = 'run_at could not be read as a time; the time of arrival counts.';

export function textCut({
  field,
  characters,
  kept,
  found,
}: Texts<'field' | 'found'> & Counts<'characters' | 'kept'>): string {
  return `${field} has ${characters} characters, of which ${kept} were kept: ${found}.`;
}

export function noneFree(seconds: number): string {
  return `none was free for ${seconds} s`;
}

export function othersWait(tasks: number): string {
  return counted(tasks, 'more task waits', 'more tasks wait');
}

export function threadsBusy(why: string): string {
  return `All threads are busy, and ${why}. Nothing was stored. Send the request again in a few seconds.`;
}

export const SHUTTING_DOWN = 'The server is shutting down. Send the request again in a moment.';

export function checkTooSlow(bytes: number, seconds: number): string {
  return (
    `This upload (${bytes} bytes as sent) could not be checked within ${seconds} s, and clients do not wait much ` +
    'longer. Nothing was stored. Split it with `parallel`, or give the server more processors.'
  );
}

export function checkHeldUp(bytes: number, seconds: number): string {
  return (
    `This upload (${bytes} bytes as sent) could not be checked within ${seconds} s, because the server's machine is ` +
    'busy with other work. Nothing was stored. Send it again in a moment; where this happens often, give the server ' +
    'more processors.'
  );
}

export const REPORT_FAULT =
  'A report could not be processed because of a fault in this server. Its log has the details.';

export const QUEUE_TOO_LONG =
  'The uploads of this build have waited too long for the database. Nothing was stored; try again in a moment.';

export const TOO_MANY_CHANGES =
  'Too many changes came to the same build at once. Nothing was stored; try again in a moment.';

export const MEMORY_FULL =
  'Other uploads take all the memory that this server has for uploads, and none of them ended in time. Nothing was ' +
  'stored. Send this again in a few seconds.';

export function tooSlow(bytes: number): string {
  return (
    'The body came too slowly while other uploads waited for memory. It was stopped after ' +
    `${counted(bytes, 'byte')}, and nothing was stored. Send it again, compressed or in parts.`
  );
}

export function otherRepo(named: string, own: string): string {
  return (
    `repo_name is ${named}, but the token is that of the repo ${own}: the job counts there. Use the token of ` +
    `${named}.`
  );
}

const SEND_OWN_TOKEN =
  "Nothing was stored. A repo's own token at the beginning of the job, or in the Authorization header, counts for " +
  'its repo instead.';

export function addressOverJobs({ jobs, limit, retryAfter }: Counts<'jobs' | 'limit' | 'retryAfter'>): string {
  return (
    `This address sent ${counted(jobs, 'job')} within a minute with tokens that are not known here; the limit is ` +
    `${limit} (MAX_ADDRESS_JOBS_PER_MINUTE). ${SEND_OWN_TOKEN} Send it again in ${retryAfter} s.`
  );
}

export function addressOverBytes({
  today,
  bytes,
  limit,
  retryAfter,
}: Counts<'today' | 'bytes' | 'limit' | 'retryAfter'>): string {
  return (
    `This address sent ${counted(today, 'byte')} today (UTC) with tokens that are not known here, and this upload ` +
    `has ${bytes}; the limit is ${limit} a day (MAX_ADDRESS_BYTES_PER_DAY). ${SEND_OWN_TOKEN} Send it again in ` +
    `${retryAfter} s.`
  );
}

export function repoOverJobs({
  repo,
  jobs,
  limit,
  retryAfter,
}: Texts<'repo'> & Counts<'jobs' | 'limit' | 'retryAfter'>): string {
  return (
    `The repo ${repo} sent ${counted(jobs, 'job')} within a minute; the limit of one repo is ${limit} ` +
    `(MAX_REPO_JOBS_PER_MINUTE). Nothing was stored; send it again in ${retryAfter} s.`
  );
}

export function repoOverBytes({
  today,
  bytes,
  limit,
  retryAfter,
}: Counts<'today' | 'bytes' | 'limit' | 'retryAfter'>): string {
  return (
    `This repo sent ${counted(today, 'byte')} today (UTC), and this upload has ${bytes}; the limit of one repo is ` +
    `${limit} a day (MAX_REPO_BYTES_PER_DAY). Nothing was stored; send it again in ${retryAfter} s.`
  );
}

export function tooManyOpenBuilds(open: number): string {
  return (
    `${counted(open, 'parallel build of this repo is', 'parallel builds of this repo are')} open, and no more may ` +
    'be (MAX_REPO_OPEN_BUILDS). Nothing was stored; close them (POST /webhook), or wait for their quiet period.'
  );
}

/** `isKnown`: several commits begin so. */
export function shortCommit(commit: string, { isKnown }: { readonly isKnown: boolean }): string {
  const why = isKnown ? 'several commits of this repo begin so' : 'no build of this repo is of a commit that begins so';
  return `The commit ${commit} is shortened, and ${why}: no commit status can be posted. Send all its digits.`;
}

export function withoutSource(files: number): string {
  return (
    `${counted(files, 'file')} came without source; a manual repo has no provider to show it from, so send "source" ` +
    'with each source file.'
  );
}

export const THREAD_ENDED =
  'The thread that processed this report ended before it was done. The log of the server has the reason.';

export const SETTINGS_NEED_REPO_TOKEN = 'This needs a repo token: send Authorization: Bearer <repo token>.';

/** For those who maintain the repo that was named; the sender was told more. */
export const UNPROVEN = 'An upload named this repo and brought no token that belongs to it.';

const COUNTED_AS = { run: 'this run', pull: 'this pull request', address: 'this address', repo: 'forks of this repo' };

interface OverQuota extends Counts<'used' | 'bytes' | 'limit'> {
  readonly of: keyof typeof COUNTED_AS;
  readonly variable: string;
}

const WITH_TOKEN = 'Nothing was stored. Uploads with the token of the repo are not counted here.';

export function unverifiedOverBytes({
  of,
  used,
  bytes,
  limit,
  variable,
  retryAfter,
}: OverQuota & Counts<'retryAfter'>): string {
  return (
    `Uploads without a token of ${COUNTED_AS[of]} brought ${counted(used, 'byte')} today (UTC), as sent or as ` +
    `stored, and this one brings ${bytes}; the limit is ${limit} a day (${variable}). ${WITH_TOKEN} Send smaller ` +
    `reports, or send it again in ${retryAfter} s.`
  );
}

export function unverifiedTooLarge({ of, bytes, limit, variable }: Omit<OverQuota, 'used'>): string {
  return (
    `This upload without a token brings ${counted(bytes, 'byte')}, as sent or as stored; uploads of ` +
    `${COUNTED_AS[of]} may bring ${limit} a day (${variable}). ${WITH_TOKEN} Send smaller reports.`
  );
}
