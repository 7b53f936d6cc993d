import { posix } from 'node:path';
import type { PackagedName } from '../formats/coverage-format.ts';
import { type Checkout, TrackedFiles } from './checkout.ts';
import { mapImportPaths } from './go-modules.ts';
import { type Guesses, guessSingly, movedPath, weighNames } from './guess-names.ts';
import { findInstalled } from './installed-copies.ts';
import type { OpenName } from './name-moves.ts';
import { placePackages } from './package-names.ts';
import { cleanName, isAbsoluteName, joinName, moveName, type PathMove, writtenForms } from './path-names.ts';

/** What a report says about its names. */
export interface NamedReport {
  /** Absolute path of the report itself, with `/`. */
  readonly path: string;
  readonly names: readonly string[];
  /** Cobertura's `<source>` folders, as written. */
  readonly sources: readonly string[];
  /** The names are Go's import paths. */
  readonly importPaths?: boolean;
  /** The names are whole: a last part alone, such as `main.c`, makes none of them a file of the checkout. */
  readonly isPlaced?: boolean;
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
}

/**
 * Makes the names of one report repo-relative. `isOneOfSeveral`: there are other reports too, so base-path can not be
 * meant for this one where it lies in another package.
 */
export type ResolveNames = (report: NamedReport, place: { readonly isOneOfSeveral: boolean }) => ResolvedNames;

/**
 * Names of reports of one checkout: the first of its files that is found below base-path, a `<source>`, the folders
 * around the report, or the root. Names of an installed copy, another machine or folder are guessed where only one
 * guess fits.
 */
export function createResolveNames(options: NameOptions): ResolveNames {
  const tracked = new TrackedFiles(options.checkout);
  return (report, place) => resolveNames(report, { ...options, ...place, tracked });
}

function resolveNames(report: NamedReport, options: Known): ResolvedNames {
  const { tracked, pathMap = [] } = options;
  const places = placesOf(report, options);
  const paths = new Map<string, string>();
  const ambiguous = new Map<string, readonly string[]>();
  const open: OpenName[] = [];
  const imported = report.importPaths ? mapImportPaths(report.names, { ...options, around: places.around }) : undefined;
  for (const name of report.names) {
    const forms = writtenForms(name);
    const moved = moveName(spellings(forms, places), pathMap);
    const mapped = moved && tracked.at(moved);
    if (mapped) paths.set(name, mapped);
    if (moved !== undefined || report.packaged?.has(name)) continue;
    const found = imported?.get(name) ?? find(forms, places);
    if (found[0] !== undefined) paths.set(name, found[0]);
    else if (!imported?.has(name)) open.push({ name, spellings: spellings(forms, places) });
    if (found.length > 1) ambiguous.set(name, found);
  }
  const found = { paths, ambiguous };
  add(found, placePackages(report.packaged ?? new Map(), { tracked, folders: foldersOf(places) }));
  guessOpen(open, found, { ...places, isPlaced: report.isPlaced === true });
  for (const [name, path] of paths) paths.set(name, tracked.behindLink(path));
  return found;
}

interface Found {
  readonly paths: Map<string, string>;
  readonly ambiguous: Map<string, readonly string[]>;
}

function add({ paths, ambiguous }: Found, guesses: Guesses): void {
  for (const [name, path] of guesses.paths) paths.set(name, path);
  for (const [name, candidates] of guesses.ambiguous) ambiguous.set(name, candidates);
}

/** The surest guesses first, each of the names that those before it left open. */
function guessOpen(open: readonly OpenName[], found: Found, places: Places & { readonly isPlaced: boolean }): void {
  const { tracked, isPlaced } = places;
  const isOpen = ({ name }: OpenName): boolean => !found.paths.has(name) && !found.ambiguous.has(name);
  const elsewhere = open.filter(({ spellings: [written = ''] }) => tracked.inCheckout(written) === undefined);
  const isWhole = found.paths.size === 0 && elsewhere.length === open.length && !isPlaced;
  const evidence = weighNames(elsewhere, { tracked, folders: foldersOf(places), isWhole });
  for (const one of elsewhere) {
    const path = movedPath(one, evidence, tracked);
    if (path !== undefined) found.paths.set(one.name, path);
  }
  add(found, findInstalled(open.filter(isOpen), tracked));
  const isLikely = ({ name }: OpenName): boolean =>
    !isPlaced || evidence.candidates.get(name)?.from !== `${posix.dirname(name)}/`;
  const single = elsewhere.filter((one) => isOpen(one) && isLikely(one));
  add(found, guessSingly(single, evidence, new Set(found.paths.values())));
}

/** Folders whose files are meant before others. */
function foldersOf({ first, around }: Places): string[] {
  return [...first, ...around].filter((folder) => folder !== '');
}

type Known = NameOptions & { readonly isOneOfSeveral: boolean; readonly tracked: TrackedFiles };

interface Places {
  readonly tracked: TrackedFiles;
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

function placesOf(report: NamedReport, { tracked, basePath, isOneOfSeveral }: Known): Places {
  const clean = basePath === '' ? '' : cleanName(basePath);
  const sources = [...new Set(report.sources.map(cleanName))];
  const base = isAbsoluteName(clean) ? (tracked.inCheckout(clean) ?? '') : clean;
  const around = foldersAround(tracked.inCheckout(report.path));
  return {
    tracked,
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
 * The files of the checkout that a name means, the likeliest first; more than one only where several sources hold such
 * a file.
 */
function find(forms: readonly string[], places: Places): string[] {
  const { tracked } = places;
  for (const at of [tracked.at, tracked.throughLink]) {
    for (const form of forms) {
      const found = findAt(form, places, at.bind(tracked));
      if (found.length > 0) return found;
    }
  }
  return [];
}

function findAt(name: string, places: Places, at: TrackedFiles['at']): string[] {
  const { tracked, first, sources, around } = places;
  const [found] = filesAt(
    first.map((folder) => joinName(folder, name)),
    at,
  );
  if (found !== undefined) return [found];
  if (isAbsoluteName(name)) return filesAt([tracked.inCheckout(name)], at);
  const inSources = sources
    .map((source) => joinName(source, name))
    .map((joined) => (isAbsoluteName(joined) ? tracked.inCheckout(joined) : joined));
  const ofSources = filesAt(inSources, at);
  if (ofSources.length > 0) return [...new Set(ofSources)];
  return filesAt(
    around.map((folder) => joinName(folder, name)),
    at,
  ).slice(0, 1);
}

function filesAt(paths: readonly (string | undefined)[], at: TrackedFiles['at']): string[] {
  return paths.flatMap((path) => (path === undefined ? [] : (at(path) ?? [])));
}

/** All that a name may be written as, for guessing: its forms, or these below each source of another machine. */
function spellings(forms: readonly string[], { sources }: Places): string[] {
  const folders = sources.filter((source) => isAbsoluteName(source));
  const below = forms
    .filter((form) => !isAbsoluteName(form))
    .flatMap((form) => folders.map((one) => joinName(one, form)));
  return [...forms, ...below];
}
