// Builds, their files and reports, as they are read.
import type { Counts, Texts } from './values.ts';

export function notReadable(service: string, name: string): string {
  return (
    `There is no ${service} ${name} here that these credentials may read. Send Authorization: token <personal or ` +
    'repo token>.'
  );
}

export function buildsNotChangeable(service: string, repo: string): string {
  return (
    `Builds of the ${service} repo ${repo} can be read, but not changed, with these credentials: only its owner and ` +
    'administrators may.'
  );
}

export function noBuild(reference: string): string {
  return `There is no build ${reference} here that these credentials may see.`;
}

export function closedAgainSince(build: string): string {
  return `Build ${build} was worked out again since: look at its numbers, then accept these.`;
}

export function nothingToAccept(build: string): string {
  return `Build ${build} has no failed verdict, so there is nothing to accept.`;
}

export function reasonForm(most: number): string {
  return `a text of 1 to ${most} characters`;
}

export const CLOSED_AT_FORM = 'the closed_at of the build that was read';

export const SET_ASIDE_FORBIDDEN = 'Builds of all repos are listed for administrators only: send the token of one.';

export const BUILD_NUMBER_MALFORMED = 'A build’s address ends with its number here.';

export const PERCENT_SIGN_ALONE = 'The address holds a percent sign that stands for no character: write it %25.';

export const NOT_CLOSED_YET = 'it has not been closed yet';

export function noFileInReport(file: string): string {
  return `its report has no file ${file}`;
}

export function noSuchFile({ build, why, id }: Texts<'build' | 'why'> & Counts<'id'>): string {
  return `Build ${build} has no such file: ${why}. GET /builds/${id}/source_files.json lists its files.`;
}

export const NO_RELEVANT_LINES = 'no relevant lines';

export function jobReportMissing(job: number): string {
  return `The report of job ${job} is not stored (any more).`;
}

export const SOURCE_FILES = 'source files';

/** What a page was asked for, before its name in "There is no … here". */
export const BUILD_OF_COMMIT = 'build of commit';
export const PULL_REQUEST = 'pull request';
export const BUILD_OF_PULL_REQUEST = 'build of pull request';

export function commitAmbiguous(digits: string, commits: number): string {
  return `${commits} commits of this repo begin with ${digits}. Give more of its digits.`;
}
