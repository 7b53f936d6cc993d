import { mergeBranches } from './branches.ts';
import { type Column, MAX_HITS, NOT_RELEVANT, narrowColumn } from './column.ts';
import { type FileCoverage, NO_BRANCHES, type Report } from './file-coverage.ts';

export { branchesFromGroups } from './branches.ts';

/**
 * Rule 6: the union of relevant lines, the sum of hits, the longer tail kept; branches joined by (line, block, branch).
 * Commutative, associative, and independent of arrival order (rule 7): the same reports always give the same columns.
 */
export function mergeReports(reports: readonly Report[]): Report {
  const [first] = reports;
  if (first !== undefined && haveSameNames(first, reports)) {
    return {
      files: first.files.map((_, index) => mergeFiles(reports.map(({ files }) => files[index] as FileCoverage))),
    };
  }
  const byName = new Map<string, FileCoverage[]>();
  for (const report of reports) {
    for (const file of report.files) {
      const same = byName.get(file.name);
      if (same) same.push(file);
      else byName.set(file.name, [file]);
    }
  }
  const names = [...byName.keys()].sort(compareNames);
  return { files: names.map((name) => mergeFiles(byName.get(name) as FileCoverage[])) };
}

/** A merge that reports are added to one by one: the same outcome as mergeReports of all (rule 6 is associative). */
export interface RunningMerge {
  add(report: Report): void;
  finish(): Report;
}

/** Reports that are merged at a time: enough to be quick, few enough to hold a hundred large jobs of a build. */
const MERGED_AT_A_TIME = 4;
/** Bytes of columns that wait to be merged. */
const MERGED_BYTES = 32 * 2 ** 20;

/** `check` sees what is merged so far, each time; it may throw. */
export function createRunningMerge(check: (merged: Report) => void = () => {}): RunningMerge {
  let waiting: Report[] = [];
  let bytes = 0;
  const fold = (): Report => {
    const merged = mergeReports(waiting);
    if (waiting.length > 1) check(merged);
    waiting = [merged];
    bytes = 0;
    return merged;
  };
  return {
    add(report) {
      waiting.push(report);
      bytes += columnBytes(report);
      if (waiting.length > MERGED_AT_A_TIME || (waiting.length > 1 && bytes > MERGED_BYTES)) fold();
    },
    finish: fold,
  };
}

/** Bytes of all columns of a report. */
export function columnBytes({ files }: Report): number {
  return files.reduce((sum, { hits, branches }) => {
    if (branches === NO_BRANCHES) return sum + hits.byteLength;
    const { line, block, branch } = branches;
    return sum + hits.byteLength + line.byteLength + block.byteLength + branch.byteLength + branches.hits.byteLength;
  }, 0);
}

/**
 * Merges the coverage of one file from several jobs, or of a name that occurs twice in one job (rule 8). At least one
 * is given.
 */
export function mergeFiles(files: readonly FileCoverage[]): FileCoverage {
  const [first] = files;
  if (first === undefined) throw new RangeError('mergeFiles needs at least one file');
  if (files.length === 1) return first;
  let { digest, source } = first;
  let lines = 0;
  for (const file of files) {
    digest = smaller(digest, file.digest);
    source = smaller(source, file.source);
    lines = Math.max(lines, file.hits.length);
  }
  const hits = mergeNarrow(files, lines) ?? mergeWide(files, lines);
  return { name: first.name, digest, source, hits, branches: mergeBranches(files.map(({ branches }) => branches)) };
}

/** Whether all have the same files in order of name, as the legs of a matrix do: then nothing needs to be looked up. */
function haveSameNames(first: Report, reports: readonly Report[]): boolean {
  return (
    reports.every(({ files }) => files.length === first.files.length) &&
    first.files.every(
      ({ name }, index) =>
        (index === 0 || (first.files[index - 1] as FileCoverage).name < name) &&
        reports.every(({ files }) => (files[index] as FileCoverage).name === name),
    )
  );
}

/** UTF-16 code unit order, the same on every machine. */
export function compareNames(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The sum while it fits into 31 bits, which it nearly always does; undefined when it does not. */
function mergeNarrow(files: readonly FileCoverage[], length: number): Int32Array | undefined {
  if (!files.every(({ hits }) => hits instanceof Int32Array)) return undefined;
  const column = (index: number): Int32Array => (files[index] as FileCoverage).hits as Int32Array;
  const first = column(0);
  const sum = new Int32Array(length);
  sum.set(first);
  if (first.length < length) sum.fill(NOT_RELEVANT, first.length);
  let overflow = 0;
  let index = 1;
  for (; index + 2 < files.length; index += 3) {
    const [a, b, c] = [column(index), column(index + 1), column(index + 2)];
    if (a.length !== b.length || b.length !== c.length) break;
    overflow |= addThree(sum, a, b, c);
  }
  for (; index < files.length; index += 1) overflow |= addNarrow(sum, column(index));
  return overflow < 0 ? undefined : sum;
}

/** addNarrow of three columns of one length: the sum is read and written once, which takes two thirds of the time. */
function addThree(sum: Int32Array, first: Int32Array, second: Int32Array, third: Int32Array): number {
  let overflow = 0;
  for (let line = 0; line < first.length; line += 1) {
    const a = sum[line] as number;
    const b = first[line] as number;
    const c = second[line] as number;
    const d = third[line] as number;
    const two = ((a & ~(a >> 31)) + (b & ~(b >> 31))) | 0;
    const three = (two + (c & ~(c >> 31))) | 0;
    const four = (three + (d & ~(d >> 31))) | 0;
    overflow |= two | three | four;
    sum[line] = four - ((a & b & c & d) >>> 31);
  }
  return overflow;
}

/**
 * Adds a column without a branch per line, since the pattern of relevant lines is unpredictable: negatives count as 0,
 * and where both are -1 one is taken off again. Answers a number below 0 when a sum wrapped around.
 */
function addNarrow(sum: Int32Array, column: Int32Array): number {
  let overflow = 0;
  for (let line = 0; line < column.length; line += 1) {
    const a = sum[line] as number;
    const b = column[line] as number;
    const added = ((a & ~(a >> 31)) + (b & ~(b >> 31))) | 0;
    overflow |= added;
    sum[line] = added - ((a & b) >>> 31);
  }
  return overflow;
}

function mergeWide(files: readonly FileCoverage[], length: number): Column {
  const sum = new Float64Array(length).fill(NOT_RELEVANT);
  for (const { hits: column } of files) {
    for (let line = 0; line < column.length; line += 1) {
      const hits = column[line] as number;
      const before = sum[line] as number;
      if (hits >= 0) sum[line] = before < 0 ? hits : Math.min(before + hits, MAX_HITS);
    }
  }
  return narrowColumn(sum);
}

function smaller(min: string | undefined, value: string | undefined): string | undefined {
  return value !== undefined && (min === undefined || value < min) ? value : min;
}
