import type { Job } from './job.ts';

/** Reports of several jobs of one flag that are stored as one, apart from the jobs' own. */
export interface MergedReport {
  /** Within the build; the same for the same jobs. */
  readonly key: string;
  readonly flag: string | undefined;
  /** Ids of the jobs that it holds. */
  readonly jobs: readonly number[];
}

/** What is read as one report: of one job, or of several that were merged before. */
export interface ReportPiece {
  readonly flag: string | undefined;
  readonly jobs: readonly number[];
  /** For the merged report; undefined: the job's own. */
  readonly key: string | undefined;
}

/** How many pieces of about the same number of jobs are merged into one. */
export const MERGED_TOGETHER = 8;

/**
 * Each job once, in as few pieces as the merged reports allow, flag after flag. One that holds another job too, such as
 * an attempt that was replaced (rule 10), is of no use.
 */
export function piecesOf(jobs: readonly Job[], merged: readonly MergedReport[]): readonly ReportPiece[] {
  const offered = Map.groupBy(merged, ({ flag }) => flag);
  return [...Map.groupBy(jobs, ({ facts }) => facts.flag)].flatMap(([flag, ofFlag]) => {
    const left = new Set(ofFlag.map(({ id }) => id));
    const pieces: ReportPiece[] = [];
    for (const { key, jobs: held } of (offered.get(flag) ?? []).toSorted(compareUse)) {
      if (!held.every((id) => left.has(id))) continue;
      for (const id of held) left.delete(id);
      pieces.push({ flag, jobs: held, key });
    }
    return [...pieces, ...Array.from(left, (id): ReportPiece => ({ flag, jobs: [id], key: undefined }))];
  });
}

/** The most jobs first. Two instances may have merged different ones: then the key decides. */
function compareUse(a: MergedReport, b: MergedReport): number {
  return b.jobs.length - a.jobs.length || (a.key < b.key ? -1 : 1);
}

/** The pieces of one flag to merge next, the smallest first; undefined: nowhere are there enough of about one size. */
export function nextToMerge(pieces: readonly ReportPiece[]): readonly ReportPiece[] | undefined {
  const alike = Map.groupBy(pieces, ({ flag, jobs }) => JSON.stringify([levelOf(jobs), flag ?? null]));
  const enough = [...alike.values()].filter(({ length }) => length >= MERGED_TOGETHER);
  const smallest = Math.min(...enough.map(([first]) => levelOf(first?.jobs ?? [])));
  return enough.find(([first]) => levelOf(first?.jobs ?? []) === smallest)?.slice(0, MERGED_TOGETHER);
}

/** 0 for a job, 1 from 8 jobs on, 2 from 64 on: eight pieces of a level make one of a higher. */
function levelOf(jobs: readonly number[]): number {
  let level = 0;
  for (let max = MERGED_TOGETHER; max <= jobs.length; max *= MERGED_TOGETHER) level += 1;
  return level;
}

/** Merged reports that no piece is read from: others hold their jobs, or one of them was replaced. */
export function unusedReports(merged: readonly MergedReport[], pieces: readonly ReportPiece[]): readonly string[] {
  const used = new Set(pieces.map(({ key }) => key));
  return merged.map(({ key }) => key).filter((key) => !used.has(key));
}

/** From this many jobs on, merging is considered less often: each look reads all of them. */
const MANY_JOBS = 128;

/** Whether a build with this many jobs may have enough of them to merge. */
export function isMergeWorthALook(jobs: number): boolean {
  let every = MERGED_TOGETHER;
  for (let max = MANY_JOBS; max <= jobs; max *= 2) every *= 2;
  return jobs % every === 0;
}
