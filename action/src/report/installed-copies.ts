import { join, posix } from 'node:path';
import { readSmall } from '../git/git-places.ts';
import type { TrackedFiles } from './checkout.ts';
import type { Guesses } from './guess-names.ts';
import type { OpenName } from './name-moves.ts';
import { isForeignName } from './path-names.ts';

/** Folders that package managers put packages into. */
const FOLDERS: ReadonlySet<string> = new Set(['site-packages', 'dist-packages', 'node_modules']);
const PYTHON = /\.py[ix]?$/;
const MAX_MANIFEST_BYTES = 1 << 20;

/** The names of one report below one installed package. */
interface Installed {
  readonly package: string;
  readonly isNode: boolean;
  /** From the name as written to what it has in common with a file of the checkout. */
  readonly ends: Map<string, string>;
}

/**
 * Names below an installed copy of the repo's own package, as tox and nox run it, or below a workspace's link in
 * `node_modules`, are the tracked files that end alike. A package counts as a whole: single files of other people's
 * packages are called alike by chance.
 */
export function findInstalled(open: readonly OpenName[], tracked: TrackedFiles): Guesses {
  const paths = new Map<string, string>();
  const ambiguous = new Map<string, readonly string[]>();
  const manifests = new Map<string, string | undefined>();
  const manifestIn = (folder: string): string | undefined => {
    if (!manifests.has(folder))
      manifests.set(folder, readSmall(join(tracked.checkout.root, folder, 'package.json'), MAX_MANIFEST_BYTES));
    return manifests.get(folder);
  };
  for (const installed of packagesAmong(open).values()) {
    const folders = foldersOf(installed, { tracked, manifestIn });
    for (const [name, end] of installed.ends) {
      const found = folders.flatMap((folder) => tracked.at(folder + end) ?? []);
      if (found.length === 1) paths.set(name, found[0] as string);
      if (found.length > 1) ambiguous.set(name, found.sort());
    }
  }
  return { paths, ambiguous };
}

function packagesAmong(open: readonly OpenName[]): Map<string, Installed> {
  const packages = new Map<string, Installed>();
  for (const { name, spellings } of open) {
    const split = spellings.map(splitInstalled).find((one) => one !== undefined);
    if (split === undefined) continue;
    const { folder, package: own, isNode, end } = split;
    const key = JSON.stringify([folder, own]);
    const known = packages.get(key) ?? { package: own, isNode, ends: new Map<string, string>() };
    packages.set(key, known);
    known.ends.set(name, end);
  }
  return packages;
}

/** `x/site-packages/attr/a.py` ends in `attr/a.py`, `x/node_modules/@a/shop/a.js` in `a.js`: folders may be renamed. */
function splitInstalled(spelling: string) {
  const parts = spelling.split('/');
  const at = parts.findLastIndex((part) => FOLDERS.has(part));
  const rest = parts.slice(at + 1);
  const isNode = parts[at] === 'node_modules';
  if (at < 0 || !(isNode || PYTHON.test(spelling))) return undefined;
  const size = isNode && rest[0]?.startsWith('@') ? 2 : 1;
  const end = rest.slice(isNode ? size : 0).join('/');
  return { folder: parts.slice(0, at + 1).join('/'), package: rest.slice(0, size).join('/'), isNode, end };
}

interface Known {
  readonly tracked: TrackedFiles;
  /** The text of a folder's `package.json`. */
  readonly manifestIn: (folder: string) => string | undefined;
}

/** The folders that hold the package, each with its last `/`; more than one where they hold as many of its files. */
function foldersOf(installed: Installed, { tracked, manifestIn }: Known): string[] {
  const held = new Map<string, number>();
  for (const end of installed.ends.values()) {
    for (const file of tracked.endingIn(end)) {
      const folder = file.slice(0, file.length - end.length);
      held.set(folder, (held.get(folder) ?? 0) + 1);
    }
  }
  const holds = installed.isNode ? isNodePackage(installed, manifestIn) : isPythonPackage(installed);
  const fitting = [...held].filter(([folder, count]) => holds(folder, count));
  const max = Math.max(...fitting.map(([, count]) => count));
  return fitting.filter(([, count]) => count === max).map(([folder]) => folder);
}

type Holds = (folder: string, count: number) => boolean;

/** Most of its files are there. A module of one file may be called like any script: it stands at the top or in src. */
function isPythonPackage({ ends }: Installed): Holds {
  const isModule = [...ends.values()].every((end) => !end.includes('/'));
  return (folder, count) =>
    count * 2 >= ends.size &&
    (!isModule || folder === '' || folder === 'src/') &&
    !isForeignName(folder) &&
    !folder.endsWith('_vendor/');
}

/** Its manifest bears the name; without a manifest the folder does, and all files are there. */
function isNodePackage({ package: own, ends }: Installed, manifestIn: Known['manifestIn']): Holds {
  return (folder, count) => {
    const manifest = manifestIn(folder);
    if (manifest !== undefined) return nameIn(manifest) === own;
    return count === ends.size && posix.basename(folder) === posix.basename(own);
  };
}

function nameIn(manifest: string): unknown {
  try {
    return (JSON.parse(manifest) as { name?: unknown } | null)?.name;
  } catch {
    return undefined;
  }
}
