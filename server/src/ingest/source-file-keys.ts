import { quoteValue } from '../domain/failure.ts';
import type { ParsedFile } from './parsed-job.ts';

/** The keys of a source file that are read. */
const KNOWN = ['branches', 'coverage', 'name', 'source_digest', 'source'] as const;
/** What one of them may have become by one slip. */
const COULD_BE_MEANT = /^[A-Za-z_-]{3,15}$/;
/** Of one file, and of a job. */
const MAX_KEYS = 5;

export const NO_KEYS: readonly string[] = [];

/** The known key that an unknown one was most likely meant to be; undefined: it is another program's own. */
export function meantKey(key: string): string | undefined {
  if (!COULD_BE_MEANT.test(key)) return undefined;
  return KNOWN.find((known) => isOneSlipAway(plain(key), plain(known)));
}

/** A file's misspelt keys with another unknown one. */
export function withUnknownKey(misspelt: readonly string[], key: string): readonly string[] {
  if (misspelt.length === MAX_KEYS || meantKey(key) === undefined || misspelt.includes(key)) return misspelt;
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
      return `${quoteValue(key)} is no key of a source file; did you mean ${meant}? It is in ${where}.`;
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

function plain(key: string): string {
  return key.toLowerCase().replaceAll(/[_-]/g, '');
}

/** One letter more, less or another, or two neighbours swapped. */
function isOneSlipAway(a: string, b: string): boolean {
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  let [endA, endB] = [a.length, b.length];
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) {
    endA -= 1;
    endB -= 1;
  }
  const [ours, theirs] = [a.slice(start, endA), b.slice(start, endB)];
  if (ours.length <= 1 && theirs.length <= 1) return true;
  return ours.length === 2 && theirs.length === 2 && ours[0] === theirs[1] && ours[1] === theirs[0];
}
