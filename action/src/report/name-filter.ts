import { extname } from 'node:path/posix';
import { isGlob, parseGlob } from '@coverage/shared/glob';

/**
 * Whether a file's name fits one of these patterns, for trees of many thousand files: most names have no ending that
 * any pattern asks for, and most others come again.
 */
export function nameFilter(patterns: readonly string[]): (name: string) => boolean {
  const globs = patterns.map(parseGlob);
  const endings = patterns.map((pattern) => (isGlob(extname(pattern)) ? undefined : extname(pattern)));
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
