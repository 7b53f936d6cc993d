import { isGlob, parseGlob } from './glob.ts';

/** Whether a repo-relative path, with `/`, fits. */
export type FitsPath = (path: string) => boolean;

/**
 * A pattern, a folder or a file, as `include` and `exclude` of the action read it: a pattern fits a whole path from the
 * repo's root on, a folder all that is below it.
 */
export function pathPattern(stated: string): FitsPath {
  const pattern = stated.replaceAll('\\', '/').replace(/^(?:\.?\/)+|^\.$/, '');
  if (!isGlob(pattern)) {
    const folder = withoutSlashes(pattern);
    return (path) => folder === '' || path === folder || path.startsWith(`${folder}/`);
  }
  const glob = parseGlob(pattern.endsWith('/') ? `${pattern}**` : pattern);
  const start = glob.folder === '' ? '' : `${glob.folder}/`;
  const end = literalEnd(pattern);
  // Most paths are told apart by how they begin or end, which costs far less than the pattern.
  return (path) => path.startsWith(start) && path.endsWith(end) && glob.matches(path);
}

/**
 * Patterns in order, of which the last that fits decides; one that begins with `!` takes out, as in .gitignore. Before
 * the first one nothing is in.
 */
export function pathList(patterns: readonly string[]): FitsPath {
  const rules = patterns.map((stated) => {
    const takesOut = stated.startsWith('!');
    return { fits: pathPattern(takesOut ? stated.slice(1) : stated), isIn: !takesOut };
  });
  return (path) => rules.findLast(({ fits }) => fits(path))?.isIn ?? false;
}

/** What comes after the last sign of a pattern: empty behind `**`, which fits any depth. */
function literalEnd(pattern: string): string {
  return pattern.slice(1 + Math.max(...[...'*?[]{}/'].map((sign) => pattern.lastIndexOf(sign))));
}

/** A folder without the slashes that it ends in. By a loop: a regular expression takes the square of their number. */
export function withoutSlashes(folder: string): string {
  let end = folder.length;
  while (folder[end - 1] === '/') end -= 1;
  return folder.slice(0, end);
}
