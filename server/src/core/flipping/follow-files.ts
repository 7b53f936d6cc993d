import type { Column } from '../coverage/column.ts';
import type { Report } from '../coverage/file-coverage.ts';
import type { Diff } from '../diff/file-diff.ts';
import { UNCHANGED_TEXT, type UnchangedRun, unchangedRuns } from '../diff/line-map.ts';
import { type FilePair, pairFiles } from '../diff/pair-files.ts';
import { beginRecord, extendRecord, type FlipRecord, restateNewest } from './flip-record.ts';
import { stateOf, visitFlips } from './line-states.ts';

/** Two builds of a branch, one after the other, and what is recorded of the first. */
export interface FollowedReports {
  readonly before: Report;
  readonly after: Report;
  readonly diff: Diff | undefined;
  readonly records: ReadonlyMap<string, readonly FlipRecord[]>;
  /** In how many builds up to `before` the text of a file is the same. */
  readonly buildsOfText: (name: string) => number;
  /** Both builds are of one tree, with the same flags and number of jobs: what differs is chance. */
  readonly isProof: boolean;
  /** How many records may begin. If there were more, none begins. */
  readonly room: number;
}

export interface FollowedRecords {
  readonly files: ReadonlyMap<string, readonly FlipRecord[]>;
  /** More lines changed their state at once than there is room for. */
  readonly isOver: boolean;
}

/** The records of `after`: those that are there, on their new lines, and one for each line that changed its state. */
export function followFiles(followed: FollowedReports): FollowedRecords {
  const { before, after, diff, room } = followed;
  const kept = new Map<string, readonly FlipRecord[]>();
  const begun = new Map<string, readonly FlipRecord[]>();
  let left = room;
  for (const pair of pairFiles({ base: before, head: after, diff })) {
    const name = (pair.after ?? pair.before)?.name ?? '';
    const records = keepRecords(pair, followed);
    if (records.length > 0) kept.set(name, records);
    if (left < 0) continue;
    const more = beginRecords(pair, followed, { has: records, room: left });
    left -= more.length;
    if (more.length > 0) begun.set(name, more);
  }
  const isOver = left < 0;
  if (!isOver) for (const [name, records] of begun) kept.set(name, [...(kept.get(name) ?? []), ...records]);
  return { files: kept, isOver };
}

function keepRecords(pair: FilePair, { records, isProof }: FollowedReports): readonly FlipRecord[] {
  const { before, after } = pair;
  const known = before && records.get(before.name);
  const runs = known && runsOf(pair);
  if (before === undefined || known === undefined || runs === undefined) return [];
  return known.flatMap((record) => {
    const line = moveLine(record.line, runs);
    if (line === undefined) return [];
    const gap = after === undefined ? record.gap : gapBefore(after.hits, line);
    const moved = { ...restateNewest(record, stateOf(before, record)), line, gap };
    return [extendRecord(moved, after && stateOf(after, moved), isProof)];
  });
}

/** One for each line that changed its state and has none yet: one more than there is room for, at most. */
function beginRecords(
  pair: FilePair,
  { buildsOfText, isProof }: FollowedReports,
  { has: kept, room }: { readonly has: readonly FlipRecord[]; readonly room: number },
): readonly FlipRecord[] {
  const { before, after } = pair;
  const runs = before && after && runsOf(pair);
  if (before === undefined || after === undefined || runs === undefined) return [];
  const has = kept.length === 0 ? undefined : new Set(kept.map(keyOf));
  const age = Math.max(1, buildsOfText(before.name));
  const begun: FlipRecord[] = [];
  visitFlips({ before, after, runs }, (at, isCovered) => {
    if (begun.length > room || has?.has(keyOf(at))) return;
    const gap = gapBefore(after.hits, at.line);
    begun.push(beginRecord({ ...at, gap }, { isCovered, isProven: isProof, age }));
  });
  return begun;
}

/** The lines that stay; undefined if the text may be another one. A file that no job measured keeps its records. */
function runsOf({ part, diff, after }: FilePair): readonly UnchangedRun[] | undefined {
  if (part === 'unexplained') return undefined;
  if (diff === undefined) return UNCHANGED_TEXT;
  return after === undefined ? undefined : unchangedRuns(diff);
}

/** Where an unchanged line is in the new text; undefined if it is not there any more. */
export function moveLine(line: number, runs: readonly UnchangedRun[]): number | undefined {
  let [low, high] = [0, runs.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((runs[middle] as UnchangedRun).oldStart <= line) low = middle + 1;
    else high = middle;
  }
  const run = runs[low - 1];
  return run && line < run.oldStart + run.length ? run.newStart + (line - run.oldStart) : undefined;
}

/** How many lines directly before a line are not relevant. */
function gapBefore(hits: Column, line: number): number {
  let gap = 0;
  while (gap < line - 1 && (hits[line - gap - 2] as number) < 0) gap += 1;
  return gap;
}

function keyOf({ line, arm }: Pick<FlipRecord, 'line' | 'arm'>): string {
  return arm === undefined ? `${line}` : `${line}:${arm[0]}:${arm[1]}`;
}
