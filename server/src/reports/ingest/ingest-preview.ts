import type { SentDiff } from '../../core/diff/sent-diff.ts';
import { counted } from '../../core/sentences.ts';
import { encodeDiff } from '../codec/diff-codec.ts';
import { readJobBytes } from './body-encodings.ts';
import { checkDiff } from './diff-field.ts';
import type { IngestedJob, IngestLimits, UploadBody } from './ingest.ts';
import { ingestJobBytes } from './ingest-job.ts';
import { isTooDeep } from './json-walker.ts';
import { invalid, tooLarge, wrongValue } from './refusals.ts';

/** Jobs of one preview: a matrix has fewer. */
export const MAX_PREVIEWED_JOBS = 100;

/** Diffs that a question brings: of the pull request, of its base, and of what flags are carried from. */
export const MAX_PREVIEWED_DIFFS = 10;

/** What is asked of a preview: plain JSON values, not yet checked. */
const QUESTION_KEYS = [
  'head_sha',
  'branch',
  'base_branch',
  'merge_base_sha',
  'ancestors',
  'pull_request',
  'tested_at_merge',
  'coverage_yml',
  'carryforward',
] as const;

/** A body of `POST /api/v1/preview`, read: its jobs are checked and encoded as an upload's are. */
export interface IngestedPreview {
  readonly question: Readonly<Partial<Record<(typeof QUESTION_KEYS)[number], unknown>>>;
  readonly diffs: readonly SentDiff[];
  /** The texts of the diffs, under their digests. */
  readonly sources: IngestedJob['sources'];
  readonly jobs: readonly IngestedJob[];
  readonly warnings: readonly string[];
}

/**
 * Reads a preview's lines: the question first, then its jobs, each of them by the scanner that reads uploads. Runs in a
 * worker thread. Throws the Failures of ingestJob.
 */
export async function ingestPreview(body: UploadBody, limits: IngestLimits): Promise<IngestedPreview> {
  const [first, ...rest] = splitLines(await readJobBytes(body, limits.reportBytes));
  const { question, diffs } = readQuestion(first ?? new Uint8Array(0), limits.unusualBytes);
  if (rest.length === 0)
    throw invalid(
      'The preview has no jobs. After the question send at least one line with a job, as an upload sends it.',
    );
  const checked = diffs.map(checkDiff);
  const stored = checked.flatMap(({ checked: diff }) => (diff === undefined ? [] : [store(diff)]));
  return {
    question,
    diffs: stored.map(({ diff }) => diff),
    sources: stored.map(({ source }) => source),
    jobs: rest.map((line) => ingestJobBytes(line, limits)),
    warnings: checked.flatMap(({ warnings }) => warnings),
  };
}

function store({ base, head, diff }: NonNullable<ReturnType<typeof checkDiff>['checked']>) {
  const source = encodeDiff(diff);
  return { source, diff: { base, head, digest: source.digest } };
}

const LINE_FEED = 0x0a;

/** A JSON string has no line feed. Empty lines are skipped. */
function splitLines(bytes: Uint8Array): readonly Uint8Array[] {
  const lines: Uint8Array[] = [];
  for (let start = 0; start < bytes.length; ) {
    const found = bytes.indexOf(LINE_FEED, start);
    const end = found < 0 ? bytes.length : found;
    const line = bytes.subarray(start, end);
    start = end + 1;
    if (line.every((byte) => byte <= 0x20)) continue;
    if (lines.length > MAX_PREVIEWED_JOBS)
      throw invalid(
        `A preview has at most ${counted(MAX_PREVIEWED_JOBS, 'job')}. Merge reports of one flag into one job.`,
      );
    lines.push(line);
  }
  return lines;
}

/** It becomes objects, so it may be as large as a job that the scanner does not understand. */
function readQuestion(
  line: Uint8Array,
  limit: number,
): { readonly question: IngestedPreview['question']; readonly diffs: readonly unknown[] } {
  if (line.length > limit) throw tooLarge("A preview's question", limit);
  const asked = isTooDeep(line) ? undefined : parseObject(line);
  if (asked === undefined)
    throw invalid(
      'The first line of a preview must be a JSON object, the question; each further line is one job, as an upload ' +
        'sends it. docs/api.md, "Preview", has an example.',
    );
  const known = QUESTION_KEYS.filter((key) => Object.hasOwn(asked, key));
  const { diffs = [] } = asked;
  if (!Array.isArray(diffs) || diffs.length > MAX_PREVIEWED_DIFFS)
    throw wrongValue('diffs', `an array of at most ${counted(MAX_PREVIEWED_DIFFS, 'diff')}`, diffs);
  return { question: Object.fromEntries(known.map((key) => [key, asked[key]])), diffs };
}

function parseObject(line: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(line.buffer, line.byteOffset, line.length).toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    return undefined;
  }
}
