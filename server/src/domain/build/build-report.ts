import type { FileCoverage, Report } from '../coverage/file-coverage.ts';
import { compareNames, mergeReports } from '../coverage/merge.ts';
import { type CoverageTotals, reportTotals } from '../coverage/totals.ts';
import type { FileChange } from './build.ts';
import { restrictCarried } from './carryforward.ts';
import { compareFiles } from './file-changes.ts';

/** What a close merges. */
export interface Composition {
  /** The jobs that count (rule 10). */
  readonly jobs: readonly { readonly flag: string | undefined; readonly report: Report }[];
  readonly carried: readonly { readonly flag: string; readonly report: Report }[];
  /** The merged report of the base build. */
  readonly base: Report | undefined;
}

/** One flag's own numbers within a build. */
export interface ComposedFlag {
  readonly name: string;
  readonly kind: 'uploaded' | 'carried';
  readonly totals: CoverageTotals;
}

/** What came out: the same whatever order the jobs are given in (rule 7). */
export interface ComposedReport {
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
  /** Carried files that have changed since, whose hits count only on lines that this build calls relevant (rule 16). */
  readonly restrictedFiles: number;
}

/** Merges the jobs and carried flags of a build, counts them by flag, and compares the whole with the base. */
export function composeReport(composition: Composition): ComposedReport {
  const { jobs, carried, base } = composition;
  const own = mergeReports(jobs.map((job) => job.report));
  const filled = carried.map((one) => ({ flag: one.flag, ...restrictCarried(one.report, own) }));
  const report = filled.length === 0 ? own : mergeReports([own, ...filled.map((one) => one.report)]);
  const changes = base === undefined ? { changes: [], count: 0 } : compareFiles(report, base);
  return {
    report,
    totals: reportTotals(report),
    files: report.files.length,
    flags: [...uploadedFlags(jobs), ...filled.map((one) => carriedFlag(one.flag, one.report))].sort((a, b) =>
      compareNames(a.name, b.name),
    ),
    fileChanges: changes.changes,
    fileChangeCount: changes.count,
    digestConflicts: countConflicts(jobs.flatMap((job) => job.report.files)),
    restrictedFiles: filled.reduce((sum, one) => sum + one.restricted, 0),
  };
}

function uploadedFlags(jobs: Composition['jobs']): readonly ComposedFlag[] {
  const byFlag = Map.groupBy(
    jobs.filter((job) => job.flag !== undefined),
    (job) => job.flag as string,
  );
  return [...byFlag].map(([name, ofFlag]) => ({
    name,
    kind: 'uploaded',
    totals: reportTotals(mergeReports(ofFlag.map((job) => job.report))),
  }));
}

function carriedFlag(name: string, report: Report): ComposedFlag {
  return { name, kind: 'carried', totals: reportTotals(report) };
}

function countConflicts(files: readonly FileCoverage[]): number {
  const digests = new Map<string, string>();
  const conflicting = new Set<string>();
  for (const { name, digest } of files) {
    if (digest === undefined) continue;
    const first = digests.get(name);
    if (first === undefined) digests.set(name, digest);
    else if (first !== digest) conflicting.add(name);
  }
  return conflicting.size;
}
