import type { Report } from '../coverage/file-coverage.ts';
import { normalizeFileName } from '../coverage/file-name.ts';
import { compareNames } from '../coverage/merge.ts';
import { type CoverageTotals, missedBranches, missedLines } from '../coverage/totals.ts';
import type { Diff } from '../diff/file-diff.ts';
import { type FilePatchCoverage, patchCoverage } from '../diff/patch-coverage.ts';
import type { DiffSource } from '../diff/sent-diff.ts';
import { MAX_FILE_CHANGES, MAX_RANGES } from './build.ts';
import type { PatchResult } from './build-facts.ts';
import type { UnmeasuredLines } from './unmeasured-lines.ts';

type PatchFile = PatchResult['files'][number];

/**
 * The coverage of the changed lines as a build keeps it: at most MAX_FILE_CHANGES files, those with the most missed
 * lines and branches first, each with at most MAX_RANGES ranges. `base` only shows what else is measured in this repo.
 */
export function findPatch(found: {
  readonly report: Report;
  readonly base: Report | undefined;
  readonly diff: Diff;
  readonly source?: DiffSource | undefined;
  /** Changed lines of which no report may be believed. */
  readonly unmeasured?: UnmeasuredLines | undefined;
}): Omit<PatchResult, 'verdict'> {
  const { report, base, diff, source } = found;
  const { totals, files, unmeasured } = patchCoverage(report, diff.files, found.unmeasured);
  const notMeasured = files.filter((file) => file.unmeasuredLines !== undefined);
  const ofUpload = new Set(
    diff.files.filter((file) => file.source === 'upload').map((file) => normalizeFileName(file.name)),
  );
  const relevant = files.flatMap(relevantFile);
  relevant.sort((a, b) => missed(b.totals) - missed(a.totals) || compareNames(a.name, b.name));
  const endings = new Set([report, base].flatMap((one) => one?.files.map((file) => endingOf(file.name)) ?? []));
  const sources = unmeasured.filter((name) => isSource(name, endings));
  return {
    totals,
    files: relevant.slice(0, MAX_FILE_CHANGES),
    fileCount: relevant.length,
    unmeasured: sources.slice(0, MAX_FILE_CHANGES),
    unmeasuredCount: sources.length,
    ...(notMeasured.length > 0 && {
      notMeasured: {
        files: notMeasured.length,
        lines: notMeasured.reduce((sum, file) => sum + (file.unmeasuredLines ?? 0), 0),
      },
    }),
    complete: diff.complete && files.every((file) => file.totals !== undefined),
    source: files.some((file) => ofUpload.has(file.name)) ? 'upload' : source,
  };
}

/** One of whose changed lines at least one counts. */
function relevantFile({ name, totals, uncovered, partlyCovered }: FilePatchCoverage): readonly PatchFile[] {
  if (totals === undefined || totals.relevantLines + totals.branches === 0) return [];
  const file = { name, totals, uncovered: uncovered.slice(0, MAX_RANGES), uncoveredRanges: uncovered.length };
  if (partlyCovered === undefined) return [file];
  return [{ ...file, partlyCovered: partlyCovered.slice(0, MAX_RANGES), partlyCoveredLines: partlyCovered.length }];
}

/**
 * No report says which files could be measured, so the measured ones decide: a file whose ending no report of this
 * build or its base has is no source file. It begins at the first dot: `a.test.ts` is not what `a.ts` is. A name
 * without a dot never counts, nor does a test of Go's, which no report names.
 */
function isSource(name: string, endings: ReadonlySet<string>): boolean {
  const ending = endingOf(name);
  return ending !== '' && endings.has(ending) && !name.endsWith('_test.go');
}

function endingOf(name: string): string {
  const last = name.slice(name.lastIndexOf('/') + 1);
  const dot = last.indexOf('.');
  return dot < 0 ? '' : last.slice(dot);
}

function missed(totals: CoverageTotals): number {
  return missedLines(totals) + missedBranches(totals);
}
