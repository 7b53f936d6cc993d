import { countedJobsOfFlag } from '../domain/builds/counted-jobs.ts';
import { type FlagFindings, flagsToSplit } from '../domain/builds/flag-results.ts';
import type { Job } from '../domain/builds/job.ts';
import type { Diff } from '../domain/diff/file-diff.ts';
import { Failure } from '../domain/failure.ts';
import type { ChangeSums } from '../domain/verdict/split-change.ts';
import type { ReportBytes } from '../ports/report-bytes.ts';
import type { EncodedComposition, EncodedFlags, ReportEngine } from '../ports/report-engine.ts';
import type { JobStore } from '../ports/store.ts';

export interface SplitFlagsDeps {
  readonly jobs: Pick<JobStore, 'ofBuild' | 'reports'>;
  readonly engine: Pick<ReportEngine, 'splitFlags'>;
}

/** What moved the flags that fail, by name; nothing of a flag that nobody can tell it of. */
export type SplitFlags = (
  found: Pick<FlagFindings, 'settings' | 'flags' | 'base'> & {
    /** The build's own jobs that count, as they were composed. */
    readonly jobs: EncodedComposition['jobs'];
    /** From the base build's commit to the build's. */
    readonly diff: Diff | undefined;
  },
) => Promise<ReadonlyMap<string, ChangeSums>>;

/**
 * A flag has no merged report of its own: on both sides it is made anew of the flag's jobs, for failing flags alone.
 */
export function createSplitFlags({ jobs: store, engine }: SplitFlagsDeps): SplitFlags {
  return async ({ settings, flags, base, jobs, diff }) => {
    if (base === undefined || diff === undefined) return new Map();
    const wanted = flagsToSplit({ settings, flags, base });
    const baseJobs = wanted.length === 0 ? [] : await store.ofBuild(base.build.id);
    const known: EncodedFlags['flags'][number][] = [];
    for (const flag of wanted) {
      const reports = jobs.filter((job) => job.flag === flag).map(({ report }) => report);
      const baseReports = await storedReports(store, countedJobsOfFlag(baseJobs, base.build, flag));
      if (baseReports !== undefined) known.push({ flag, reports, baseReports });
    }
    const splits = known.length === 0 ? [] : await engine.splitFlags({ flags: known, diff });
    return new Map(splits.map(({ flag, split }) => [flag, split]));
  };
}

/** Undefined where one is gone. */
async function storedReports(
  store: SplitFlagsDeps['jobs'],
  jobs: readonly Job[],
): Promise<readonly ReportBytes[] | undefined> {
  try {
    return await store.reports(jobs.map(({ id }) => id));
  } catch (error) {
    if (error instanceof Failure && error.code === 'not-found') return undefined;
    throw error;
  }
}
