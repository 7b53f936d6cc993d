import type { FileChange } from '../../../core/builds/build.ts';
import type { PatchResult } from '../../../core/builds/build-facts.ts';
import type { BuildView } from '../../../core/builds/build-summary.ts';
import { filesWithLostLines } from '../../../core/builds/file-changes.ts';
import { missedBranches, missedLines } from '../../../core/coverage/totals.ts';

type Result = NonNullable<BuildView['result']>;

/** A file that the change touched: how its coverage moved, how its changed lines are covered, or both. */
export interface ChangedFile {
  readonly name: string;
  readonly change: FileChange | undefined;
  readonly patch: PatchResult['files'][number] | undefined;
}

/** The files of a result, by what became of them. */
export interface ChangeLists {
  /** Most missed changed lines first, then as the result has them. */
  readonly changed: readonly ChangedFile[];
  /** What did not change of them lost coverage: files outside the change, and unchanged lines of changed ones. */
  readonly elsewhere: readonly FileChange[];
  /** Not changed, and in one of both reports alone. */
  readonly measured: readonly FileChange[];
  /** Files that the result counts and does not hold. */
  readonly left: number;
}

export function listChanges(result: Result): ChangeLists {
  const { fileChanges, fileChangeCount, patch, verdict } = result;
  const patches = new Map(patch?.files.map((file) => [file.name, file]));
  const isChanged = ({ kind, name }: FileChange): boolean => CHANGED.has(kind) || patches.has(name);
  const moved = fileChanges
    .filter(isChanged)
    .map((change): ChangedFile => ({ name: change.name, change, patch: patches.get(change.name) }));
  const known = new Set(moved.map(({ name }) => name));
  const others = [...patches.values()]
    .filter(({ name }) => !known.has(name))
    .map((file): ChangedFile => ({ name: file.name, change: undefined, patch: file }));
  // Rule 13: what did not report is named once, as that.
  const rest = verdict.state === 'incomplete' ? [] : fileChanges.filter((change) => !isChanged(change));
  const lost = filesWithLostLines(result);
  return {
    changed: [...moved, ...others].toSorted((a, b) => missed(b) - missed(a)),
    elsewhere: fileChanges.filter(
      (change) => lost.includes(change) || (change.kind === 'elsewhere' && rest.includes(change)),
    ),
    measured: rest.filter(({ kind }) => kind !== 'elsewhere'),
    left: Math.max(fileChangeCount - fileChanges.length, (patch?.fileCount ?? 0) - (patch?.files.length ?? 0)),
  };
}

const CHANGED: ReadonlySet<FileChange['kind']> = new Set(['changed', 'added', 'removed']);

function missed({ patch }: ChangedFile): number {
  return patch === undefined ? 0 : missedLines(patch.totals) + missedBranches(patch.totals);
}
