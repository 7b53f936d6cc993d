import { type ComposedReport, type Composition, composeReport } from '../domain/builds/build-report.ts';
import type { Report } from '../domain/coverage/file-coverage.ts';
import type { EncodedComposed, EncodedComposition } from '../ports/report-engine.ts';
import { decodeReport } from '../report-codec/decode-report.ts';
import { encodeReport } from '../report-codec/encode-report.ts';
import { mergeDecoded } from './merge-decoded.ts';

/**
 * Decodes what a close merges, composes it and encodes the outcome. Throws a Failure of code internal for a damaged
 * report, and payload-too-large for a merged one that no report can hold.
 */
export function composeEncoded(
  input: EncodedComposition,
  compose: (input: Composition) => ComposedReport = composeReport,
): EncodedComposed {
  const composed = compose({
    jobs: decodedJobs(input),
    carried: input.carried.map(({ flag, reports, diff }) => ({ flag, report: mergeDecoded(reports), diff })),
    base: input.base === undefined ? undefined : decodeReport(input.base),
    diffs: input.diffs,
  });
  return { ...composed, report: encodeReport(composed.report) };
}

/** One after the other: encoded a report is a hundredth of its columns. */
function* decodedJobs({ jobs }: EncodedComposition): Generator<{ flag: string | undefined; report: Report }> {
  for (const { flag, report } of jobs) yield { flag, report: decodeReport(report) };
}
