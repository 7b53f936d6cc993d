import type { TrackedFiles } from './checkout.ts';
import { commonPrefixes } from './common-prefixes.ts';
import {
  applies,
  type GuessPlaces,
  type Move,
  MoveCounts,
  type Moves,
  moved,
  moveOf,
  type OpenName,
  sureMoves,
} from './name-moves.ts';
import { isAbsoluteName, isForeignName, isSystemName, joinName } from './path-names.ts';

/** What was guessed. */
export interface Guesses {
  readonly paths: ReadonlyMap<string, string>;
  readonly ambiguous: ReadonlyMap<string, readonly string[]>;
}

/** The files that end most like a name: one, or several that fit alike. */
interface Candidates {
  readonly from: string;
  readonly files: readonly string[];
}

/** What the open names of a report tell of each other. */
export interface Evidence {
  readonly moves: Moves;
  readonly candidates: ReadonlyMap<string, Candidates>;
}

/**
 * Looks how the folders of names from elsewhere were moved. A start of names whose rests are files of the checkout was
 * its root; one that a name with a single likely file begins with was that file's.
 */
export function weighNames(open: readonly OpenName[], places: GuessPlaces): Evidence {
  const moves = new MoveCounts();
  const candidates = new Map<string, Candidates>();
  const near = nearest(places.folders);
  for (const { name, spellings } of open) {
    for (const spelling of spellings) countPlaces(spelling, places, moves);
    const best = bestCandidates(spellings, places.tracked);
    if (best === undefined) continue;
    const files = near(best.files);
    candidates.set(name, { from: best.from, files });
    const [only] = files;
    const to = only === undefined || files.length > 1 ? '' : cutParts(only, best.parts);
    if (to !== '') moves.add({ from: best.from, to }, { isStrong: true });
  }
  return { moves: sureMoves(moves, open, places), candidates };
}

/** The file that the surest move of a name takes it to, where the checkout has it. */
export function movedPath({ spellings }: OpenName, { moves }: Evidence, tracked: TrackedFiles): string | undefined {
  const move = moveOf(spellings, moves);
  const paths = spellings.filter((spelling) => move && applies(move, spelling)).map((one) => moved(one, move as Move));
  return first(paths, (path) => tracked.at(path)) ?? first(paths, (path) => tracked.throughLink(path));
}

/**
 * Guesses names one by one. None is a file that another name of the report was found to be, and of several names that
 * fit one file alike none is it.
 */
export function guessSingly(
  open: readonly OpenName[],
  { moves, candidates }: Evidence,
  taken: ReadonlySet<string>,
): Guesses {
  const ambiguous = new Map<string, readonly string[]>();
  const fitting = new Map<string, { readonly name: string; readonly from: string }[]>();
  for (const { name, spellings } of open) {
    const { from = '', files = [] } = candidates.get(name) ?? {};
    const [only] = files;
    const usual = moveOf(spellings, moves);
    const isElsewhere = usual !== undefined && usual.from !== '' && usual.votes > 1;
    if (files.length > 1) ambiguous.set(name, files);
    else if (only !== undefined && !isElsewhere && !taken.has(only))
      fitting.set(only, [...(fitting.get(only) ?? []), { name, from }]);
  }
  const paths = new Map<string, string>();
  for (const [path, names] of fitting) {
    const shortest = Math.min(...names.map(({ from }) => from.length));
    const outer = names.filter(({ from }) => from.length === shortest);
    const [{ name, from } = { name: '', from: '' }] = outer;
    if (outer.length === 1 && names.every((other) => other.from.startsWith(from))) paths.set(name, path);
  }
  return { paths, ambiguous };
}

/** The starts of a name whose rest is a file at the root; a usual place of checkouts may be a folder's too. */
function countPlaces(spelling: string, { tracked, folders }: GuessPlaces, moves: MoveCounts): void {
  if (!isAbsoluteName(spelling) && !isImportPath(spelling)) return;
  const isSystem = isSystemName(spelling);
  for (let at = spelling.indexOf('/'); at >= 0; at = spelling.indexOf('/', at + 1)) {
    const from = spelling.slice(0, at + 1);
    const rest = spelling.slice(at + 1);
    if ((!isSystem || from === '/') && tracked.at(rest) !== undefined && !isForeignName(from))
      moves.add({ from, to: '' }, { isStrong: rest.includes('/') });
  }
  if (folders.length === 0) return;
  for (const from of commonPrefixes(spelling)) {
    const folder = folders.find((one) => tracked.at(joinName(one, spelling.slice(from.length))) !== undefined);
    if (folder !== undefined) moves.add({ from, to: `${folder}/` }, { isStrong: false });
  }
}

function bestCandidates(spellings: readonly string[], tracked: TrackedFiles) {
  const found = spellings
    .map((spelling) => ({ spelling, ...tracked.bestEnd(spelling) }))
    .map(({ spelling, parts, files }) => ({ spelling, parts, files, from: cutParts(spelling, parts) }))
    .filter(isPlausible);
  const max = Math.max(...found.map(({ parts }) => parts));
  return found.find(({ parts }) => parts === max);
}

/**
 * A relative name has to be the whole end of a path. An absolute one (or an import path) may begin elsewhere, but then
 * a folder must be in common too, and what is in front must be no place of installed code.
 */
function isPlausible({ spelling, parts, from }: { spelling: string; parts: number; from: string }): boolean {
  if (isAbsoluteName(spelling) || isImportPath(spelling))
    return parts > 1 && !isSystemName(spelling) && !isForeignName(from);
  return /^(?:\.\.\/)*$/.test(from) && !isForeignName(spelling);
}

/** `host.example/owner/name…`, as Go names packages. */
function isImportPath(spelling: string): boolean {
  const [host = '', ...rest] = spelling.split('/', 3);
  return rest.length === 2 && host.slice(1, -1).includes('.');
}

/** Those in the first folder that holds any; thousands of names may share their candidates. */
function nearest(folders: readonly string[]): (files: readonly string[]) => readonly string[] {
  const known = new Map<readonly string[], readonly string[]>();
  const narrowed = (files: readonly string[]): readonly string[] => {
    const folder = folders.find((one) => files.some((path) => path.startsWith(`${one}/`)));
    return folder === undefined ? files : files.filter((path) => path.startsWith(`${folder}/`));
  };
  return (files) => {
    if (files.length < 2) return files;
    const found = known.get(files) ?? narrowed(files);
    known.set(files, found);
    return found;
  };
}

/** Without its last parts, of which there are at least as many; with its last `/`. */
function cutParts(path: string, parts: number): string {
  let end = path.length;
  for (let left = parts; left > 0; left -= 1) end = path.lastIndexOf('/', end - 1);
  return path.slice(0, end + 1);
}

function first<T, R>(all: readonly T[], find: (one: T) => R | undefined): R | undefined {
  for (const one of all) {
    const found = find(one);
    if (found !== undefined) return found;
  }
  return undefined;
}
