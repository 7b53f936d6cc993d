import { compareNames } from './merge.ts';
import { changeOf, compareRatios, totalPercent } from './percent.ts';
import { addTotals, type CoverageTotals, missedBranches, missedLines, NO_TOTALS } from './totals.ts';

/** One file of a build, with its counts in the base; undefined if the base has no such file. */
export interface TreeFile {
  readonly name: string;
  readonly totals: CoverageTotals;
  readonly base: CoverageTotals | undefined;
}

/** A file, or a folder with the sums of its files. */
export interface TreeRow extends TreeFile {
  readonly kind: 'folder' | 'file';
  /** What is shown: of a folder in a folder the rest of its path, and joined with one that is alone in it. */
  readonly label: string;
  /** How many folders it is shown in. */
  readonly depth: number;
}

export const TREE_SORTS = ['path', 'missed', 'lowest', 'drop', 'gain'] as const;
export type TreeSort = (typeof TREE_SORTS)[number];

/** More files are shown folder by folder. */
const MAX_OPEN_FILES = 200;
/** Deeper folders stay closed. */
const MAX_DEPTH = 3;

/** The rows of a folder. In order of path as a tree, each folder closed where there are too many files; else files. */
export function treeRows(files: readonly TreeFile[], choice: { readonly folder: string; readonly sort: TreeSort }) {
  const { folder, sort } = choice;
  if (sort !== 'path') return sortFiles(files, sort).map((file) => toRow(file, folder, 0));
  if (files.length <= MAX_OPEN_FILES) return [...rowsOf(files, folder, { depth: 0, max: MAX_DEPTH })];
  const closed = [...rowsOf(files, folder, { depth: 0, max: 0 })];
  // A folder that is alone is no choice.
  return closed.length === 1 ? [...rowsOf(files, folder, { depth: 0, max: 1 })] : closed;
}

/** The sums of some files. A file without a base is left out of the sum of the base, which any file has. */
export function sumFiles(files: readonly TreeFile[]): Pick<TreeFile, 'totals' | 'base'> {
  const totals = files.reduce((sum, file) => addTotals(sum, file.totals), NO_TOTALS);
  const known = files.flatMap(({ base }) => base ?? []);
  return { totals, base: known.length === 0 ? undefined : known.reduce(addTotals, NO_TOTALS) };
}

export function missedOf(totals: CoverageTotals): number {
  return missedLines(totals) + missedBranches(totals);
}

function* rowsOf(
  files: readonly TreeFile[],
  folder: string,
  level: { readonly depth: number; readonly max: number },
): Generator<TreeRow> {
  const groups = Map.groupBy(files, ({ name }) => folderWithin(name, folder));
  for (const [inner, inside] of [...groups].sort(([a], [b]) => compareNames(a ?? '', b ?? ''))) {
    if (inner === undefined) continue;
    const joined = joinFolders(inside, inner);
    const sums = sumFiles(inside);
    const label = joined.slice(folder.length);
    yield { kind: 'folder', name: joined, label, depth: level.depth, ...sums };
    if (level.depth < level.max) yield* rowsOf(inside, joined, { ...level, depth: level.depth + 1 });
  }
  for (const file of groups.get(undefined) ?? []) yield toRow(file, folder, level.depth);
}

/** `src/` for `src/a/b.ts` in ``; undefined for a file of the folder itself. */
function folderWithin(name: string, folder: string): string | undefined {
  // A leading slash is no folder of its own.
  const slash = name.indexOf('/', Math.max(folder.length, 1));
  return slash < 0 ? undefined : name.slice(0, slash + 1);
}

/** Down to the first folder that holds a file or several folders: what all names have in common. */
function joinFolders(files: readonly TreeFile[], folder: string): string {
  const [first = folder, ...others] = files.map(({ name }) => name);
  let common = first.length;
  for (const name of others) {
    let length = folder.length;
    while (length < common && name[length] === first[length]) length += 1;
    common = length;
  }
  return first.slice(0, Math.max(folder.length, first.lastIndexOf('/', common - 1) + 1));
}

function toRow(file: TreeFile, folder: string, depth: number): TreeRow {
  return { ...file, kind: 'file', label: file.name.slice(folder.length), depth };
}

function sortFiles(files: readonly TreeFile[], sort: Exclude<TreeSort, 'path'>): readonly TreeFile[] {
  const compare = { missed: byMissed, lowest: byPercent, drop: byChange, gain: byGain }[sort];
  return files.toSorted((a, b) => compare(a, b) || compareNames(a.name, b.name));
}

function byMissed(a: TreeFile, b: TreeFile): number {
  return missedOf(b.totals) - missedOf(a.totals);
}

function byPercent(a: TreeFile, b: TreeFile): number {
  const [one, other] = [totalPercent(a.totals), totalPercent(b.totals)];
  if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined);
  return compareRatios(one, other);
}

function byChange(a: TreeFile, b: TreeFile): number {
  const [one, other] = [changeOf(a.totals, a.base), changeOf(b.totals, b.base)];
  if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined);
  return compareRatios(one, other);
}

function byGain(a: TreeFile, b: TreeFile): number {
  const hasChange = (file: TreeFile): boolean => changeOf(file.totals, file.base) !== undefined;
  return hasChange(a) && hasChange(b) ? byChange(b, a) : byChange(a, b);
}
