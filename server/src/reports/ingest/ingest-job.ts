import { encodeDiff } from '../codec/diff-codec.ts';
import { encodePacked } from '../codec/encode-report.ts';
import { readJobBytes } from './body-encodings.ts';
import { buildReport } from './build-report.ts';
import { type CheckedDiff, checkDiff } from './diff-field.ts';
import { reduceEnvelope } from './envelope.ts';
import type { IngestedJob, IngestLimits, UploadBody } from './ingest.ts';
import { leftOutWarnings } from './left-out.ts';
import { parseJob } from './parse-job.ts';
import { readRulesField } from './rules-field.ts';

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
