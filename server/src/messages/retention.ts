import { counted } from './counted.ts';

// What `npm run gc` says.
export const GC_USAGE = `\
Removes builds that are beyond RETENTION_DAYS or RETENTION_BUILDS, or a repo's own limits. The server does the same by
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

export const DAYS_FORM = 'a whole number of days from 1 to 36500, or null';
export const BUILDS_FORM = 'a whole number of builds from 1 to 10000000, or null';
