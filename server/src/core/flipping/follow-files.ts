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
}

/** The records of `after`: those that are there, on their new lines, and one for each line that changed its state. */
export function followFiles(followed: FollowedReports): ReadonlyMap<string, readonly FlipRecord[]> {
  const { before, after, diff } = followed;
  const found = new Map<string, readonly FlipRecord[]>();
  for (const pair of pairFiles({ base: before, head: after, diff })) {
    const records = followFile(pair, followed);
    if (records.length > 0) found.set((pair.after ?? pair.before)?.name ?? '', records);
  }
  return found;
}

function followFile(pair: FilePair, { records, buildsOfText, isProof }: FollowedReports): readonly FlipRecord[] {
  const { before, after } = pair;
  const runs = runsOf(pair);
  if (before === undefined || runs === undefined) return [];
  const kept = (records.get(before.name) ?? []).flatMap((record) => {
    const line = moveLine(record.line, runs);
    if (line === undefined) return [];
    const gap = after === undefined ? record.gap : gapBefore(after.hits, line);
    const moved = { ...restateNewest(record, stateOf(before, record)), line, gap };
    return [extendRecord(moved, after && stateOf(after, moved), isProof)];
  });
  if (after === undefined) return kept;
  const has = new Set(kept.map(keyOf));
  const begun: FlipRecord[] = [];
  const age = Math.max(1, buildsOfText(before.name));
  visitFlips({ before, after, runs }, (at, isCovered) => {
    if (has.has(keyOf(at))) return;
    const gap = gapBefore(after.hits, at.line);
    begun.push(beginRecord({ ...at, gap }, { isCovered, isProven: isProof, age }));
  });
  return [...kept, ...begun];
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
