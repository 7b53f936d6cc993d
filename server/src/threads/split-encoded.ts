import { sumChange } from '../domain/verdict/split-change.ts';
import type { EncodedFlags, FlagSplit } from '../ports/report-engine.ts';
import { mergeDecoded } from './merge-decoded.ts';

/** ReportEngine.splitFlags, on this thread. Throws a Failure of code internal for a damaged report. */
export function splitEncoded({ flags, diff }: EncodedFlags): readonly FlagSplit[] {
  return flags.map(({ flag, reports, baseReports }) => ({
    flag,
    split: sumChange({ base: mergeDecoded(baseReports), head: mergeDecoded(reports), diff }),
  }));
}
