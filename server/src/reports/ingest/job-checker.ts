import { splitGroups } from '../../core/coverage/branches.ts';
import { type Column, NOT_RELEVANT, putValue } from '../../core/coverage/column.ts';
import { quoteValue } from '../../core/failure.ts';
import { type Counts, counted, type Texts } from '../../core/sentences.ts';
import { NO_PACKED_BRANCHES, packBranchColumns, packHitsColumn } from '../codec/packed-file.ts';
import { PartPages } from '../codec/part-pages.ts';
import { MAX_NAME_LENGTH } from '../codec/report-limits.ts';
import { pickEnvelope } from './envelope.ts';
import { cleanFileName } from './file-names.ts';
import { cleanHits } from './hit-count.ts';
import {
  addNegative,
  type Negatives,
  noNegatives,
  type ParsedBranches,
  type ParsedFile,
  type ParsedHits,
  type ParsedJob,
} from './parsed-job.ts';
import { describeValue, invalid, MAX_JOB_FILES, tooManyFiles, wrongValue } from './refusals.ts';
import { ARRAY_FORM, OBJECT_FORM } from './sentences.ts';
import { NO_KEYS, withoutSpares, withUnknownKey } from './source-file-keys.ts';

/**
 * The slow and certain way to read a job: every value of JSON.parse's answer checked by hand. It says which field is
 * wrong, and is the oracle for scanJob. Throws a Failure of code payload-invalid with the field's path, its value and
 * what belongs there.
 */
export function checkJob(job: unknown): ParsedJob {
  if (!isObject(job)) throw invalid(`The job must be a JSON object, but is ${describeValue(job)}.`);
  const envelope = pickEnvelope(job);
  const negativeLines = noNegatives();
  const negativeBranches = noNegatives();
  const sourceFiles = job.source_files ?? [];
  if (!Array.isArray(sourceFiles)) throw wrongValue('source_files', ARRAY_FORM, sourceFiles);
  if (sourceFiles.length > MAX_JOB_FILES) throw tooManyFiles();
  const context = { workspace: new Workspace(), negativeLines, negativeBranches };
  const files = sourceFiles.map((file: unknown, index) => checkFile(file, { index, ...context }));
  return { envelope, hasSourceFiles: Object.hasOwn(job, 'source_files'), files, negativeLines, negativeBranches };
}

/** What all files of a job are checked and packed in: buffers for each took a fifth of the time. */
class Workspace {
  readonly pages = new PartPages(65_536);
  #numbers = new Int32Array(4_096);

  /** Room for so many numbers, until the next call. */
  reserve(count: number): Int32Array {
    if (this.#numbers.length < count) this.#numbers = new Int32Array(Math.max(count, 2 * this.#numbers.length));
    return this.#numbers.subarray(0, count);
  }
}

interface FileContext {
  readonly index: number;
  readonly workspace: Workspace;
  readonly negativeLines: Negatives;
  readonly negativeBranches: Negatives;
}

function checkFile(file: unknown, context: FileContext): ParsedFile {
  const path = `source_files[${context.index}]`;
  if (!isObject(file)) throw wrongValue(path, OBJECT_FORM, file);
  const name = checkName(file.name, `${path}.name`);
  const hits = checkCoverage(file.coverage ?? [], `${path}.coverage`, context);
  const branches = checkBranches(file.branches ?? [], { path: `${path}.branches`, name, ...context });
  const hasCoverage = (file.coverage ?? null) !== null;
  return {
    name,
    hits,
    hasCoverage,
    branches,
    digest: file.source_digest,
    source: file.source,
    misspelt: misspelt(file),
  };
}

function misspelt(file: Readonly<Record<string, unknown>>): readonly string[] {
  const unknown = Object.keys(file).reduce(withUnknownKey, NO_KEYS);
  return withoutSpares(unknown, (known) => Object.hasOwn(file, known));
}

function checkName(name: unknown, path: string): string {
  if (name === undefined) throw invalid(`${path} is missing; give the file's path.`, { field: path });
  if (typeof name !== 'string') throw wrongValue(path, "the file's path", name);
  const clean = cleanFileName(name);
  if (clean !== undefined) return clean;
  if (name.length <= MAX_NAME_LENGTH) throw wrongValue(path, 'a path that names a file', name);
  throw invalid(`${path} must have at most ${MAX_NAME_LENGTH} characters, but has ${name.length}.`, { field: path });
}

function checkCoverage(coverage: unknown, path: string, context: FileContext): ParsedHits {
  if (!Array.isArray(coverage)) throw wrongValue(path, ARRAY_FORM, coverage);
  const plain = context.workspace.reserve(coverage.length);
  let hits: Column = plain;
  for (let line = 0; line < coverage.length; line += 1) {
    const entry: unknown = coverage[line];
    // Nearly all entries: they pass every check below.
    if (hits === plain && (entry === null || (typeof entry === 'number' && entry >= 0 && (entry | 0) === entry))) {
      plain[line] = entry ?? NOT_RELEVANT;
      continue;
    }
    if (entry !== null && typeof entry !== 'number') throw wrongValue(`${path}[${line}]`, 'a number or null', entry);
    if (entry !== null && entry < 0) addNegative(context.negativeLines, context.index, line);
    hits = putValue(hits, line, entry === null ? NOT_RELEVANT : cleanHits(entry));
  }
  return packHitsColumn(hits, context.workspace.pages);
}

function checkBranches(
  branches: unknown,
  context: FileContext & { readonly path: string; readonly name: string },
): ParsedBranches {
  const { path, name, index, negativeBranches, workspace } = context;
  if (!Array.isArray(branches)) throw wrongValue(path, ARRAY_FORM, branches);
  if (branches.length % 4 !== 0) {
    throw invalid(branchesUneven({ path, file: quoteValue(name), numbers: branches.length }), { field: path });
  }
  const { length } = branches;
  if (length === 0) return NO_PACKED_BRANCHES;
  const room = workspace.reserve(2 * length);
  const plain = room.subarray(0, length);
  let groups: Column = plain;
  for (let at = 0; at < branches.length; at += 1) {
    const entry: unknown = branches[at];
    if (groups === plain && typeof entry === 'number' && entry >= 0 && (entry | 0) === entry) {
      plain[at] = entry;
      continue;
    }
    if (typeof entry !== 'number') throw wrongValue(`${path}[${at}]`, 'a number', entry);
    const isHits = at % 4 === 3;
    if (isHits && entry < 0) addNegative(negativeBranches, index, at);
    if (!isHits) checkBranchKey(entry, path, at);
    // JSON has a -0, which no number of a branch is.
    groups = putValue(groups, at, isHits ? cleanHits(entry) : entry + 0);
  }
  const columns = splitGroups(groups, room.subarray(length));
  return columns === undefined ? groups.slice() : packBranchColumns(columns, workspace.pages);
}

function checkBranchKey(entry: number, path: string, at: number): void {
  if (!Number.isSafeInteger(entry)) throw wrongValue(`${path}[${at}]`, 'an integer', entry);
  if (at % 4 === 0 && entry < 0) throw wrongValue(`${path}[${at}]`, 'a line number of 0 or more', entry);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function branchesUneven({ path, file, numbers }: Texts<'path' | 'file'> & Counts<'numbers'>): string {
  const seen = counted(numbers, 'number');
  return `${path} of ${file} must have four numbers per branch (line, block, branch, hits), but has ${seen}.`;
}
