import { reportedFlags } from '../domain/builds/base-build.ts';
import type { Build } from '../domain/builds/build.ts';
import { flagsToCarry } from '../domain/builds/carryforward.ts';
import type { Findings } from '../domain/builds/conclude-build.ts';
import { countedJobsOfFlag } from '../domain/builds/counted-jobs.ts';
import { type FlagFindings, flagsToSplit } from '../domain/builds/flag-results.ts';
import { flagsOf, type Job } from '../domain/builds/job.ts';
import type { Diff } from '../domain/diff/file-diff.ts';
import { Failure } from '../domain/failure.ts';
import type { Repo } from '../domain/repo/repo.ts';
import type { ChangeSums } from '../domain/verdict/split-change.ts';
import { type Answer, answerOf, refusalOf } from '../facts/ask-provider.ts';
import type { Deadline } from '../facts/deadline.ts';
import type { ReportBytes } from '../ports/report-bytes.ts';
import type { EncodedComposition, EncodedFlags, ReportEngine } from '../ports/report-engine.ts';
import type { JobStore, Store } from '../ports/store.ts';
import type { CarriedFlag, ChooseCarried, DiffCarried } from './carry-flags.ts';
import type { ChosenBase } from './choose-base.ts';
import type { DiffSince, FindAnnotationDiff, FindDiffs } from './find-diffs.ts';

export interface MergeBuildDeps {
  readonly store: Pick<Store, 'builds' | 'jobs'>;
  readonly chooseCarried: ChooseCarried;
  readonly diffCarried: DiffCarried;
  readonly diffSince: DiffSince;
  readonly findDiffs: FindDiffs;
  readonly findAnnotationDiff: FindAnnotationDiff;
  readonly splitFlags: SplitFlags;
  readonly engine: Pick<ReportEngine, 'compose'>;
}

export interface MergeInput {
  readonly build: Build;
  readonly repo: Repo;
  /** Those that count (rule 10). */
  readonly jobs: readonly Job[];
  readonly base: ChosenBase | undefined;
  readonly deadline: Deadline;
}

export interface MergedBuild extends Pick<Findings, 'composed' | 'carried' | 'notFound' | 'flagSplits'> {
  readonly report: ReportBytes;
  /** What the provider did not say, though it may say it later. */
  readonly unavailable: {
    /** What changed since the base. */
    readonly changes: boolean;
    /** What changed since a build that a flag is carried from. */
    readonly carried: boolean;
    /** How the text to annotate differs from the tested one. */
    readonly annotations: boolean;
  };
  /** Why the provider denied us access; undefined: it did not. */
  readonly refusal: string | undefined;
}

/** The jobs that count and the flags to carry, merged, and compared with the base (rules 6 to 8, 15 and 16). */
export type MergeBuild = (input: MergeInput) => Promise<MergedBuild>;

export function createMergeBuild(deps: MergeBuildDeps): MergeBuild {
  const { store, chooseCarried, findDiffs, findAnnotationDiff, splitFlags, engine } = deps;
  return async (input) => {
    const { build, repo, base, deadline } = input;
    const jobs = await encodedJobs(deps, input.jobs);
    const wanted = flagsToCarry(build.carryforward, base ? reportedFlags(base.build) : [], flagsOf(input.jobs));
    const { carried, notFound } = await chooseCarried({ build, repo, flags: wanted });
    const { unavailable, refusal, ...diffs } = await findDiffs({ build, repo, base, deadline });
    const moved = await moveCarried(deps, input, { jobs, carried });
    // Last: no verdict waits for it.
    const annotated = await findAnnotationDiff({ build, repo, deadline });
    const { report, ...composed } = await engine.compose({
      jobs,
      carried: moved.carried,
      base: base && (await store.builds.report(base.build.id)),
      diffs: { ...diffs, shown: answerOf(annotated) },
    });
    const { settings } = repo;
    return {
      report,
      composed,
      carried: carried.map((one) => one.pick),
      notFound,
      flagSplits: await splitFlags({ settings, flags: composed.flags, base, jobs, diff: diffs.base }),
      unavailable: {
        changes: unavailable,
        carried: moved.unavailable,
        annotations: annotated.kind === 'unavailable',
      },
      refusal: refusalOf(annotated) ?? moved.refusal ?? refusal,
    };
  };
}

async function encodedJobs({ store }: MergeBuildDeps, jobs: readonly Job[]): Promise<EncodedComposition['jobs']> {
  const reports = await store.jobs.reports(jobs.map((job) => job.id));
  return jobs.map((job, index) => ({ flag: job.facts.flag, report: reports[index] as ReportBytes }));
}

interface MovedCarried {
  readonly carried: EncodedComposition['carried'];
  readonly unavailable: boolean;
  readonly refusal: string | undefined;
}

/** Rule 16: the carried flags with what changed since they were uploaded. */
async function moveCarried(
  { diffCarried, diffSince }: MergeBuildDeps,
  { build, repo, deadline }: MergeInput,
  merged: { readonly jobs: EncodedComposition['jobs']; readonly carried: readonly CarriedFlag[] },
): Promise<MovedCarried> {
  const answers: Answer<Diff>[] = [];
  const carried = await diffCarried({
    repoId: repo.id,
    ...merged,
    providerDiffOf: async (origin) => {
      const answer = await diffSince({ build, repo, origin, deadline });
      answers.push(answer);
      return answerOf(answer);
    },
  });
  return {
    carried,
    unavailable: answers.some(({ kind }) => kind === 'unavailable'),
    refusal: answers.map(refusalOf).findLast((one) => one !== undefined),
  };
}

export interface SplitFlagsDeps {
  readonly jobs: Pick<JobStore, 'ofBuild' | 'reports'>;
  readonly engine: Pick<ReportEngine, 'splitFlags'>;
}

/** What moved the flags that fail, by name; a flag whose reports are no longer stored is left out. */
export type SplitFlags = (
  found: Pick<FlagFindings, 'settings' | 'flags' | 'base'> & {
    /** The build's own jobs that count, as they were composed. */
    readonly jobs: EncodedComposition['jobs'];
    /** From the base build's commit to the build's. */
    readonly diff: Diff | undefined;
  },
) => Promise<ReadonlyMap<string, ChangeSums>>;

/** No merged report of a flag is stored: on both sides it is merged of the flag's jobs, for failing flags alone. */
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

/** Undefined where one is no longer stored. */
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
