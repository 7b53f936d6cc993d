import { posix } from 'node:path';
import { isAbsoluteName, isForeignName, isSystemName, joinName } from './path-names.ts';
import type { TrackedFiles } from './tracked-files.ts';
import { isUsualPrefix, usualPrefixes } from './usual-prefixes.ts';

/** A name of a report that is at no expected place, and all ways to spell it, clean. */
export interface OpenName {
  readonly name: string;
  readonly spellings: readonly string[];
}

/** What was guessed. */
export interface Guesses {
  readonly paths: ReadonlyMap<string, string>;
  readonly ambiguous: ReadonlyMap<string, readonly string[]>;
}

/** What names are guessed by. */
export interface GuessPlaces {
  readonly tracked: TrackedFiles;
  /** Of several candidates those in the first of these that holds any are meant. */
  readonly folders: readonly string[];
  /** No name of the report was found yet: what all open names share says where its checkout was. */
  readonly isWhole: boolean;
}

/** The files that end most like a name: one, or several that fit alike. */
interface Candidates {
  readonly from: string;
  readonly files: readonly string[];
}

/** "What begins with `from` there begins with `to` here." */
interface Move {
  readonly from: string;
  readonly to: string;
  /** Names that fit a file so. */
  votes: number;
  /** Those of them that have a folder in common with their file: every repo has an `index.js`. */
  strong: number;
}

/** What the open names of a report tell of each other. */
export interface Evidence {
  /** By the start of names: how that was moved, as far as it is sure. */
  readonly moves: ReadonlyMap<string, Move>;
  readonly candidates: ReadonlyMap<string, Candidates>;
}

/** Moves to a folder of the repo that are looked at for all names. */
const MOST_TRIED = 20;

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
  if (isSystem || folders.length === 0) return;
  for (const from of usualPrefixes(spelling)) {
    const folder = folders.find((one) => tracked.at(joinName(one, spelling.slice(from.length))) !== undefined);
    if (folder !== undefined) moves.add({ from, to: `${folder}/` }, { isStrong: false });
  }
}

function bestCandidates(spellings: readonly string[], tracked: TrackedFiles) {
  const found = spellings
    .map((spelling) => ({ spelling, ...tracked.bestEnd(spelling) }))
    .map(({ spelling, parts, files }) => ({ spelling, parts, files, from: cutParts(spelling, parts) }))
    .filter(isPlausible);
  const most = Math.max(...found.map(({ parts }) => parts));
  return found.find(({ parts }) => parts === most);
}

/**
 * A relative name has to be the whole end of a path. An absolute one (or an import path) may begin elsewhere, but then
 * a folder must be in common too, and what is in front must be no place of installed code.
 */
function isPlausible({ spelling, parts, from }: { spelling: string; parts: number; from: string }): boolean {
  if (parts === 0) return false;
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

/** Counts what speaks for each move. */
class MoveCounts {
  readonly #moves = new Map<string, Map<string, Move>>();

  add({ from, to }: Pick<Move, 'from' | 'to'>, { isStrong }: { readonly isStrong: boolean }): void {
    const ofStart = this.#moves.get(from) ?? new Map<string, Move>();
    const move = ofStart.get(to) ?? { from, to, votes: 0, strong: 0 };
    move.votes += 1;
    if (isStrong) move.strong += 1;
    this.#moves.set(from, ofStart.set(to, move));
  }

  all(): Move[] {
    return [...this.#moves.values()].flatMap((ofStart) => [...ofStart.values()]);
  }
}

/** For each start of names the surest move of those that enough speaks for. */
function sureMoves(
  counts: MoveCounts,
  open: readonly OpenName[],
  { tracked, folders, isWhole }: GuessPlaces,
): ReadonlyMap<string, Move> {
  const shared = isWhole ? sharedStart(open, tracked) : undefined;
  const isSure = ({ from, strong }: Move): boolean =>
    strong > 1 ||
    from === '/' ||
    (shared !== undefined && from !== '' && shared.start.startsWith(from) && (strong > 0 || shared.isFolderOfAll)) ||
    isUsualPrefix(from);
  const sure = counts.all().filter(isSure);
  const elsewhere = sure
    .filter(({ to }) => to !== '')
    .sort((a, b) => b.votes - a.votes || (a.from + a.to < b.from + b.to ? -1 : 1));
  for (const move of elsewhere.slice(0, MOST_TRIED))
    move.votes = Math.max(move.votes, countFitting(open, move, tracked));
  const isNear = ({ to }: Move): boolean => folders.some((folder) => to.startsWith(`${folder}/`));
  sure.sort((a, b) => a.votes - b.votes || Number(isNear(a)) - Number(isNear(b)) || (a.to < b.to ? 1 : -1));
  return new Map(sure.map((move) => [move.from, move]));
}

function countFitting(open: readonly OpenName[], move: Move, tracked: TrackedFiles): number {
  const fits = (spelling: string): boolean =>
    applies(move, spelling) && tracked.at(moved(spelling, move)) !== undefined;
  return open.filter(({ spellings }) => spellings.some(fits)).length;
}

/**
 * The folder that all names lie below; `isFolderOfAll`: right in it, and each is at the root the only file of its name.
 */
function sharedStart(open: readonly OpenName[], tracked: TrackedFiles) {
  const own = open.filter(({ spellings }) => !spellings.every(isForeignName));
  const names = own.map(({ spellings }) => spellings.find(isAbsoluteName) ?? '');
  let start = folderOf(names[0] ?? '');
  for (const name of names) while (!name.startsWith(start)) start = folderOf(start.slice(0, -1));
  const isAlone = (name: string): boolean => {
    const base = posix.basename(name);
    const files = tracked.endingIn(base);
    return folderOf(name) === start && files.length === 1 && tracked.at(base) === files[0];
  };
  return start === '' ? undefined : { start, isFolderOfAll: names.every(isAlone) };
}

/** With its last `/`; '' where there is none. */
function folderOf(name: string): string {
  return name.slice(0, name.lastIndexOf('/') + 1);
}

/** The surest move of a name's starts. */
function moveOf(spellings: readonly string[], moves: Evidence['moves']): Move | undefined {
  if (moves.size === 0) return undefined;
  let best: Move | undefined;
  for (const spelling of spellings) {
    for (let from = folderOf(spelling); ; from = folderOf(from.slice(0, -1))) {
      const move = moves.get(from);
      if (move !== undefined && applies(move, spelling) && (best === undefined || isSurer(move, best))) best = move;
      if (from === '') break;
    }
  }
  return best;
}

/** Of two that as many names follow: to one place the outer, since a copy may lie within; else the nearer one. */
function isSurer(a: Move, b: Move): boolean {
  if (a.votes !== b.votes) return a.votes > b.votes;
  return a.to === b.to ? a.from.length < b.from.length : a.from.length > b.from.length;
}

function applies({ from }: Move, spelling: string): boolean {
  return from === '' ? !isAbsoluteName(spelling) : spelling.startsWith(from);
}

function moved(spelling: string, { from, to }: Move): string {
  return to + spelling.slice(from.length);
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
