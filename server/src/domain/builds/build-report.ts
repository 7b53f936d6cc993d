import type { Report } from '../coverage/file-coverage.ts';
import { compareNames, createRunningMerge, type RunningMerge } from '../coverage/merge.ts';
import { type CoverageTotals, reportTotals } from '../coverage/totals.ts';
import type { Diff } from '../diff/file-diff.ts';
import type { FileChange } from './build.ts';
import { type ComposedChange, composeChange, type KnownDiffs } from './composed-change.ts';
import { compareFiles } from './file-changes.ts';
import { restrictCarried } from './restrict-carried.ts';

/** What a close merges. */
export interface Composition {
  /** The jobs that count (rule 10); read once, one after the other, so that they may be decoded as they are needed. */
  readonly jobs: Iterable<{ readonly flag: string | undefined; readonly report: Report }>;
  readonly carried: readonly CarriedReport[];
  /** The merged report of the base build. */
  readonly base: Report | undefined;
  readonly diffs?: KnownDiffs | undefined;
}

export interface CarriedReport {
  readonly flag: string;
  readonly report: Report;
  /** From the commit that it was made for to the build's, where it is known (rule 16). */
  readonly diff?: Diff | undefined;
}

/** One flag's own numbers within a build. */
export interface ComposedFlag {
  readonly name: string;
  readonly kind: 'uploaded' | 'carried';
  readonly totals: CoverageTotals;
}

/** What came out: the same whatever order the jobs are given in (rule 7). */
export interface ComposedReport extends ComposedChange {
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
  /**
   * Carried files that have changed since in a way that no diff shows, whose hits count only on lines that this build
   * calls relevant (rule 16).
   */
  readonly restrictedFiles: number;
}

/** Merges the jobs and carried flags of a build, counts them by flag, and compares the whole with the base. */
export function composeReport(composition: Composition): ComposedReport {
  const { jobs, carried, base, diffs = {} } = composition;
  const { own, flags, digestConflicts } = mergeJobs(jobs);
  const { report, carriedFlags, restrictedFiles } = mergeCarried(own, carried);
  const changes = base === undefined ? { changes: [], count: 0 } : compareFiles(report, base, diffs);
  return {
    report,
    totals: reportTotals(report),
    files: report.files.length,
    flags: [...flags, ...carriedFlags].sort((a, b) => compareNames(a.name, b.name)),
    fileChanges: changes.changes,
    fileChangeCount: changes.count,
    digestConflicts,
    restrictedFiles,
    ...composeChange({ report, base, diffs }),
  };
}

/** One pass over the jobs, with few of them in memory at a time. */
function mergeJobs(jobs: Composition['jobs']): {
  own: Report;
  flags: readonly ComposedFlag[];
  digestConflicts: number;
} {
  const own = createRunningMerge();
  const byFlag = new Map<string, RunningMerge>();
  const digests = new Map<string, string>();
  const conflicting = new Set<string>();
  for (const { flag, report } of jobs) {
    own.add(report);
    noteDigests(report, digests, conflicting);
    if (flag === undefined) continue;
    const ofFlag = byFlag.get(flag) ?? createRunningMerge();
    ofFlag.add(report);
    byFlag.set(flag, ofFlag);
  }
  const flags = [...byFlag].map(([name, merge]) => ({
    name,
    kind: 'uploaded' as const,
    totals: reportTotals(merge.finish()),
  }));
  return { own: own.finish(), flags, digestConflicts: conflicting.size };
}

/** One after the other too: moved lines may take more than those that were carried. */
function mergeCarried(own: Report, carried: Composition['carried']) {
  const merged = createRunningMerge();
  merged.add(own);
  const carriedFlags: ComposedFlag[] = [];
  let restrictedFiles = 0;
  for (const { flag, report, diff } of carried) {
    const fitted = restrictCarried(report, own, diff);
    merged.add(fitted.report);
    carriedFlags.push({ name: flag, kind: 'carried', totals: reportTotals(fitted.report) });
    restrictedFiles += fitted.restricted;
  }
  return { report: merged.finish(), carriedFlags, restrictedFiles };
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
