import { createHash } from 'node:crypto';

/** The key of a merged report: the same for the same jobs, no matter who merged them in whatever order. */
export function mergedKey(jobs: readonly number[]): string {
  const sorted = jobs.toSorted((a, b) => a - b);
  return createHash('sha256').update(sorted.join(' ')).digest('base64url');
}
