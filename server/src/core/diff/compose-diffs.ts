import { normalizeFileName } from '../coverage/file-name.ts';
import { invertDiff } from './diff-between.ts';
import { type Diff, type FileDiff, type Hunk, indexDiffs, unknownDiff } from './file-diff.ts';
import { type UnchangedRun, unchangedRuns } from './line-map.ts';

/** Where two histories part, and what each of them changed since. */
export interface Parting {
  readonly toOne: Diff;
  readonly toOther: Diff;
  /** Names of files that are known to be equal at both ends. */
  readonly same?: readonly string[];
}

/** What the two ends of a parting differ in: from the one to the other. */
export function diffAcross({ toOne, toOther, same = [] }: Parting): Diff {
  const names = new Set(same);
  const others = ({ files }: Diff) => files.filter(({ name }) => !names.has(name));
  const back = { ...toOne, files: others(toOne).map(invertDiff) };
  const { files, complete } = composeDiffs(back, { ...toOther, files: others(toOther) });
  return { files: [...files, ...same.map(unchangedFile)], complete };
}

function unchangedFile(name: string): FileDiff {
  return { name, previousName: undefined, kind: 'modified', hunks: [], complete: true };
}

/**
 * What two steps change together. A line stays where it stays in both: one that both sides of a parting put in counts
 * as taken out and put in. If one step does not know a file, the whole does not.
 */
export function composeDiffs(first: Diff, second: Diff): Diff {
  const changed = [...indexDiffs(second.files).byName.values()];
  const next = new Map(changed.filter(({ kind }) => kind !== 'added').map((file) => [nameBefore(file), file]));
  const files = [...indexDiffs(first.files).byName.values()].flatMap((file) => {
    const then = file.kind === 'removed' ? undefined : next.get(normalizeFileName(file.name));
    if (then === undefined) return [second.complete || isOneSided(file) ? file : unknownDiff(file)];
    next.delete(nameBefore(then));
    return joinSteps(file, then);
  });
  const others = [...next.values()].map((file) => (first.complete ? file : unknownDiff(file)));
  return {
    files: [...files, ...others, ...changed.filter(({ kind }) => kind === 'added')],
    complete: first.complete && second.complete,
  };
}

function isOneSided({ kind }: FileDiff): boolean {
  return kind === 'added' || kind === 'removed';
}

function nameBefore({ name, previousName }: FileDiff): string {
  return normalizeFileName(previousName ?? name);
}

/** One file that both steps changed; nothing if the second took out what the first put in. */
function joinSteps(first: FileDiff, second: FileDiff): readonly FileDiff[] {
  const previous = first.previousName ?? first.name;
  const unknown = { previousName: undefined, hunks: [], complete: false };
  if (second.kind === 'removed') return first.kind === 'added' ? [] : [{ ...unknown, name: previous, kind: 'removed' }];
  const { name } = second;
  if (first.kind === 'added') return [{ ...unknown, name, kind: 'added' }];
  const isRenamed = normalizeFileName(name) !== normalizeFileName(previous);
  const runs = joinRuns(unchangedRuns(first), unchangedRuns(second));
  return [
    {
      name,
      previousName: isRenamed ? previous : undefined,
      kind: isRenamed ? 'renamed' : 'modified',
      hunks: runs === undefined ? [] : hunksBetween(runs),
      complete: runs !== undefined,
    },
  ];
}

/** The lines that stay in both steps. */
function joinRuns(
  first: readonly UnchangedRun[] | undefined,
  second: readonly UnchangedRun[] | undefined,
): readonly UnchangedRun[] | undefined {
  if (first === undefined || second === undefined) return undefined;
  const joined: UnchangedRun[] = [];
  for (let i = 0, j = 0; i < first.length && j < second.length; ) {
    const [one, other] = [first[i] as UnchangedRun, second[j] as UnchangedRun];
    const [endOfOne, endOfOther] = [one.newStart + one.length, other.oldStart + other.length];
    const start = Math.max(one.newStart, other.oldStart);
    const length = Math.min(endOfOne, endOfOther) - start;
    const oldStart = one.oldStart + start - one.newStart;
    if (length > 0) joined.push({ oldStart, newStart: other.newStart + start - other.oldStart, length });
    if (endOfOne <= endOfOther) i += 1;
    else j += 1;
  }
  return joined;
}

/** What lies between lines that stay; the last of these have no end. */
function hunksBetween(runs: readonly UnchangedRun[]): readonly Hunk[] {
  let [oldStart, newStart] = [0, 0];
  return runs.flatMap((run) => {
    const hunk = { oldStart, oldLines: run.oldStart - oldStart, newStart, newLines: run.newStart - newStart };
    [oldStart, newStart] = [run.oldStart + run.length, run.newStart + run.length];
    return hunk.oldLines + hunk.newLines === 0 ? [] : [hunk];
  });
}
