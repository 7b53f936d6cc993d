// What is wrong with a job: its JSON, its source files, its diff. Names in capitals with FORM say what a value must be.
import { counted } from './counted.ts';
import type { Counts, Texts } from './values.ts';

export function tooManyUnsorted(most: number, branches: number): string {
  return (
    `A job can have at most ${most} branches in files that do not list them in order (line, block, branch), each ` +
    `once; this one has ${branches}. Sort them, or split the job with \`parallel\`.`
  );
}

export function negativeHits({ count, file, place }: Texts<'file' | 'place'> & Counts<'count'>): string {
  return `Negative hits count as 0 (${count} of them, the first in ${file} at ${place}).`;
}

export function diffNotUsed(why: string): string {
  return `The upload's diff was not used: ${why}`;
}

export function diffTooLarge(bytes: number, most: number): string {
  return `it has ${bytes} bytes of JSON, and may have ${most}; list fewer files, with complete: false.`;
}

export const SWITCH_FORM = 'true or false';

export function tooManyNewLines(lines: number, most: number): string {
  return (
    `it puts ${lines} new lines into modified and renamed files, and may put ${most}; send hunks: null for the ` +
    'largest.'
  );
}

export const KIND_FORM = 'added, removed, modified or renamed';

export function tooManyHunks(most: number): string {
  return `it has more than ${most} hunks in all.`;
}

export const HUNK_ORDER = 'behind the one before, with as many unchanged lines between them on both sides';

export function hunkWrong(path: string, found: string): string {
  return `${path} must be [old start, old lines, new start, new lines], counted from 1, and is ${found}.`;
}

export function hunkTooFar({ path, most, found }: Texts<'path' | 'found'> & Counts<'most'>): string {
  return `${path} must end within the ${most} lines that a file may have, and is ${found}.`;
}

export const PATH_FORM = "a file's path";

export const SHA_FORM = "a commit's whole sha";

export const OBJECT_FORM = 'an object';

export const ARRAY_FORM = 'an array';

export function tooManyEntries({ path, entries, most }: Texts<'path'> & Counts<'entries' | 'most'>): string {
  return `${path} has ${entries} entries, and may have ${most}.`;
}

export function diffFieldWrong({ path, form, found }: Texts<'path' | 'form' | 'found'>): string {
  return `${path} must be ${form}, and is ${found}.`;
}

export function jobNoObject(found: string): string {
  return `The job must be a JSON object, and is ${found}.`;
}

export function pathMissing(field: string): string {
  return `${field} is missing; give the file's path.`;
}

export const FILE_PATH_FORM = "the file's path";

export const FILE_NAME_FORM = 'a path that names a file';

export function nameTooLong({ path, most, characters }: Texts<'path'> & Counts<'most' | 'characters'>): string {
  return `${path} must have at most ${most} characters, and has ${characters}.`;
}

export const HITS_FORM = 'a number or null';

export function branchesUneven({ path, file, numbers }: Texts<'path' | 'file'> & Counts<'numbers'>): string {
  const seen = counted(numbers, 'number');
  return `${path} of ${file} must have four numbers per branch (line, block, branch, hits), and has ${seen}.`;
}

export const INTEGER_FORM = 'an integer';

export const LINE_FORM = 'a line number of 0 or more';

export const NOT_UTF_8 = 'The upload was not valid UTF-8; what could not be read was replaced by U+FFFD.';

export const UNUSUAL_JOB =
  'The job holds something unusual (a repeated or escaped key, a wrong type, invalid UTF-8, millions of negative or ' +
  'fractional numbers), and so';

export const NOT_JSON = 'The job is not valid JSON.';

/** `found`: the text that stands there, quoted; undefined where the body ends. */
export function jsonBroken({
  at,
  length,
  found,
  expected,
}: Counts<'at' | 'length'> & { readonly found: string | undefined; readonly expected: string | undefined }): string {
  const seen = found === undefined ? 'it ends' : `stands ${found}`;
  return `The job is not valid JSON: at byte ${at} of ${length} ${seen} where ${expected} was expected.`;
}

export function tooLarge({ what, limit, mebibytes }: Texts<'what' | 'mebibytes'> & Counts<'limit'>): string {
  return (
    `${what} is larger than the limit of ${counted(limit, 'byte')} (${mebibytes} MiB). Split the upload with ` +
    '`parallel`, or raise the limit on the server.'
  );
}

export function tooManyFiles(most: number): string {
  return `A job can hold at most ${most} source files; this one has more. Split it with \`parallel\`.`;
}

export function fieldWrong({ path, form, found }: Texts<'path' | 'form' | 'found'>): string {
  return `${path} must be ${form}, and is ${found}.`;
}

export function anArrayOf(length: number): string {
  return `an array of ${length}`;
}

export const NAME_BYTES = 'bytes of file names';

export const SOURCE_FILES = 'source files';

export const NAME_CHARACTERS = 'characters in a file name';

export const DIGEST_CHARACTERS = 'characters in a digest';

export const FILE_LINES = 'lines in a file';

export function reportTooLarge({ most, what, found }: Texts<'what'> & Counts<'most' | 'found'>): string {
  return `A report can hold at most ${most} ${what}; this one has ${found}. Split it by flag or directory.`;
}

/** `form`: what the field must be. */
export function fieldIgnored(field: string, { form, files, first }: Texts<'form' | 'first'> & Counts<'files'>): string {
  return `${field} was ignored where it is not ${form} (files: ${files}, the first ${first}).`;
}

export const STRING_FORM = 'a string';

export function stringOfAtMost(characters: number): string {
  return `a string of at most ${characters} characters`;
}

export function keyMisspelt({ key, meant, where }: Texts<'key' | 'meant' | 'where'>): string {
  return `${key} is no key of a source file; did you mean ${meant}? It is in ${where}.`;
}

export function coverageMissing(where: string): string {
  return `"coverage" is missing or null, so that no line counts, in ${where}. Send a list, [] if it is empty.`;
}

export function namedFiles(count: number, first: string): string {
  return count === 1 ? `the source file ${first}` : `${count} source files, the first ${first}`;
}

/** `folders` are quoted, those with the most files first. */
export function leftOutOutside(files: number, folders: readonly string[]): string {
  const where = folders.length === 0 ? '' : ` (in ${folders.join(', ')})`;
  const outside = `${counted(files, 'file')} of its reports that ${isOrAre(files)} not in the checkout`;
  return `The upload left out ${outside}${where}.`;
}

export function leftOutUnclear(files: number): string {
  return `The upload left out ${counted(files, 'file')} of its reports that may be any of several in the checkout.`;
}

export function linesBeyondEnd(lines: number, files: number): string {
  return (
    `${counted(lines, 'line')} beyond the end of ${counted(files, 'file')} ${isOrAre(lines)} left out: the report ` +
    'was made from another text.'
  );
}

function isOrAre(count: number): string {
  return count === 1 ? 'is' : 'are';
}
