import type { FileChange } from '../../domain/builds/build.ts';
import type { PatchResult } from '../../domain/builds/build-facts.ts';
import type { BuildView } from '../../domain/builds/build-summary.ts';
import { missedBranches, missedLines } from '../../domain/coverage/totals.ts';

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
  /** Not changed, and yet they lost coverage. */
  readonly elsewhere: readonly FileChange[];
  /** Not changed, and in one of both reports alone. */
  readonly measured: readonly FileChange[];
  /** Files that the result counts and does not hold. */
  readonly left: number;
}

export function listChanges({ fileChanges, fileChangeCount, patch }: Result): ChangeLists {
  const patches = new Map(patch?.files.map((file) => [file.name, file]));
  const isChanged = ({ kind, name }: FileChange): boolean => CHANGED.has(kind) || patches.has(name);
  const moved = fileChanges
    .filter(isChanged)
    .map((change): ChangedFile => ({ name: change.name, change, patch: patches.get(change.name) }));
  const known = new Set(moved.map(({ name }) => name));
  const others = [...patches.values()]
    .filter(({ name }) => !known.has(name))
    .map((file): ChangedFile => ({ name: file.name, change: undefined, patch: file }));
  const rest = fileChanges.filter((change) => !isChanged(change));
  return {
    changed: [...moved, ...others].toSorted((a, b) => missed(b) - missed(a)),
    elsewhere: rest.filter(({ kind }) => kind === 'elsewhere'),
    measured: rest.filter(({ kind }) => kind !== 'elsewhere'),
    left: Math.max(fileChangeCount - fileChanges.length, (patch?.fileCount ?? 0) - (patch?.files.length ?? 0)),
  };
}

const CHANGED: ReadonlySet<FileChange['kind']> = new Set(['changed', 'added', 'removed']);

function missed({ patch }: ChangedFile): number {
  return patch === undefined ? 0 : missedLines(patch.totals) + missedBranches(patch.totals);
}
