import { isUtf8 } from 'node:buffer';
import { quoteValue } from '../../core/failure.ts';
import type { Counts } from '../../core/sentences.ts';
import { MAX_DIFF_BYTES, OversizeDiff } from './diff-field.ts';
import { checkJob } from './job-checker.ts';
import { scanJob } from './job-scanner.ts';
import { isTooDeep, JsonWalker, memberSize } from './json-walker.ts';
import type { ParsedJob } from './parsed-job.ts';
import { invalid, tooLarge } from './refusals.ts';

const NOT_UTF8 = 'The upload was not valid UTF-8; invalid bytes were replaced by U+FFFD.';

/** A job with invalid UTF-8 and nothing else unusual may be this many times as large: fixing it costs little. */
const MENDED_FACTOR = 4;

/** A job that was read, with warnings about its text. */
export interface ReadJob {
  readonly job: ParsedJob;
  readonly warnings: readonly string[];
}

/**
 * Reads a job's JSON by the fast scanner, or where that gives up by JSON.parse and checks; `{"json": "<the job>"}`
 * (wire.md, E7) from its string. Throws a Failure: payload-invalid with the place and what was expected there, or
 * payload-too-large for an unusual job above `unusualBytes`.
 */
export function parseJob(bytes: Uint8Array, unusualBytes: number): ReadJob {
  const read = readJson(bytes, unusualBytes);
  const wrapped = read.job.envelope.json;
  if (typeof wrapped !== 'string' || read.job.hasSourceFiles) return read;
  const inner = readJson(Buffer.from(wrapped), unusualBytes);
  return { job: inner.job, warnings: [...read.warnings, ...inner.warnings] };
}

/** The slow path alone, for tests that compare both and for the benchmark. */
export function parseSlowly(bytes: Uint8Array, unusualBytes: number): ReadJob {
  if (bytes.length > unusualBytes || isTooDeep(bytes)) {
    expectValidJson(bytes);
    throw tooLarge(
      'The job holds something unusual (a repeated or escaped key, a wrong type, invalid UTF-8, ' +
        'millions of negative or fractional numbers), and so',
      unusualBytes,
    );
  }
  const job = dropOversizeDiff(parseJson(decode(bytes), bytes), bytes);
  return { job: checkJob(job), warnings: isUtf8(bytes) ? [] : [NOT_UTF8] };
}

/** As the scanner does it: by the size of its text. */
function dropOversizeDiff(job: unknown, bytes: Uint8Array): unknown {
  if (typeof job !== 'object' || job === null || !Object.hasOwn(job, 'diff')) return job;
  const size = memberSize(bytes, 'diff');
  return size > MAX_DIFF_BYTES ? { ...job, diff: new OversizeDiff(size) } : job;
}

function parseJson(text: string, bytes: Uint8Array): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    // The walk names the byte and what belongs there, which JSON.parse does not always.
    expectValidJson(bytes);
    throw invalid('The job is not valid JSON.', { cause });
  }
}

function readJson(bytes: Uint8Array, unusualBytes: number): ReadJob {
  const valid = isUtf8(bytes);
  const mend = !valid && bytes.length <= unusualBytes * MENDED_FACTOR;
  const job = scanJob(mend ? Buffer.from(decode(bytes)) : bytes);
  return job === undefined ? parseSlowly(bytes, unusualBytes) : { job, warnings: valid ? [] : [NOT_UTF8] };
}

/** What is not UTF-8 becomes U+FFFD. */
function decode(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
}

function expectValidJson(bytes: Uint8Array): void {
  const walker = new JsonWalker(bytes);
  if (walker.walkDocument()) return;
  const { at, expected } = walker;
  const found = at < bytes.length ? quoteValue(Buffer.from(bytes.subarray(at, at + 12)).toString('utf8')) : undefined;
  throw invalid(jsonBroken({ at, length: bytes.length, found, expected }));
}

/** `found`: the text at that place, quoted; undefined if the body ends. */
function jsonBroken({
  at,
  length,
  found,
  expected,
}: Counts<'at' | 'length'> & { readonly found: string | undefined; readonly expected: string | undefined }): string {
  const seen = found === undefined ? 'it ends' : `stands ${found}`;
  return `The job is not valid JSON: at byte ${at} of ${length} ${seen} where ${expected} was expected.`;
}
