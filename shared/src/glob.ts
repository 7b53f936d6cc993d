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

/** One part of a path as a pattern: what has to follow one another. */
type PartPattern = readonly Piece[];

type Piece =
  | { readonly kind: 'any-text' }
  | { readonly kind: 'character'; readonly matches: (character: string) => boolean }
  | { readonly kind: 'one-of'; readonly choices: readonly PartPattern[] };

const ANY_TEXT: Piece = { kind: 'any-text' };
const ANY_CHARACTER: Piece = { kind: 'character', matches: () => true };

/** Reads `*`, `?`, `[a-z]`, `[!a]` and `{a,b}`; brackets that nothing closes are themselves. */
function parsePart(text: string): PartPattern {
  return new PartParser(text).parse();
}

/** Whether a pattern fits a text as a whole. */
function matchesPart(pattern: PartPattern, text: string): boolean {
  return advance(pattern, text, new Set([0])).has(text.length);
}

/** Where the text may have been read to, from any of these places: each piece looks at each character once at most. */
function advance(pattern: PartPattern, text: string, starts: ReadonlySet<number>): ReadonlySet<number> {
  let places = starts;
  for (const piece of pattern) {
    if (places.size === 0) return places;
    const next = new Set<number>();
    if (piece.kind === 'any-text') {
      for (let place = Math.min(...places); place <= text.length; place += 1) next.add(place);
    } else if (piece.kind === 'character') {
      for (const place of places) if (place < text.length && piece.matches(text[place] as string)) next.add(place + 1);
    } else {
      for (const choice of piece.choices) for (const place of advance(choice, text, places)) next.add(place);
    }
    places = next;
  }
  return places;
}

class PartParser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  parse(): PartPattern {
    return this.#choices(0)[0] as PartPattern;
  }

  /** Reads up to the brace that closes this depth; at depth 0, where a comma is itself, that is one choice. */
  #choices(depth: number): PartPattern[] {
    const choices: Piece[][] = [[]];
    while (this.#at < this.#text.length) {
      const character = this.#text[this.#at] as string;
      if (depth > 0 && character === '}') {
        this.#at += 1;
        break;
      }
      if (depth > 0 && character === ',') {
        choices.push([]);
        this.#at += 1;
      } else choices.at(-1)?.push(this.#piece(character, depth));
    }
    return choices;
  }

  #piece(character: string, depth: number): Piece {
    const [text, start] = [this.#text, this.#at];
    this.#at += 1;
    if (character === '*') {
      while (text[this.#at] === '*') this.#at += 1;
      return ANY_TEXT;
    }
    if (character === '?') return ANY_CHARACTER;
    if (character === '[' && text.includes(']', start + 2)) {
      const close = text.indexOf(']', start + 2);
      this.#at = close + 1;
      return { kind: 'character', matches: characterSet(text.slice(start + 1, close)) };
    }
    if (character === '{' && text.includes('}', start)) {
      return { kind: 'one-of', choices: this.#choices(depth + 1) };
    }
    return { kind: 'character', matches: (other) => other === character };
  }
}

function characterSet(content: string): (character: string) => boolean {
  const negated = content.startsWith('!') || content.startsWith('^');
  const ranges: { from: string; to: string }[] = [];
  for (let at = negated ? 1 : 0; at < content.length; at += 1) {
    const from = content[at] as string;
    const isRange = content[at + 1] === '-' && at + 2 < content.length;
    ranges.push({ from, to: isRange ? (content[at + 2] as string) : from });
    if (isRange) at += 2;
  }
  return (character) => ranges.some(({ from, to }) => from <= character && character <= to) !== negated;
}
