import type { Report } from '../domain/coverage/file-coverage.ts';
import { createRunningMerge } from '../domain/coverage/merge.ts';
import { decodeReport } from '../report-codec/decode-report.ts';

/**
 * The reports of a flag, which may have come in several jobs, as one. Decoded one after the other: encoded a report is
 * a hundredth of its columns.
 */
export function mergeDecoded(reports: readonly Uint8Array[]): Report {
  const merge = createRunningMerge();
  for (const report of reports) merge.add(decodeReport(report));
  return merge.finish();
}
