import { MAX_FILE_LINES } from '../../core/coverage/file-coverage.ts';
import {
  countAddedLines,
  type Diff,
  type DiffKind,
  type FileDiff,
  type Hunk,
  MAX_ADDED_LINES,
} from '../../core/diff/file-diff.ts';
import { cleanFileName } from './file-names.ts';
import { describeValue } from './refusals.ts';
import { ARRAY_FORM, OBJECT_FORM } from './sentences.ts';

/**
 * Bytes of the JSON text of `diff`, blanks included: a change of 10,000 files and 100,000 hunks takes less, and what
 * JSON.parse makes of this many bytes stays small beside the job.
 */
export const MAX_DIFF_BYTES = 4 * 2 ** 20;
/** Files of one diff: three times what GitHub lists for a pull request. */
const MAX_DIFF_FILES = 10_000;
/** Hunks of all files: a close walks over every one of them. */
const MAX_DIFF_HUNKS = 100_000;

const SHA = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i;
const KINDS: ReadonlySet<unknown> = new Set<DiffKind>(['added', 'removed', 'modified', 'renamed']);

/** Takes the place of a `diff` above MAX_DIFF_BYTES, which is not parsed. */
export class OversizeDiff {
  readonly bytes: number;

  constructor(bytes: number) {
    this.bytes = bytes;
  }
}

/** The JSON text of a `diff`, valid as JSON, as a value. */
export function parseDiff(text: Buffer): unknown {
  return text.length > MAX_DIFF_BYTES ? new OversizeDiff(text.length) : JSON.parse(text.toString('utf8'));
}

/** What an upload says changed: from which commit to which, and what. */
export interface CheckedDiff {
  readonly base: string;
  readonly head: string;
  readonly diff: Diff;
}

/** A diff that cannot be used: the sentence says which part does not fit, and why. Never leaves this file. */
class Misfit extends Error {}

/**
 * Checks the key `diff` of a job (shared JobDiff). It is an addition, so nothing in it refuses an upload: what does not
 * fit, or is over a limit, is left out whole, with a warning that names it.
 */
export function checkDiff(value: unknown): { readonly checked?: CheckedDiff; readonly warnings: readonly string[] } {
  if (value === undefined || value === null || value === '') return { warnings: [] };
  try {
    return { checked: readDiff(value), warnings: [] };
  } catch (error) {
    if (!(error instanceof Misfit)) throw error;
    return { warnings: [`The upload's diff was not used: ${error.message}`] };
  }
}

function readDiff(value: unknown): CheckedDiff {
  if (value instanceof OversizeDiff)
    throw new Misfit(
      `it has ${value.bytes} bytes of JSON, but at most ${MAX_DIFF_BYTES} are allowed; ` +
        'list fewer files, with complete: false.',
    );
  const diff = expectObject(value, 'diff');
  const files = expectList(diff.files, 'diff.files', MAX_DIFF_FILES);
  if (typeof diff.complete !== 'boolean') throw misfit('diff.complete', 'true or false', diff.complete);
  return {
    base: readSha(diff.base_sha, 'diff.base_sha'),
    head: readSha(diff.head_sha, 'diff.head_sha'),
    diff: { files: readFiles(files), complete: diff.complete },
  };
}

function readFiles(values: readonly unknown[]): readonly FileDiff[] {
  const count: HunkCount = { hunks: 0 };
  const files = values.map((value, index) => readFile(value, `diff.files[${index}]`, count));
  const added = countAddedLines(files);
  if (added > MAX_ADDED_LINES)
    throw new Misfit(
      `it puts ${added} new lines into modified and renamed files, ` +
        `and may put ${MAX_ADDED_LINES}; send hunks: null for the largest.`,
    );
  return files;
}

/** Hunks that were read so far, of all files. */
interface HunkCount {
  hunks: number;
}

function readFile(value: unknown, path: string, count: HunkCount): FileDiff {
  const file = expectObject(value, path);
  if (!KINDS.has(file.kind)) throw misfit(`${path}.kind`, 'added, removed, modified or renamed', file.kind);
  const kind = file.kind as DiffKind;
  const hunks = file.hunks === null ? undefined : readHunks(file.hunks, `${path}.hunks`, count);
  return {
    name: readName(file.name, `${path}.name`),
    previousName: kind === 'renamed' ? readName(file.previous_name, `${path}.previous_name`) : undefined,
    kind,
    hunks: hunks ?? [],
    complete: hunks !== undefined,
  };
}

/** In order, with as many unchanged lines between two in the old text as in the new, and at least one. */
function readHunks(value: unknown, path: string, count: HunkCount): readonly Hunk[] {
  const hunks = expectList(value, path, MAX_DIFF_HUNKS);
  count.hunks += hunks.length;
  if (count.hunks > MAX_DIFF_HUNKS) throw new Misfit(`it has more than ${MAX_DIFF_HUNKS} hunks in all.`);
  let last: Hunk | undefined;
  return hunks.map((group, index) => {
    const hunk = readHunk(group, `${path}[${index}]`);
    const unchanged = hunk.oldStart - (last === undefined ? 1 : last.oldStart + last.oldLines);
    const unchangedNow = hunk.newStart - (last === undefined ? 1 : last.newStart + last.newLines);
    if (unchanged !== unchangedNow || unchanged < (last === undefined ? 0 : 1))
      throw misfit(
        `${path}[${index}]`,
        'behind the one before, with as many unchanged lines between them on both sides',
        group,
      );
    last = hunk;
    return hunk;
  });
}

function readHunk(value: unknown, path: string): Hunk {
  const numbers = expectList(value, path, MAX_DIFF_HUNKS);
  const fits =
    numbers.length === 4 && numbers.every((number) => Number.isSafeInteger(number) && (number as number) >= 0);
  const [oldStart = 0, oldLines = 0, newStart = 0, newLines = 0] = numbers as readonly number[];
  const isHunk = fits && oldStart >= 1 && newStart >= 1 && oldLines + newLines >= 1;
  if (!isHunk)
    throw new Misfit(
      `${path} must be [old start, old lines, new start, new lines], counted from 1, but is ${shown(value)}.`,
    );
  if (Math.max(oldStart + oldLines, newStart + newLines) - 1 > MAX_FILE_LINES)
    throw new Misfit(
      `${path} must end within the ${MAX_FILE_LINES} lines that a file can have, but is ${shown(value)}.`,
    );
  return { oldStart, oldLines, newStart, newLines };
}

function readName(value: unknown, path: string): string {
  const clean = typeof value === 'string' ? cleanFileName(value) : undefined;
  if (clean === undefined) throw misfit(path, "a file's path", value);
  return clean;
}

function readSha(value: unknown, path: string): string {
  if (typeof value !== 'string' || !SHA.test(value)) throw misfit(path, "a commit's whole sha", value);
  return value.toLowerCase();
}

function expectObject(value: unknown, path: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw misfit(path, OBJECT_FORM, value);
  return value as Readonly<Record<string, unknown>>;
}

function expectList(value: unknown, path: string, limit: number): readonly unknown[] {
  if (!Array.isArray(value)) throw misfit(path, ARRAY_FORM, value);
  if (value.length > limit) throw new Misfit(`${path} has ${value.length} entries, but at most ${limit} are allowed.`);
  return value;
}

function misfit(path: string, must: string, value: unknown): Misfit {
  return new Misfit(`${path} must be ${must}, but is ${shown(value)}.`);
}

/** Four numbers are shown as they are; of anything longer only what it is. */
function shown(value: unknown): string {
  const isShort = Array.isArray(value) && value.length <= 4 && value.every((one) => typeof one === 'number');
  return isShort ? JSON.stringify(value) : describeValue(value);
}
