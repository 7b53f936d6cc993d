/** A pattern for paths, ready to match. */
export interface Glob {
  /** The folder where matching paths begin, without a trailing slash; empty for a relative pattern without one. */
  readonly folder: string;
  /** Against a path with `/`, written from the same root as the pattern. */
  matches(path: string): boolean;
}

const SPECIAL = /[*?[{]/;

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
  const expression = new RegExp(
    `^${parts.map((part, index) => partExpression(part, index === parts.length - 1)).join('')}$`,
  );
  return { folder, matches: (path) => expression.test(path) };
}

function partExpression(part: string, isLast: boolean): string {
  if (part === '**') return isLast ? '.*' : '(?:[^/]*/)*';
  return translate(part) + (isLast ? '' : '/');
}

function translate(part: string): string {
  let result = '';
  let depth = 0;
  for (let at = 0; at < part.length; at += 1) {
    const character = part[at] as string;
    if (character === '*') {
      while (part[at + 1] === '*') at += 1;
      result += '[^/]*';
    } else if (character === '?') result += '[^/]';
    else if (character === '[' && part.indexOf(']', at + 2) > 0) {
      const close = part.indexOf(']', at + 2);
      result += characterSet(part.slice(at + 1, close));
      at = close;
    } else if (character === '{' && part.indexOf('}', at) > 0) {
      depth += 1;
      result += '(?:';
    } else if (character === '}' && depth > 0) {
      depth -= 1;
      result += ')';
    } else result += character === ',' && depth > 0 ? '|' : character.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&');
  }
  return result + ')'.repeat(depth);
}

function characterSet(content: string): string {
  const negated = content.startsWith('!') || content.startsWith('^');
  const characters = (negated ? content.slice(1) : content).replace(/[\\\]^[]/g, '\\$&');
  return `(?!/)[${negated ? '^' : ''}${characters}]`;
}
