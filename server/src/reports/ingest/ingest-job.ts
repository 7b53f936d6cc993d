import { quoteValue } from '../../core/failure.ts';
import { counted } from '../../core/sentences.ts';
import { encodeDiff } from '../codec/diff-codec.ts';
import { encodePacked } from '../codec/encode-report.ts';
import { readJobBytes } from './body-encodings.ts';
import { buildReport } from './build-report.ts';
import { type CheckedDiff, checkDiff } from './diff-field.ts';
import { reduceEnvelope } from './envelope.ts';
import type { IngestedJob, IngestLimits, UploadBody } from './ingest.ts';
import { parseJob } from './parse-job.ts';
import { readRulesField } from './rules-field.ts';
import { isOrAre, linesBeyondEnd } from './sentences.ts';

/**
 * An upload as it came, to a checked job and its encoded report. Runs in a worker thread. Throws a Failure for the
 * client: payload-invalid (the field, the value seen and what belongs there) or payload-too-large (the limit).
 */
export async function ingestJob(body: UploadBody, limits: IngestLimits): Promise<IngestedJob> {
  return ingestJobBytes(await readJobBytes(body, limits.reportBytes), limits);
}

/** The same of a job's JSON, unpacked. */
export function ingestJobBytes(bytes: Uint8Array, limits: IngestLimits): IngestedJob {
  const { job, warnings } = parseJob(bytes, limits.unusualBytes);
  const { envelope, warnings: cuts } = reduceEnvelope(job.envelope);
  const { report, sources, filesWithoutSource, warnings: ignored, keyWarnings } = buildReport(job);
  const { checked, warnings: misfits } = checkDiff(job.envelope.diff);
  const stored = checked && storeDiff(checked);
  const { rules, warnings: unread } = readRulesField(job.envelope.coverage_yml);
  const encoded = encodePacked(report);
  return {
    envelope,
    report: encoded.bytes,
    totals: encoded.totals,
    files: report.files.length,
    filesWithoutSource,
    contentDigest: encoded.contentDigest,
    diff: stored?.diff,
    rules,
    sources: stored === undefined ? sources : [...sources, stored.source],
    warnings: [...warnings, ...leftOutWarnings(job.envelope.left_out), ...cuts, ...misfits, ...unread, ...ignored],
    keyWarnings,
  };
}

/** The stored text, and what the job keeps of it. */
function storeDiff({ base, head, diff }: CheckedDiff) {
  const source = encodeDiff(diff);
  return { source, diff: { base, head, digest: source.digest } };
}

const MAX_FOLDERS = 5;
const LARGEST = 1_000_000_000;

/** What a client says that it left out of a job (`left_out`), as warnings in our words; any other form is ignored. */
function leftOutWarnings(value: unknown): string[] {
  const { files, folders, ambiguous, beyond_end } = asFields(value);
  const beyond = asFields(beyond_end);
  const listed = Array.isArray(folders) ? folders.slice(0, MAX_FOLDERS).filter((one) => typeof one === 'string') : [];
  const [outside, unclear, lines] = [asCount(files), asCount(ambiguous), asCount(beyond.lines)];
  return [
    ...(outside === 0
      ? []
      : [
          leftOutOutside(
            outside,
            listed.map((folder) => quoteValue(folder)),
          ),
        ]),
    ...(unclear === 0
      ? []
      : [
          `The upload left out ${counted(unclear, 'file')} of its reports ` +
            'that may match several files of the checkout.',
        ]),
    ...(lines === 0 ? [] : [linesBeyondEnd(lines, asCount(beyond.files))]),
  ];
}

/** By its keys alone: a hostile object has millions of others. */
function asFields(value: unknown): Partial<Readonly<Record<string, unknown>>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function asCount(value: unknown): number {
  return Number.isSafeInteger(value) && (value as number) > 0 ? Math.min(value as number, LARGEST) : 0;
}

/** `folders` are quoted, those with the most files first. */
function leftOutOutside(files: number, folders: readonly string[]): string {
  const where = folders.length === 0 ? '' : ` (in ${folders.join(', ')})`;
  const outside = `${counted(files, 'file')} of its reports that ${isOrAre(files)} not in the checkout`;
  return `The upload left out ${outside}${where}.`;
}
