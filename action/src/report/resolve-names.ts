import { posix } from 'node:path';
import { type Checkout, rootSpellings } from './checkout.ts';
import { guessNames } from './guess-names.ts';
import { below, cleanName, isAbsoluteName, joinName } from './path-names.ts';

/** What a report says about its names. */
export interface NamedReport {
  /** Absolute path of the report itself, with `/`. */
  readonly path: string;
  readonly names: readonly string[];
  /** Cobertura's `<source>` folders, as written. */
  readonly sources: readonly string[];
}

/** The names of one report, made repo-relative. */
export interface ResolvedNames {
  /** From the name as written to the repo-relative path; names outside the checkout are not in it. */
  readonly paths: ReadonlyMap<string, string>;
  /** Names that fit several files: the files, of which `paths` holds the one taken, if any. */
  readonly ambiguous: ReadonlyMap<string, readonly string[]>;
}

/** Where names may begin. */
export interface NameOptions {
  readonly checkout: Checkout;
  /** The `base-path` input: a folder of the repo, or absolute; empty for none. */
  readonly basePath: string;
}

/**
 * Makes the names of a report repo-relative: the first file of the checkout that is found below base-path, below a
 * `<source>`, below the folders around the report, or below the root. Names of another machine or folder are guessed
 * where only one guess fits.
 */
export function resolveNames(report: NamedReport, options: NameOptions): ResolvedNames {
  const places = placesOf(report, options);
  const paths = new Map<string, string>();
  const ambiguous = new Map<string, readonly string[]>();
  const open: { name: string; spellings: string[] }[] = [];
  for (const name of report.names) {
    const found = find(cleanName(name), places);
    if (found.length === 0) open.push({ name, spellings: spellings(cleanName(name), places) });
    else paths.set(name, found[0] as string);
    if (found.length > 1) ambiguous.set(name, found);
  }
  const guessed = guessNames(
    open.filter(({ spellings: [first = ''] }) => !places.roots.some((root) => below(root, first) !== undefined)),
    options.checkout.files,
  );
  for (const [name, path] of guessed.paths) paths.set(name, path);
  for (const [name, candidates] of guessed.ambiguous) ambiguous.set(name, candidates);
  return { paths, ambiguous };
}

interface Places {
  readonly files: ReadonlySet<string>;
  readonly roots: readonly string[];
  readonly basePath: string;
  /**
   * Shortest first: coverage.py strips whichever matches first in an unordered set, and only so do all legs choose
   * alike.
   */
  readonly sources: readonly string[];
  /** Repo-relative folders from the report's own up to the root (''). */
  readonly around: readonly string[];
}

function placesOf(report: NamedReport, { checkout, basePath }: NameOptions): Places {
  const roots = rootSpellings(checkout.root);
  const inCheckout = (path: string): string | undefined =>
    roots.map((root) => below(root, path)).find((rest) => rest !== undefined);
  const clean = basePath === '' ? '' : cleanName(basePath);
  const sources = [...new Set(report.sources.map(cleanName))];
  return {
    files: checkout.files,
    roots,
    basePath: isAbsoluteName(clean) ? (inCheckout(clean) ?? '') : clean,
    sources: sources.sort((a, b) => a.length - b.length || (a < b ? -1 : 1)),
    around: foldersAround(inCheckout(report.path)),
  };
}

function foldersAround(path: string | undefined): string[] {
  const folders: string[] = [];
  for (let folder = posix.dirname(path ?? ''); folder !== '.'; folder = posix.dirname(folder)) folders.push(folder);
  return [...folders, ''];
}

/**
 * The files of the checkout that a clean name means, the likeliest first; more than one only where several sources hold
 * such a file.
 */
function find(name: string, places: Places): string[] {
  const { files, roots, basePath, sources, around } = places;
  const at = (path: string): string[] => (files.has(path) ? [path] : []);
  if (basePath !== '') {
    const [found] = at(joinName(basePath, name));
    if (found !== undefined) return [found];
  }
  if (isAbsoluteName(name)) {
    const rest = roots.map((root) => below(root, name)).find((path) => path !== undefined);
    if (rest !== undefined) return at(rest);
    return name.startsWith('/') ? at(name.slice(1)) : [];
  }
  const inSources = sources.flatMap((source) => {
    const joined = joinName(source, name);
    if (!isAbsoluteName(joined)) return at(joined);
    return roots.map((root) => below(root, joined)).flatMap((path) => (path === undefined ? [] : at(path)));
  });
  if (inSources.length > 0) return [...new Set(inSources)];
  return around.flatMap((folder) => at(joinName(folder, name))).slice(0, 1);
}

/** All that a name may be written as, for guessing: itself, or below each source of another machine. */
function spellings(name: string, { sources }: Places): string[] {
  if (isAbsoluteName(name)) return [name];
  return [name, ...sources.filter((source) => isAbsoluteName(source)).map((source) => joinName(source, name))];
}
