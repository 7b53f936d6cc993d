import type { RepoSettings } from '../repo/settings.ts';
import type { Timestamp } from '../time.ts';
import type { JudgedBase } from '../verdict/findings.ts';
import type { JudgedBuild } from '../verdict/judge-build.ts';
import { judgeChange } from '../verdict/judge-change.ts';
import { judgePatch } from '../verdict/judge-patch.ts';
import type { ChangeSums } from '../verdict/split-change.ts';
import type { FlagVerdict } from '../verdict/verdict.ts';
import { markAccepted } from './acceptance.ts';
import type { BasePick, Build, BuildResult, CarriedPick, UnmetComparison } from './build.ts';
import { withOverall } from './build-checks.ts';
import type { PatchResult } from './build-facts.ts';
import type { ComposedReport } from './build-report.ts';
import { closeWarnings } from './close-warnings.ts';
import type { ClosedBy } from './due-tasks.ts';
import { judgeFlags } from './flag-results.ts';
import type { Job } from './job.ts';
import { findMissingJobs, missingFlags, unreportedFlags } from './missing-flags.ts';

/** All that a close has found out. */
export interface Findings {
  readonly build: Build;
  readonly settings: RepoSettings;
  readonly closedBy: ClosedBy;
  readonly at: Timestamp;
  /** The jobs that count; none, where a run ended without any, or all that it brings is carried. */
  readonly jobs: readonly Job[];
  readonly composed: Omit<ComposedReport, 'report'>;
  readonly base: { readonly build: Build; readonly pick: BasePick } | undefined;
  /** Of flags that it lacks: the build before it that each is compared with, by name. */
  readonly flagBases?: ReadonlyMap<string, Build> | undefined;
  /** What was the base before it was taken out of the bases. */
  readonly excludedBase?: BasePick | undefined;
  readonly carried: readonly CarriedPick[];
  /** Flags that were to be carried and that no build holds (rule 16). */
  readonly notFound: readonly string[];
  /** What it asked to be compared with in another way than it is. */
  readonly unmet?: readonly UnmetComparison[] | undefined;
  /** Why the provider denied us access, a sentence; undefined: it did not. */
  readonly refusal?: string | undefined;
  /** Recent closed builds of the base branch, newest first (rule 13). */
  readonly recent: readonly Build[];
  /** The change of failing flags, by name, as far as it is known (flagsToSplit). */
  readonly flagSplits: ReadonlyMap<string, ChangeSums>;
}

/** The result of a close: flags, verdict and warnings from what was found. */
export function concludeBuild(findings: Findings): BuildResult {
  const { build, settings, composed, base, closedBy, at, jobs, carried, flagSplits } = findings;
  const unreported = findUnreported(findings);
  const { verdict, cause } = judgeChange(toJudge(findings, unreported), composed.split, settings);
  const result: BuildResult = {
    closeCount: (build.result?.closeCount ?? 0) + 1,
    closedAt: at,
    closedBy,
    totals: composed.totals,
    files: composed.files,
    baseTotals: base?.build.result?.totals,
    base: base?.pick,
    excludedBase: findings.excludedBase,
    flags: judgeFlags({ ...findings, flags: composed.flags, unreported, splits: flagSplits }),
    carried,
    verdict,
    countedJobs: jobs.map((job) => job.id),
    unflaggedJobs: countUnflagged(jobs),
    fileChanges: composed.fileChanges,
    fileChangeCount: composed.fileChangeCount,
    warnings: closeWarnings({ ...findings, unmet: findings.unmet ?? [], jobs: jobs.length }),
    patch: composed.patch && { ...composed.patch, verdict: patchVerdict(composed.patch, findings) },
    marks: composed.marks,
    cause,
  };
  return withOverall(markAccepted(result, build.acceptance));
}

function toJudge(findings: Findings, unreported: readonly string[]): JudgedBuild {
  const { build, composed, base, settings, jobs, closedBy, recent, at } = findings;
  return {
    totals: composed.totals,
    base: judgedBase(findings),
    thresholds: settings,
    unreported,
    missingFlags: missingFlags(
      base?.build,
      composed.flags.map(({ name }) => name),
    ),
    missingJobs: findMissingJobs({
      arrived: countUnflagged(jobs),
      stated: build.expectedJobs,
      base: base?.build,
      closedBy,
      runConclusion: build.runConclusion,
      recent,
      waited: at - build.lastJobAt,
    }),
    measuredChanges: jobs.length === 0 ? composed.measuredChanges : undefined,
    patch: composed.patch?.totals,
  };
}

function judgedBase({ base }: Findings): JudgedBase | undefined {
  const totals = base?.build.result?.totals;
  return base && totals && { number: base.pick.number, commit: base.pick.commit, totals };
}

function countUnflagged(jobs: readonly Job[]): number {
  return jobs.filter(({ facts }) => facts.flag === undefined).length;
}

function findUnreported({ build, base, composed, closedBy, recent, settings }: Findings): readonly string[] {
  const present = composed.flags.map((flag) => flag.name);
  return unreportedFlags({
    missing: missingFlags(base?.build, present),
    closedBy,
    runConclusion: build.runConclusion,
    recent,
    expected: settings.expectedFlags,
  });
}

/** Only where the repo asks for it. It fails no build: changed lines have a status of their own (rule 22). */
function patchVerdict(patch: Omit<PatchResult, 'verdict'>, findings: Findings): FlagVerdict | undefined {
  const { patchStatus, patchMinimum, informational } = findings.settings;
  if (!patchStatus && patchMinimum === null) return undefined;
  const verdict = judgePatch({
    totals: patch.totals,
    complete: patch.complete,
    minimum: patchMinimum,
    base: judgedBase(findings),
    notMeasured: patch.notMeasured?.lines,
  });
  return informational ? { ...verdict, informational: true } : verdict;
}
