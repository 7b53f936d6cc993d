import { branchesFromGroups } from '../../core/coverage/branches.ts';
import type { FileCoverage } from '../../core/coverage/file-coverage.ts';
import { mergeFiles } from '../../core/coverage/merge.ts';
import { Failure, quoteValue } from '../../core/failure.ts';
import {
  type PackedBranches,
  type PackedFile,
  type PackedReport,
  packBranchColumns,
  packHitsColumn,
  unpackColumns,
} from '../codec/packed-file.ts';
import { MAX_DIGEST_LENGTH } from '../codec/report-limits.ts';
import type { IngestedJob } from './ingest.ts';
import type { Negatives, ParsedBranches, ParsedFile, ParsedJob } from './parsed-job.ts';
import { linesBeyondEnd } from './sentences.ts';
import { keyWarnings } from './source-file-keys.ts';
import { SourceTexts } from './source-texts.ts';
import { withinText } from './text-end.ts';

/** The report of one job, with everything else that its source files brought. */
export interface JobReport {
  readonly report: PackedReport;
  readonly sources: IngestedJob['sources'];
  readonly filesWithoutSource: number;
  readonly warnings: readonly string[];
  /** What is wrong with the keys of its source files (source-file-keys.ts). */
  readonly keyWarnings: readonly string[];
}

/**
 * Packed columns, digests and sources of a job's files; a name that occurs twice is merged (rule 8). What was ignored
 * becomes warnings. Throws a Failure payload-too-large for what could not be sorted in time.
 */
export function buildReport(job: ParsedJob): JobReport {
  const branches = branchesOfFiles(job.files);
  const texts = new SourceTexts();
  const digests = new Ignored('source_digest');
  const sources = new Ignored('source');
  const beyond = { lines: 0, files: 0 };
  let filesWithoutSource = 0;
  const files = job.files.map((file, index): PackedFile => {
    const source = cleanSource(file, sources, texts);
    const hits = ArrayBuffer.isView(file.hits) ? packHitsColumn(file.hits) : file.hits;
    // As an empty `__init__.py` comes: its text is there, and holds nothing.
    const isEmpty = file.source === '' && hits.relevant === 0;
    if (source === undefined && !isEmpty) filesWithoutSource += 1;
    const digest = cleanDigest(file, digests);
    const packed = { name: file.name, digest, source, hits, branches: branches[index] as PackedBranches };
    if (source === undefined) return packed;
    const within = withinText(packed, file.source as string);
    if (within.left > 0) beyond.files += 1;
    beyond.lines += within.left;
    return within.file;
  });
  const negatives = (all: Negatives, place: (index: number) => string): string[] => {
    if (all.first === undefined) return [];
    const name = quoteValue(job.files[all.first.file]?.name);
    return [`Negative hits count as 0 (${all.count} of them, the first in ${name} at ${place(all.first.index)}).`];
  };
  const warnings = [
    ...negatives(job.negativeLines, (index) => `line ${index + 1}`),
    ...negatives(job.negativeBranches, (index) => `branch ${Math.floor(index / 4) + 1}`),
    ...digests.warnings(),
    ...sources.warnings(),
    ...(beyond.files > 0 ? [linesBeyondEnd(beyond.lines, beyond.files)] : []),
  ];
  return {
    report: toReport(files),
    sources: texts.list(),
    filesWithoutSource,
    warnings,
    keyWarnings: keyWarnings(job.files),
  };
}

/** Opaque, compared without regard to case (wire.md). */
function cleanDigest(file: ParsedFile, ignored: Ignored): string | undefined {
  const { digest } = file;
  if (digest === undefined || digest === null) return undefined;
  const clean = typeof digest === 'string' ? digest.trim().toLowerCase() : undefined;
  if (clean !== undefined && clean.length <= MAX_DIGEST_LENGTH) return clean === '' ? undefined : clean.toWellFormed();
  ignored.add(file);
  return undefined;
}

/** An empty text is a missing one (wire.md: every field may be missing, null or ""). */
function cleanSource(file: ParsedFile, ignored: Ignored, texts: SourceTexts): string | undefined {
  const { source } = file;
  if (source === undefined || source === null || source === '') return undefined;
  if (typeof source === 'string') return texts.add(source);
  ignored.add(file);
  return undefined;
}

/** Counts the files of which one field could not be used. */
class Ignored {
  readonly #field: 'source_digest' | 'source';
  #count = 0;
  #first: string | undefined;

  constructor(field: 'source_digest' | 'source') {
    this.#field = field;
  }

  add(file: ParsedFile): void {
    this.#count += 1;
    this.#first ??= file.name;
  }

  warnings(): string[] {
    if (this.#count === 0) return [];
    const form = this.#field === 'source' ? 'a string' : `a string of at most ${MAX_DIGEST_LENGTH} characters`;
    return [
      `${this.#field} was ignored where it is not ${form} ` +
        `(files: ${this.#count}, the first ${quoteValue(this.#first)}).`,
    ];
  }
}

/** Branches of a job in files that do not list them in order: sorting a million of them takes two seconds. */
const MAX_UNSORTED_BRANCHES = 2 ** 20;

/**
 * The packed branches of each file. Throws a Failure payload-too-large for more branches out of order than can be
 * sorted in time.
 */
function branchesOfFiles(files: readonly ParsedFile[]): readonly PackedBranches[] {
  const unsorted = files.reduce(
    (all, { branches }) => (isPacked(branches) || isSorted(branches) ? all : all + branches.length / 4),
    0,
  );
  if (unsorted > MAX_UNSORTED_BRANCHES)
    throw new Failure(
      'payload-too-large',
      `A job can have at most ${MAX_UNSORTED_BRANCHES} branches in files that do not ` +
        'list them in order (line, block, branch), each ' +
        `once; this one has ${unsorted}. Sort them, or split the job with \`parallel\`.`,
    );
  return files.map(({ branches }) => (isPacked(branches) ? branches : packBranchColumns(branchesFromGroups(branches))));
}

function isPacked(branches: ParsedBranches): branches is PackedBranches {
  return 'keys' in branches && typeof branches.keys === 'number';
}

/** Whether flat groups of four are in order of (line, block, branch), each once. */
function isSorted(groups: ArrayLike<number>): boolean {
  for (let at = 4; at < groups.length; at += 4) {
    const order =
      (groups[at] as number) - (groups[at - 4] as number) ||
      (groups[at + 1] as number) - (groups[at - 3] as number) ||
      (groups[at + 2] as number) - (groups[at - 2] as number);
    if (order <= 0) return false;
  }
  return true;
}

/** The report of a job's files, in any order; those of the same name are merged (rule 8). */
function toReport(files: readonly PackedFile[]): PackedReport {
  // Most clients list them in order: then nothing is sorted.
  if (files.every(({ name }, index) => index === 0 || (files[index - 1] as PackedFile).name < name)) return { files };
  const byName = new Map<string, PackedFile[]>();
  for (const file of files) {
    const same = byName.get(file.name);
    if (same === undefined) byName.set(file.name, [file]);
    else same.push(file);
  }
  // By UTF-16 code units, as compareNames has it, without a call for each comparison.
  const names = [...byName.keys()].sort();
  return { files: names.map((name) => mergeSame(byName.get(name) as PackedFile[])) };
}

function mergeSame(files: readonly PackedFile[]): PackedFile {
  if (files.length === 1) return files[0] as PackedFile;
  const { name, digest, source, hits, branches } = mergeHalves(files.map(unpackColumns));
  return { name, digest, source, hits: packHitsColumn(hits), branches: packBranchColumns(branches) };
}

/**
 * By halves, which merging allows (rule 7): one after the other, 20,000 files of one name with a branch each took 20 s.
 */
function mergeHalves(files: readonly FileCoverage[]): FileCoverage {
  if (files.length <= 2) return mergeFiles(files);
  const middle = files.length >>> 1;
  return mergeFiles([mergeHalves(files.slice(0, middle)), mergeHalves(files.slice(middle))]);
}
