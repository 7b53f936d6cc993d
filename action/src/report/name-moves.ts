import { posix } from 'node:path';
import type { TrackedFiles } from './checkout.ts';
import { isCommonPrefix } from './common-prefixes.ts';
import { isAbsoluteName, isForeignName } from './path-names.ts';

/** A name of a report that is at no expected place, and all ways to spell it, clean. */
export interface OpenName {
  readonly name: string;
  readonly spellings: readonly string[];
}

/** What names are guessed by. */
export interface GuessPlaces {
  readonly tracked: TrackedFiles;
  /** Among several candidates those in the first of these that holds any are meant. */
  readonly folders: readonly string[];
  /** No name of the report was found yet: what all open names share says where its checkout was. */
  readonly isWhole: boolean;
}

/** "What begins with `from` there begins with `to` here." */
export interface Move {
  readonly from: string;
  readonly to: string;
  /** Names that fit a file so. */
  votes: number;
  /** Those of them that have a folder in common with their file: every repo has an `index.js`. */
  strong: number;
}

/** By the start of names: how that was moved, as far as it is sure. */
export type Moves = ReadonlyMap<string, Move>;

/** Moves to a folder of the repo that are looked at for all names. */
const MAX_TRIED = 20;

/** Counts what speaks for each move. */
export class MoveCounts {
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
export function sureMoves(
  counts: MoveCounts,
  open: readonly OpenName[],
  { tracked, folders, isWhole }: GuessPlaces,
): Moves {
  const shared = isWhole ? sharedStart(open, tracked) : undefined;
  const isSure = ({ from, strong }: Move): boolean =>
    strong > 1 ||
    from === '/' ||
    (shared !== undefined && from !== '' && shared.start.startsWith(from) && (strong > 0 || shared.isFolderOfAll)) ||
    isCommonPrefix(from);
  const sure = counts.all().filter(isSure);
  const elsewhere = sure
    .filter(({ to }) => to !== '')
    .sort((a, b) => b.votes - a.votes || (a.from + a.to < b.from + b.to ? -1 : 1));
  for (const move of elsewhere.slice(0, MAX_TRIED))
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

/** With its last `/`; '' if there is none. */
function folderOf(name: string): string {
  return name.slice(0, name.lastIndexOf('/') + 1);
}

/** The surest move of a name's starts. */
export function moveOf(spellings: readonly string[], moves: Moves): Move | undefined {
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

/** Among two that as many names follow: to one place the outer, since a copy may lie within; else the nearer one. */
function isSurer(a: Move, b: Move): boolean {
  if (a.votes !== b.votes) return a.votes > b.votes;
  return a.to === b.to ? a.from.length < b.from.length : a.from.length > b.from.length;
}

export function applies({ from }: Move, spelling: string): boolean {
  return from === '' ? !isAbsoluteName(spelling) : spelling.startsWith(from);
}

export function moved(spelling: string, { from, to }: Move): string {
  return to + spelling.slice(from.length);
}
