import { counted } from './counted.ts';

// What `npm run gc` says.
export const GC_USAGE = `\
Removes builds that are beyond RETENTION_DAYS, RETENTION_BUILDS, RETENTION_UNVERIFIED_BUILDS,
RETENTION_UNVERIFIED_PER_PULL or a repo's own limits, and source texts that no build names. The server does the same by
itself; this may run beside it.

  npm run gc -- --dry-run     says what would go, and removes nothing
  npm run gc`;

export const GC_COLUMNS = ['REPO', 'BUILDS', 'UP TO'] as const;

export function wouldRemove(builds: number): string {
  return `${counted(builds, 'build')} would be removed.`;
}

export function removed(builds: number): string {
  return `${counted(builds, 'build')} removed.`;
}

export function wouldRemoveTexts(texts: number): string {
  return `${counted(texts, 'source text')} that no build names would be removed.`;
}

export function removedTexts(texts: number): string {
  return `${counted(texts, 'source text')} that no build named removed.`;
}

export function textsKept(repo: string, why: string): string {
  return `${repo}: its source texts stay, since not everything that names them could be read: ${why}`;
}

export const DAYS_FORM = 'a whole number of days from 1 to 36500, or null';
export const BUILDS_FORM = 'a whole number of builds from 1 to 10000000, or null';
