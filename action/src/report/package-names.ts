import type { PackagedName } from '../formats/coverage-format.ts';
import type { TrackedFiles } from './checkout.ts';
import type { Guesses } from './guess-names.ts';

/** Where packages may begin. */
export interface PackagePlaces {
  readonly tracked: TrackedFiles;
  /** Folders of which the first that holds a file is meant: base-path, then those around the report. */
  readonly folders: readonly string[];
}

/** Languages in which the folders of a package may leave out what all packages of a module begin with. */
const SHORTENS = /\.(?:kts?|scala|groovy)$/;
/** Folders that packages begin below. */
const ROOT = /(?:^|\/)(?:java|kotlin|scala|groovy|src)\/$/;

/**
 * Finds the files of names that begin with a package, module by module: the source root below which most of a module's
 * names are found is the module's. A folder that is called like the module goes before.
 */
export function placePackages(
  packaged: ReadonlyMap<string, PackagedName>,
  { tracked, folders }: PackagePlaces,
): Guesses {
  const paths = new Map<string, string>();
  const ambiguous = new Map<string, readonly string[]>();
  const modules = Map.groupBy(packaged, ([, { modules }]) => JSON.stringify(modules));
  for (const named of modules.values()) {
    const candidates = new Map(
      named.map(([name, { path, otherPath = path }]) => [
        name,
        [...new Set([path, otherPath])].flatMap((end) => candidatesFor(end, tracked)),
      ]),
    );
    const votes = countRoots(candidates.values());
    for (const [name, { modules: own }] of named) {
      const found = narrowed(candidates.get(name) ?? [], { folders, module: own.at(-1) ?? '', votes });
      if (found.length === 1) paths.set(name, pathOf(found[0] as Candidate));
      else if (found.length > 0) ambiguous.set(name, found.map(pathOf).sort());
    }
  }
  return { paths, ambiguous };
}

/** A file, and the source root that it is found below, with its last `/`. */
interface Candidate {
  readonly root: string;
  readonly end: string;
}

function pathOf({ root, end }: Candidate): string {
  return root + end;
}

function candidatesFor(path: string, tracked: TrackedFiles): Candidate[] {
  for (let end = path; ; end = end.slice(end.indexOf('/') + 1)) {
    const found = tracked
      .endingIn(end)
      .map((file) => ({ root: file.slice(0, file.length - end.length), end }))
      .filter(({ root }) => end === path || ROOT.test(root));
    if (found.length > 0 || !SHORTENS.test(path) || !end.includes('/')) return found;
  }
}

/** How many names of a module are found below each source root; those that are found below one alone count most. */
function countRoots(candidates: Iterable<readonly Candidate[]>): Map<string, number> {
  const votes = new Map<string, number>();
  for (const found of candidates)
    for (const { root } of found) votes.set(root, (votes.get(root) ?? 0) + 1 / found.length ** 2);
  return votes;
}

interface Evidence {
  readonly folders: readonly string[];
  readonly module: string;
  readonly votes: ReadonlyMap<string, number>;
}

/** Among several candidates: those in the first of the folders, in the module's, below the root with most names. */
function narrowed(candidates: readonly Candidate[], { folders, module, votes }: Evidence): readonly Candidate[] {
  if (candidates.length < 2) return candidates;
  const first = folders.find((folder) => candidates.some(({ root }) => root.startsWith(`${folder}/`)));
  const near = first === undefined ? candidates : candidates.filter(({ root }) => root.startsWith(`${first}/`));
  const named = near.filter(({ root }) => root.split('/').includes(module));
  const left = named.length > 0 ? named : near;
  const max = Math.max(...left.map(({ root }) => votes.get(root) ?? 0));
  return left.filter(({ root }) => votes.get(root) === max);
}
