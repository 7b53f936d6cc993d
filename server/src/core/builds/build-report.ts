import type { Report } from '../coverage/file-coverage.ts';
import { compareNames, createRunningMerge } from '../coverage/merge.ts';
import { type CoverageTotals, reportTotals } from '../coverage/totals.ts';
import { extendLedger, type FlipLedger, type LedgerBuild } from '../flipping/flip-ledger.ts';
import { findFlipping } from '../flipping/flipping-lines.ts';
import type { FileChange } from './build.ts';
import { type ComposedParts, changedLines, composeParts, createFlagGroups, type PartsAsked } from './compose-groups.ts';
import { type ComposedChange, composeChange, type KnownDiffs } from './composed-change.ts';
import { compareFiles } from './file-changes.ts';
import { type ChooseFiles, createFileChooser, type FileChoice } from './file-choice.ts';
import { fitCarried, type TextsSince } from './fit-carried.ts';
import { collectUnmeasured } from './unmeasured-lines.ts';

/** What a close merges. */
export interface Composition {
  /**
   * The jobs that count (rule 10). Each `report` here is read once, flag by flag, and `base` last, so that they may be
   * decoded as they are needed.
   */
  readonly jobs: readonly JobReport[];
  readonly carried: readonly CarriedReport[];
  /** The merged report of the base build. */
  readonly base: Report | undefined;
  readonly diffs?: KnownDiffs | undefined;
  /** Groups and owners that are to be counted. */
  readonly parts?: PartsAsked | undefined;
  /** Which files of reports count, and what they are called; absent: all, as they are. */
  readonly choice?: FileChoice | undefined;
  /** The same for the base, whose report was made by another choice; absent: by this one. */
  readonly baseChoice?: FileChoice | undefined;
  readonly flips?: KnownFlips | undefined;
  /** Sees what is merged so far; it may throw. */
  readonly check?: (merged: Report) => void;
}

/** What is known of lines that flip on the base's branch. */
export interface KnownFlips {
  readonly ledger: FlipLedger;
  /** How many builds of the ledger came after the base. */
  readonly newer: number;
  /** In ms. */
  readonly now: number;
  /** The build itself, if it is the next one of the branch. */
  readonly next: LedgerBuild | undefined;
}

export interface JobReport {
  readonly flag: string | undefined;
  /** For a job, or for several that were merged before. */
  readonly report: Report;
  /** Names of files that jobs within it name with different digests. */
  readonly digestConflicts?: readonly string[];
}

export interface CarriedReport extends TextsSince {
  readonly flag: string;
  readonly report: Report;
}

/** One flag's own numbers within a build. */
export interface ComposedFlag {
  readonly name: string;
  readonly kind: 'uploaded' | 'carried';
  readonly totals: CoverageTotals;
  /** For its changed lines; absent if nobody asks for them, or no diff is known. */
  readonly changes?: CoverageTotals | undefined;
}

/** What came out: the same whatever order the jobs are given in (rule 7). */
export interface ComposedReport extends ComposedChange {
  /** Absent if nothing was asked for. */
  readonly parts?: ComposedParts | undefined;
  readonly report: Report;
  readonly totals: CoverageTotals;
  /** How many files the report names. */
  readonly files: number;
  /** Sorted by name. */
  readonly flags: readonly ComposedFlag[];
  readonly fileChanges: readonly FileChange[];
  readonly fileChangeCount: number;
  /** Files that two jobs name with different digests. */
  readonly digestConflicts: number;
  /** Files of carried reports that are left out, since nobody knows where their lines are now (rule 16). */
  readonly leftOutFiles: number;
  /** For the base, where it was counted again by the choice of this build. */
  readonly baseTotals?: CoverageTotals | undefined;
  /** The ledger with the build in it, if it is the next one of its branch. */
  readonly nextLedger?: FlipLedger | undefined;
}

/** Merges the jobs and carried flags of a build, counts them by flag, and compares the whole with the base. */
export function composeReport(composition: Composition): ComposedReport {
  const { diffs = {}, parts } = composition;
  const flagGroups = createFlagGroups(parts);
  const choose = createFileChooser(composition.choice);
  const { own, flags, digestConflicts } = mergeJobs(composition, { choose, flagGroups });
  const { report, carriedFlags, leftOutFiles, unmeasured } = mergeCarried(own, composition, { choose, flagGroups });
  const { flips, base: stored, baseChoice } = composition;
  const base = stored && createFileChooser(baseChoice)(stored, undefined);
  const flipping = base && flips && findFlipping(flips.ledger, flips);
  const changes = base === undefined ? { changes: [], count: 0 } : compareFiles(report, base, diffs);
  return {
    report,
    totals: reportTotals(report),
    files: report.files.length,
    flags: [...flags, ...carriedFlags].sort((a, b) => compareNames(a.name, b.name)),
    fileChanges: changes.changes,
    fileChangeCount: changes.count,
    digestConflicts,
    leftOutFiles,
    ...(base && baseChoice && { baseTotals: reportTotals(base) }),
    ...composeChange({ report, base, diffs, unmeasured, flipping }),
    ...(parts && {
      parts: composeParts(parts, {
        ...{ report, base, unmeasured },
        baseDiff: diffs.base ?? diffs.patch,
        patch: diffs.patch ?? diffs.base,
        byFlags: flagGroups.finish(),
      }),
    }),
    ...(base &&
      flips?.next && {
        nextLedger: extendLedger(flips.ledger, { build: flips.next, report, before: base, diff: diffs.base }),
      }),
  };
}

interface Adjusting {
  readonly choose: ChooseFiles;
  readonly flagGroups: ReturnType<typeof createFlagGroups>;
}

/** Flag after flag, each job once: memory holds what is merged so far and one flag (rule 6 allows any order). */
function mergeJobs(
  { jobs, check, parts, diffs }: Composition,
  { choose, flagGroups }: Adjusting,
): {
  own: Report;
  flags: readonly ComposedFlag[];
  digestConflicts: number;
} {
  const own = createRunningMerge(check);
  const patch = diffs?.patch ?? diffs?.base;
  const flags: ComposedFlag[] = [];
  const digests = new Map<string, string>();
  const conflicting = new Set<string>();
  for (const [flag, ofFlag] of Map.groupBy(jobs, (job) => job.flag)) {
    const merge = flag === undefined ? own : createRunningMerge(check);
    for (const job of ofFlag) {
      const { report: stored, digestConflicts = [] } = job;
      const report = choose(stored, flag);
      for (const name of digestConflicts) conflicting.add(name);
      noteDigests(report, digests, conflicting);
      merge.add(report);
    }
    if (flag === undefined) continue;
    const merged = merge.finish();
    const changes = patch && parts?.flagLines.includes(flag) ? changedLines(merged, patch) : undefined;
    flags.push({ name: flag, kind: 'uploaded', totals: reportTotals(merged), ...(changes && { changes }) });
    flagGroups.add(flag, merged);
    own.add(merged);
  }
  return { own: own.finish(), flags, digestConflicts: conflicting.size };
}

/** One after the other too: moved lines may take more than those that were carried. */
function mergeCarried(own: Report, { carried, check }: Composition, { choose, flagGroups }: Adjusting) {
  const merged = createRunningMerge(check);
  merged.add(own);
  const carriedFlags: ComposedFlag[] = [];
  const unmeasured = collectUnmeasured(own);
  let leftOutFiles = 0;
  for (const one of carried) {
    const { flag, diff, assumesSame } = one;
    const report = choose(one.report, flag);
    unmeasured.add(report, diff);
    const fitted = fitCarried(report, own, { diff, assumesSame });
    merged.add(fitted.report);
    carriedFlags.push({ name: flag, kind: 'carried', totals: reportTotals(fitted.report) });
    flagGroups.add(flag, fitted.report);
    leftOutFiles += fitted.leftOut;
  }
  return { report: merged.finish(), carriedFlags, leftOutFiles, unmeasured: unmeasured.lines };
}

/** Files that two jobs name with different digests. */
function noteDigests(report: Report, digests: Map<string, string>, conflicting: Set<string>): void {
  for (const { name, digest } of report.files) {
    if (digest === undefined) continue;
    const first = digests.get(name);
    if (first === undefined) digests.set(name, digest);
    else if (first !== digest) conflicting.add(name);
  }
}
