import { type HistoryRemarks, type HistorySource, MAX_REMARKS, type PastCommit } from '@coverage/shared/history';
import { exactDecimal, type Ratio, totalPercent } from '../coverage/percent.ts';
import type { CoverageTotals } from '../coverage/totals.ts';
import type { Timestamp } from '../time.ts';

export type { HistoryRemarks, HistorySource, PastCommit };
export { MAX_REMARKS };

/** Where a history may come from, as `coverage import-history --from` names it, and as people read it. */
export const HISTORY_SOURCES = {
  codecov: 'Codecov',
  coveralls: 'Coveralls',
  sonarqube: 'SonarQube',
  gocov: 'gocov',
  folder: 'a folder of reports',
} as const satisfies Readonly<Record<HistorySource, string>>;

/** What is known of an imported build: each line, how many lines there were, or a percentage alone. */
export type ImportedDetail = 'lines' | 'counts' | 'percentage';

/** What is known of a build that was brought from another service (docs/migrating.md). */
export interface Imported {
  readonly from: HistorySource;
  /** When it was brought here: retention counts from this. */
  readonly at: Timestamp;
  readonly detail: ImportedDetail;
  /** The percentage that the other service showed, from 0 to 100; absent if it showed none. */
  readonly shown?: number | undefined;
  /** Lines that the other service counts as partly covered; absent if it does not say. */
  readonly partialLines?: number | undefined;
}

/** Our percentage, or the other service's where it is all that is known: that one is shown, never compared. */
export function percentOfBuild(
  totals: CoverageTotals | undefined,
  imported: Pick<Imported, 'shown'> | undefined,
): Ratio | undefined {
  const own = totals && totalPercent(totals);
  return own ?? (imported?.shown === undefined ? undefined : exactDecimal(imported.shown));
}
