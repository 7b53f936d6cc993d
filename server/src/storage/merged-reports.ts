import type { MergedReport } from '../core/builds/merged-reports.ts';
import type { ReportBytes } from '../reports/report-bytes.ts';

/**
 * Reports of a build's jobs that were merged before somebody asked: a cache, which only saves work. One that is there
 * holds exactly its jobs; a copy of the store begins without them.
 */
export interface MergedReports {
  /** In no stated order. */
  ofBuild(buildId: number): Promise<readonly MergedReport[]>;
  /** In the order asked for; undefined: one is no longer there. */
  read(buildId: number, keys: readonly string[]): Promise<readonly ReportBytes[] | undefined>;
  /** One of the same jobs may be there already: it stays. Nothing is written for a build that is gone. */
  put(merged: {
    readonly buildId: number;
    readonly flag: string | undefined;
    readonly jobs: readonly number[];
    readonly report: ReportBytes;
  }): Promise<void>;
  remove(buildId: number, keys: readonly string[]): Promise<void>;
}
