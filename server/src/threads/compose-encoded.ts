import { type ComposedReport, type Composition, composeReport } from '../domain/builds/build-report.ts';
import type { Report } from '../domain/coverage/file-coverage.ts';
import { createRunningMerge } from '../domain/coverage/merge.ts';
import { sumChange } from '../domain/verdict/split-change.ts';
import type { EncodedComposed, EncodedComposition, EncodedFlags, FlagSplit } from '../ports/report-engine.ts';
import { decodeReport } from '../report-codec/decode-report.ts';
import { encodeReport } from '../report-codec/encode-report.ts';

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

/** ReportEngine.splitFlags, on this thread. Throws a Failure of code internal for a damaged report. */
export function splitEncoded({ flags, diff }: EncodedFlags): readonly FlagSplit[] {
  return flags.map(({ flag, reports, baseReports }) => ({
    flag,
    split: sumChange({ base: mergeDecoded(baseReports), head: mergeDecoded(reports), diff }),
  }));
}

/** One after the other: encoded a report is a hundredth of its columns. */
function* decodedJobs({ jobs }: EncodedComposition): Generator<{ flag: string | undefined; report: Report }> {
  for (const { flag, report } of jobs) yield { flag, report: decodeReport(report) };
}

/** The reports of a flag, which may have come in several jobs, as one. Decoded one after the other too. */
function mergeDecoded(reports: readonly Uint8Array[]): Report {
  const merge = createRunningMerge();
  for (const report of reports) merge.add(decodeReport(report));
  return merge.finish();
}
