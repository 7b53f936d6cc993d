import { quoteValue } from '../../core/failure.ts';
import { nearestName } from '../../core/nearest-name.ts';
import type { ParsedFile } from './parsed-job.ts';

/** The keys of a source file that are read. */
const KNOWN = ['branches', 'coverage', 'name', 'source_digest', 'source'] as const;
/** What one of them may have become by one slip. */
const COULD_BE_MEANT = /^[A-Za-z_-]{3,15}$/;
/** For one file, and for a job. */
const MAX_KEYS = 5;

export const NO_KEYS: readonly string[] = [];

function isKnown(key: string): boolean {
  return KNOWN.some((known) => known === key);
}

/** The known key that an unknown one was most likely meant to be; undefined: it is another program's own. */
function meantKey(key: string): string | undefined {
  if (!COULD_BE_MEANT.test(key)) return undefined;
  return nearestName(key, KNOWN);
}

/** A file's misspelt keys with another unknown one. */
export function withUnknownKey(misspelt: readonly string[], key: string): readonly string[] {
  if (misspelt.length === MAX_KEYS || isKnown(key) || meantKey(key) === undefined || misspelt.includes(key))
    return misspelt;
  return [...misspelt, key];
}

/** Those of a file's misspelt keys whose right one it does not have. */
export function withoutSpares(misspelt: readonly string[], has: (known: string) => boolean): readonly string[] {
  return misspelt.length === 0 ? NO_KEYS : misspelt.filter((key) => !has(meantKey(key) ?? ''));
}

/** What a client's author should know: files whose lines do not count, and keys that are not read. */
export function keyWarnings(files: readonly ParsedFile[]): readonly string[] {
  const without = files.filter(({ hasCoverage }) => !hasCoverage);
  const misspelt = [...new Set(files.flatMap((file) => file.misspelt))].slice(0, MAX_KEYS);
  return [
    ...misspelt.map((key) => {
      const where = named(files.filter((file) => file.misspelt.includes(key)));
      const meant = quoteValue(meantKey(key));
      return `${quoteValue(key)} is not a key of a source file; did you mean ${meant}? It is in ${where}.`;
    }),
    ...(without.length === 0
      ? []
      : [
          `"coverage" is missing or null, so that no line counts, in ${named(without)}. ` +
            'Send a list, [] if it is empty.',
        ]),
  ];
}

function named(files: readonly ParsedFile[]): string {
  const first = quoteValue(files[0]?.name);
  return files.length === 1 ? `the source file ${first}` : `${files.length} source files, the first ${first}`;
}
