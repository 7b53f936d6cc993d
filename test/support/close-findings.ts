import { toBasePick } from '../../server/src/core/builds/base-build.ts';
import type { BuildResult, FlagResult } from '../../server/src/core/builds/build.ts';
import type { ComposedReport } from '../../server/src/core/builds/build-report.ts';
import { concludeBuild, type Findings } from '../../server/src/core/builds/conclude-build.ts';
import { DEFAULT_REPO_SETTINGS } from '../../server/src/core/repo/settings.ts';
import { aBuild, aClosedBuild, aJob, aResult, sha, totals } from './records.ts';

/** What a close has found out, as tests state it: an ordinary one, with what the test states put over it. */

export const CLOSED_AT = 5_000;

/** Three files with 80 of 100 lines covered, without flags. */
export function composed(stated: Partial<Omit<ComposedReport, 'report'>> = {}): Omit<ComposedReport, 'report'> {
  return {
    totals: totals(80, 100),
    files: 3,
    flags: [],
    fileChanges: [],
    fileChangeCount: 0,
    digestConflicts: 0,
    leftOutFiles: 0,
    ...stated,
  };
}

/** The result of a build with one job, closed by the webhook at CLOSED_AT, without a base. */
export function conclude(stated: Partial<Findings> = {}): BuildResult {
  return concludeBuild({
    build: aBuild(),
    settings: DEFAULT_REPO_SETTINGS,
    closedBy: 'webhook',
    at: CLOSED_AT,
    jobs: [aJob()],
    composed: composed(),
    base: undefined,
    carried: [],
    notFound: [],
    recent: [],
    flagSplits: new Map(),
    ...stated,
  });
}

/** Build 70 on main with these flags, as a base. */
export function baseWith(
  flags: readonly FlagResult[],
  result: Partial<BuildResult> = {},
): NonNullable<Findings['base']> {
  const build = aClosedBuild({ sequence: 70, commit: sha('b'), branch: 'main', result: aResult({ flags, ...result }) });
  return { build, pick: toBasePick(build, { rule: 'previous-on-branch', commitsAway: undefined }) };
}
