// What is said of the upload, the close and the build that they lead to: lines of the log and of the job summary.
import { counted } from './counted.ts';
import type { Counts, Texts } from './values.ts';

/** How many of all are covered. */
interface Covered {
  readonly covered: number;
  readonly all: number;
}

export const BUILD_CLOSED = 'Build closed.';

export const BUILD_PAGE = 'Build page';

export const NO_RELEVANT_LINES = 'Coverage: no relevant lines';

export const FLAG_TABLE_HEAD = '| Flag | Coverage | Change |';

export function uploading(
  files: number,
  to: { readonly commit: string | undefined; url: string; bytes: number },
): string {
  const { commit = 'unknown', url, bytes } = to;
  return `Uploading ${counted(files, 'file')} for commit ${commit} to ${url} (${counted(bytes, 'byte')})`;
}

export function uploaded(job: string): string {
  return `${job} uploaded.`;
}

export function closed(jobs: number, url: string): string {
  return `Closed the build of ${counted(jobs, 'job')}: ${url}`;
}

export function notClosedYet(url: string): string {
  return noResult('the build is not closed yet', url);
}

export function buildUnreadable(url: string): string {
  return noResult('the build cannot be read with the token at hand', url);
}

export function jobUnreadable(url: string): string {
  return noResult('the job cannot be read with the token at hand', url);
}

export const NOTHING_SENT = 'Dry run: nothing was sent.';

export function verdictFails(verdict: Texts<'state' | 'explanation'>, url: string): string {
  return `The verdict on the build is ${verdict.state}: ${verdict.explanation} See ${url}`;
}

export function verdictUnreadable(url: string): string {
  return (
    `Input wait: the verdict cannot be read with the token at hand, so this step does not end by it. The upload ` +
    `succeeded. See ${url}`
  );
}

export function verdictNeedsAccess(url: string): string {
  return (
    'Input wait: the git host denies the coverage server access to this repo. The upload is kept and judged as soon ' +
    `as the access is back (install its App, or end the suspension), so this step does not end by it. See ${url}`
  );
}

export function noVerdictInTime(seconds: number, url: string): string {
  const limit = `${seconds} s (wait-timeout)`;
  return `Input wait: there is no final verdict after ${limit}, so this step does not end by it. See ${url}`;
}

export function serverFailureAllowed(message: string): string {
  return `Coverage was not processed. The step does not fail for it, since fail-on-server-error is off: ${message}`;
}

export function failureAllowed(message: string): string {
  return `Coverage was not processed, and fail-on-error is off: ${message}`;
}

export function carriedFrom(build: string): string {
  return ` (carried from build ${build})`;
}

/** `job` and `flag` are Markdown; `flag` is empty without one. */
export function summary(
  job: string,
  {
    flag,
    files,
    lines,
    branches,
  }: Texts<'flag'> & Counts<'files'> & { readonly lines: Covered; readonly branches: Covered },
): string {
  const ofFlag = flag === '' ? '' : ` for flag ${flag}`;
  const ofBranches =
    branches.all === 0 ? '' : ` and ${branches.covered} of ${counted(branches.all, 'branch', 'branches')}`;
  const ofLines = `${lines.covered} of ${counted(lines.all, 'line')}`;
  return `${job}${ofFlag}: ${counted(files, 'file')}, ${ofLines}${ofBranches} covered, from:`;
}

export function moreReports(count: number): string {
  return `and ${count} more`;
}

function noResult(reason: string, url: string): string {
  return `No result to show: ${reason}. The outputs coverage, change and verdict stay empty. See ${url}`;
}
