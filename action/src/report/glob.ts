import { extname } from 'node:path/posix';
import { matchesPart, type PartPattern, parsePart } from './glob-part.ts';

/** A pattern for paths, ready to match. */
export interface Glob {
  /** The folder where matching paths begin, without a trailing slash; empty for a relative pattern without one. */
  readonly folder: string;
  /** Against a path with `/`, written from the same root as the pattern. */
  matches(path: string): boolean;
}

const SPECIAL = /[*?[{]/;
/** Any number of folders, or as the last part all that is below. */
const ANY = '**';

/** Whether a text asks for more than one literal path. */
export function isGlob(text: string): boolean {
  return SPECIAL.test(text);
}

/**
 * Patterns as workflows use them: `*` and `?` within one part of a path, `**` over any number of parts, `[a-z]`,
 * `[!a]`, `{a,b}`. A leading dot is no exception: `.nyc_output` is matched by `*`.
 */
export function parseGlob(pattern: string): Glob {
  const parts = pattern.replace(/^(?:\.\/)+/, '').split('/');
  const firstSpecial = parts.findIndex((part) => isGlob(part));
  const literal = parts.slice(0, firstSpecial < 0 ? -1 : firstSpecial);
  const folder = literal.join('/') || (pattern.startsWith('/') ? '/' : '');
  const patterns = parts.map((part) => (part === ANY ? ANY : parsePart(part)));
  return { folder, matches: (path) => matchesParts(patterns, path.split('/')) };
}

/**
 * Whether a file's name fits one of these patterns, for trees of many thousand files: most names have no ending that
 * any pattern asks for, and most others come again.
 */
export function nameFilter(patterns: readonly string[]): (name: string) => boolean {
  const globs = patterns.map(parseGlob);
  const endings = patterns.map((pattern) => (SPECIAL.test(extname(pattern)) ? undefined : extname(pattern)));
  const isAnyEnding = endings.includes(undefined);
  const known = new Map<string, boolean>();
  return (name) => {
    if (!isAnyEnding && !endings.includes(extname(name))) return false;
    let fits = known.get(name);
    if (fits === undefined) {
      fits = globs.some((glob) => glob.matches(name));
      known.set(name, fits);
    }
    return fits;
  };
}

/** Follows all places in the path at once that the pattern may have come to: no input makes it try them in turn. */
function matchesParts(patterns: readonly (PartPattern | typeof ANY)[], parts: readonly string[]): boolean {
  let places = new Set([0]);
  for (const [index, pattern] of patterns.entries()) {
    const next = new Set<number>();
    if (pattern === ANY) {
      const first = Math.min(...places);
      if (index === patterns.length - 1) return first < parts.length;
      for (let place = first; place < parts.length; place += 1) next.add(place);
    } else {
      for (const place of places) {
        const part = parts[place];
        if (part !== undefined && matchesPart(pattern, part)) next.add(place + 1);
      }
    }
    places = next;
  }
  return places.has(parts.length);
}
