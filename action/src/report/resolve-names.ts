import { posix } from 'node:path';
import type { PackagedName } from '../formats/coverage-format.ts';
import { type Checkout, rootSpellings } from './checkout.ts';
import { mapImportPaths } from './go-modules.ts';
import { guessNames } from './guess-names.ts';
import { findInstalled } from './installed-copies.ts';
import { placePackages } from './package-names.ts';
import { moveName, type PathMove } from './path-choice.ts';
import { below, cleanName, isAbsoluteName, joinName } from './path-names.ts';

/** What a report says about its names. */
export interface NamedReport {
  /** Absolute path of the report itself, with `/`. */
  readonly path: string;
  readonly names: readonly string[];
  /** Cobertura's `<source>` folders, as written. */
  readonly sources: readonly string[];
  /** The names are Go's import paths. */
  readonly importPaths?: boolean;
  /** By name: those that begin with a package. */
  readonly packaged?: ReadonlyMap<string, PackagedName>;
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
  /** The `path-map` input: what a name that begins so is in the repo, before anything is searched. */
  readonly pathMap?: readonly PathMove[];
  /** There are other reports too, so base-path can not be meant for this one where it lies in another package. */
  readonly isOneOfSeveral: boolean;
}

/**
 * Makes the names of a report repo-relative: the first file of the checkout that is found below base-path, a
 * `<source>`, the folders around the report, or the root. Names of an installed copy, another machine or folder are
 * guessed where only one guess fits.
 */
export function resolveNames(report: NamedReport, options: NameOptions): ResolvedNames {
  const places = placesOf(report, options);
  const paths = new Map<string, string>();
  const ambiguous = new Map<string, readonly string[]>();
  const open: { name: string; spellings: string[] }[] = [];
  const imported = report.importPaths ? mapImportPaths(report.names, { ...options, around: places.around }) : undefined;
  const packaged = placePackages(report.packaged ?? new Map(), { ...places, folders: foldersOf(places) });
  for (const name of report.names) {
    const moved = moveName(spellings(cleanName(name), places), options.pathMap ?? []);
    if (moved !== undefined && options.checkout.files.has(moved)) paths.set(name, moved);
    if (moved !== undefined || report.packaged?.has(name)) continue;
    const found = imported?.get(name) ?? find(cleanName(name), places);
    if (found[0] !== undefined) paths.set(name, found[0]);
    else if (!imported?.has(name)) open.push({ name, spellings: spellings(cleanName(name), places) });
    if (found.length > 1) ambiguous.set(name, found);
  }
  const installed = findInstalled(open, options.checkout);
  const guessed = guessNames(
    open.filter(
      ({ name, spellings: [first = ''] }) =>
        !installed.paths.has(name) && !places.roots.some((root) => below(root, first) !== undefined),
    ),
    { files: options.checkout.files, folders: foldersOf(places) },
  );
  for (const { paths: found, ambiguous: unclear } of [packaged, guessed, installed]) {
    for (const [name, path] of found) if (!paths.has(name)) paths.set(name, path);
    for (const [name, candidates] of unclear) if (!paths.has(name)) ambiguous.set(name, candidates);
  }
  return { paths, ambiguous };
}

/** Folders whose files are meant before others. */
function foldersOf({ first, around }: Places): string[] {
  return [...first, ...around].filter((folder) => folder !== '');
}

interface Places {
  readonly files: ReadonlySet<string>;
  readonly roots: readonly string[];
  /** Repo-relative folders that a name is tried below before all else: base-path. */
  readonly first: readonly string[];
  /**
   * Shortest first: coverage.py strips whichever matches first in an unordered set, and only so do all legs choose
   * alike.
   */
  readonly sources: readonly string[];
  /** Repo-relative folders from the report's own up to the root (''). */
  readonly around: readonly string[];
}

function placesOf(report: NamedReport, { checkout, basePath, isOneOfSeveral }: NameOptions): Places {
  const roots = rootSpellings(checkout.root);
  const inCheckout = (path: string): string | undefined =>
    roots.map((root) => below(root, path)).find((rest) => rest !== undefined);
  const clean = basePath === '' ? '' : cleanName(basePath);
  const sources = [...new Set(report.sources.map(cleanName))];
  const base = isAbsoluteName(clean) ? (inCheckout(clean) ?? '') : clean;
  const around = foldersAround(inCheckout(report.path));
  return {
    files: checkout.files,
    roots,
    first: base === '' ? [] : [...(isOneOfSeveral ? around.filter((folder) => !isAround(folder, base)) : []), base],
    sources: sources.sort((a, b) => a.length - b.length || (a < b ? -1 : 1)),
    around,
  };
}

/** Whether base-path lies in that folder, and so tells more of the names than the folder does. */
function isAround(folder: string, base: string): boolean {
  return folder === '' || folder === base || base.startsWith(`${folder}/`);
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
  const { files, roots, first, sources, around } = places;
  const at = (path: string): string[] => (files.has(path) ? [path] : []);
  const [found] = first.flatMap((folder) => at(joinName(folder, name)));
  if (found !== undefined) return [found];
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
