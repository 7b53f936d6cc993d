import { NO_TOTALS } from '../coverage/totals.ts';
import type { Timestamp } from '../time.ts';
import type { MergeObstacle } from '../verdict/reason.ts';
import type { Build, BuildResult } from './build.ts';
import { withOverall } from './build-checks.ts';
import type { ClosedBy } from './due-tasks.ts';

/**
 * The result of a build whose reports can never be merged. It keeps the numbers of the close before, and nothing by
 * which other builds would have to do with it, or by which it would be tried again.
 */
export function concludeRefused(refused: {
  readonly build: Build;
  readonly obstacle: MergeObstacle;
  readonly closedBy: ClosedBy;
  readonly at: Timestamp;
}): BuildResult {
  const { build, obstacle, closedBy, at } = refused;
  const { result: last } = build;
  return withOverall({
    closeCount: (last?.closeCount ?? 0) + 1,
    closedAt: at,
    closedBy,
    totals: last?.totals ?? NO_TOTALS,
    files: last?.files ?? 0,
    baseTotals: undefined,
    base: undefined,
    flags: [],
    carried: last?.carried ?? [],
    verdict: {
      state: 'error',
      rule: 'cannot-merge',
      reason: { kind: 'cannot-merge', obstacle },
      provisional: false,
    },
    countedJobs: last?.countedJobs ?? [],
    fileChanges: [],
    fileChangeCount: 0,
    warnings: [{ kind: 'cannot-merge', keepsNumbers: last !== undefined }],
  });
}

/** Whether its reports could not be merged: then it is no base, no flag is carried from it, and no badge shows it. */
export function isRefused({ result }: Pick<Build, 'result'>): boolean {
  return result?.verdict.state === 'error';
}
