import type { Report } from '../../core/coverage/file-coverage.ts';
import { columnBytes } from '../../core/coverage/merge.ts';
import { measureFiles, measureReport, type ReportSize } from '../codec/measure-report.ts';
import { MAX_FILES, MAX_REPORT_BRANCHES, MAX_REPORT_LINES } from '../codec/report-limits.ts';
import { CannotMerge, type EncodedComposition } from '../report-engine.ts';

/** How many bytes a file takes beside its columns: the objects that hold them. */
const BYTES_PER_FILE = 400;
/** A name's byte may become a character of two. */
const BYTES_PER_NAME_BYTE = 2;
/** If two reports of a file have branches at different places, each takes this much while they are joined. */
const BYTES_PER_JOINED_BRANCH = 128;
/** What is merged so far, the report to be added, and their sum. */
const MERGED_COPIES = 3;

type Merged = Pick<EncodedComposition, 'jobs' | 'carried' | 'base'>;

/**
 * The bytes that a merge may take. Throws CannotMerge if they are more than `budget` (undefined: no bound), or where
 * the jobs have more files or lines than a report can hold. Opens tables, never columns.
 */
export function estimateMerge({ jobs, carried, base }: Merged, budget = Number.POSITIVE_INFINITY): number {
  const own = jobs.map(({ report }) => report);
  const reports = [...own, ...carried.flatMap((flag) => flag.reports)];
  const sizes = reports.map((report) => measureReport(report));
  const others = base === undefined ? [] : [measureReport(base)];
  const stored = [...reports, ...(base === undefined ? [] : [base])].reduce((all, { length }) => all + length, 0);
  const fixed = 2 * stored + bytesOf(...others) + 2 * Math.max(0, ...sizes.map((size) => bytesOf(size)));
  const joined = reports.length > 1 ? BYTES_PER_JOINED_BRANCH * Math.max(...sizes.map((size) => size.maxBranches)) : 0;
  // As if no two reports had a file in common: most builds are small enough even so.
  const max = MERGED_COPIES * bytesOf(...sizes) + fixed + joined;
  const isSmall = sumOf(sizes, 'files') <= MAX_FILES && sumOf(sizes, 'lines') <= MAX_REPORT_LINES;
  if (isSmall && max <= budget) return max;
  const union = createUnion(sizes.some(({ wide }) => wide));
  const check = (): number => {
    const needed = MERGED_COPIES * union.bytes() + fixed + joined;
    if (needed > budget) throw new CannotMerge({ kind: 'memory', needed, limit: budget });
    return needed;
  };
  check();
  for (const [index, report] of reports.entries()) {
    union.add(report);
    // A carried file may be gone by the diff: of those the encoder decides.
    if (index < own.length) union.checkLimits();
    check();
  }
  return check();
}

/** Sees what a merge has made so far: only its branches can have become more than the estimate knew. */
export function checkMerged(budget = Number.POSITIVE_INFINITY): (merged: Report) => void {
  return (merged) => {
    let branches = 0;
    let maxBranches = 0;
    for (const file of merged.files) {
      branches += file.branches.hits.length;
      maxBranches = Math.max(maxBranches, file.branches.hits.length);
    }
    if (branches > MAX_REPORT_BRANCHES) throw beyond('branches', branches, MAX_REPORT_BRANCHES);
    const needed = MERGED_COPIES * columnBytes(merged) + BYTES_PER_JOINED_BRANCH * maxBranches;
    if (needed > budget) throw new CannotMerge({ kind: 'memory', needed, limit: budget });
  };
}

/** Each file once, with its longest columns. */
function createUnion(wide: boolean) {
  const lengths = new Map<string, { lines: number; branches: number }>();
  let lines = 0;
  let branches = 0;
  let nameBytes = 0;
  return {
    add(report: Uint8Array) {
      for (const file of measureFiles(report)) {
        const known = lengths.get(file.name);
        lines += Math.max(0, file.lines - (known?.lines ?? 0));
        branches += Math.max(0, file.branches - (known?.branches ?? 0));
        if (known === undefined) nameBytes += Buffer.byteLength(file.name);
        lengths.set(file.name, {
          lines: Math.max(file.lines, known?.lines ?? 0),
          branches: Math.max(file.branches, known?.branches ?? 0),
        });
      }
    },
    checkLimits() {
      if (lengths.size > MAX_FILES) throw beyond('source files', lengths.size, MAX_FILES);
      if (lines > MAX_REPORT_LINES) throw beyond('lines', lines, MAX_REPORT_LINES);
    },
    bytes: () => bytesOf({ files: lengths.size, lines, branches, nameBytes, wide }),
  };
}

/** For reports in memory. */
function bytesOf(...sizes: readonly Omit<ReportSize, 'openBytes' | 'maxBranches'>[]): number {
  return sizes.reduce((all, { files, lines, branches, nameBytes, wide }) => {
    const columns = (wide ? 8 : 4) * (lines + 4 * branches);
    return all + columns + BYTES_PER_FILE * files + BYTES_PER_NAME_BYTE * nameBytes;
  }, 0);
}

function sumOf(sizes: readonly ReportSize[], what: 'files' | 'lines'): number {
  return sizes.reduce((all, size) => all + size[what], 0);
}

function beyond(what: string, seen: number, limit: number): CannotMerge {
  return new CannotMerge({ kind: 'limit', what, seen, limit });
}
