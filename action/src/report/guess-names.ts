import { posix } from 'node:path';
import { commonEnd, isAbsoluteName, isForeignName } from './path-names.ts';

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

/** "What begins with `from` there begins with `to` here", learned from the names that fit one file only. */
interface Move {
  readonly from: string;
  readonly to: string;
  votes: number;
}

/**
 * Finds files of the checkout for names from elsewhere by their common end. A name with a single candidate shows how
 * its folder was moved; the others follow the move that most names of the report took. Of several candidates those in
 * the first of `folders` that holds any are meant.
 */
export function guessNames(
  open: readonly OpenName[],
  { files, folders }: { readonly files: ReadonlySet<string>; readonly folders: readonly string[] },
): Guesses {
  const byLastPart =
    open.length === 0 ? new Map<string, string[]>() : Map.groupBy(files, (file) => posix.basename(file));
  const moves = new Map<string, Move>();
  const candidates = new Map<string, readonly Candidate[]>();
  for (const { name, spellings } of open) {
    const best = inFirst(folders, bestCandidates(spellings, byLastPart));
    candidates.set(name, best);
    if (best.length === 1) learn(moves, best[0] as Candidate);
  }
  const ranked = [...moves.values()].sort(
    (a, b) => b.votes - a.votes || b.from.length - a.from.length || (a.to < b.to ? -1 : 1),
  );
  return decide(open, { candidates, ranked, files });
}

interface Candidate {
  readonly spelling: string;
  readonly path: string;
  readonly common: number;
}

function bestCandidates(spellings: readonly string[], byLastPart: ReadonlyMap<string, readonly string[]>): Candidate[] {
  const found = spellings.flatMap((spelling) =>
    (byLastPart.get(posix.basename(spelling)) ?? [])
      .map((path) => ({ spelling, path, common: commonEnd(spelling, path) }))
      .filter((candidate) => isPlausible(candidate)),
  );
  const longest = Math.max(...found.map(({ common }) => common));
  const best = found.filter(({ common }) => common === longest);
  return [...new Map(best.map((candidate) => [candidate.path, candidate])).values()];
}

function inFirst(folders: readonly string[], candidates: Candidate[]): Candidate[] {
  if (candidates.length < 2) return candidates;
  const first = folders.find((folder) => candidates.some(({ path }) => path.startsWith(`${folder}/`)));
  return first === undefined ? candidates : candidates.filter(({ path }) => path.startsWith(`${first}/`));
}

/**
 * A relative name has to be the whole end of a path. An absolute one (or an import path) may begin elsewhere, but then
 * a folder must be in common too: every repo has an `index.js`.
 */
function isPlausible({ spelling, common }: Candidate): boolean {
  const relative = spelling.replace(/^(?:\.\.\/)+/, '');
  if (common >= relative.length) return true;
  if (!isAbsoluteName(spelling) && !isImportPath(spelling)) return false;
  return !isForeignName(spelling) && spelling.slice(-common).includes('/');
}

/** `host.example/owner/name…`, as Go names packages. */
function isImportPath(spelling: string): boolean {
  const [host = '', ...rest] = spelling.split('/', 3);
  return rest.length === 2 && host.slice(1, -1).includes('.');
}

function learn(moves: Map<string, Move>, { spelling, path, common }: Candidate): void {
  const [from, to] = [spelling.slice(0, spelling.length - common), path.slice(0, path.length - common)];
  const key = JSON.stringify([from, to]);
  const move = moves.get(key) ?? { from, to, votes: 0 };
  move.votes += 1;
  moves.set(key, move);
}

interface Evidence {
  readonly candidates: ReadonlyMap<string, readonly Candidate[]>;
  readonly ranked: readonly Move[];
  readonly files: ReadonlySet<string>;
}

function decide(open: readonly OpenName[], { candidates, ranked, files }: Evidence): Guesses {
  const paths = new Map<string, string>();
  const ambiguous = new Map<string, readonly string[]>();
  for (const { name, spellings } of open) {
    if (spellings.every(isForeignName)) continue;
    const usual = ranked.find(
      (move) => move.votes > 1 && spellings.some((spelling) => moved(spelling, move) !== undefined),
    );
    const path = spellings
      .map((spelling) => usual && moved(spelling, usual))
      .find((moves) => moves !== undefined && files.has(moves));
    const own = candidates.get(name) ?? [];
    if (path !== undefined) paths.set(name, path);
    else if (own.length > 1) ambiguous.set(name, own.map((candidate) => candidate.path).sort());
    else if (own.length === 1 && (usual === undefined || usual.from === ''))
      paths.set(name, (own[0] as Candidate).path);
  }
  return { paths, ambiguous };
}

/** Where a move takes a spelling; undefined where it says nothing of it. */
function moved(spelling: string, { from, to }: Move): string | undefined {
  const applies = from === '' ? !isAbsoluteName(spelling) : spelling.startsWith(from);
  return applies ? to + spelling.slice(from.length) : undefined;
}
