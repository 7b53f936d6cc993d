import { CHANGES_BACKOFF, nextDelay } from '../backoff.ts';
import { judgesChanges } from '../repo/effective-settings.ts';
import type { Timestamp } from '../time.ts';
import type { IgnoredParts } from '../verdict/ignored-parts.ts';

/** What of a repo or a build is decided by what changed, so that a verdict without it is provisional. */
export type DecidedByChanges = Parameters<typeof judgesChanges>[0] & IgnoredParts;

/**
 * Whether a verdict may change once the provider says what changed. A build without jobs is judged by that alone.
 */
export function isDecidedByChanges(settings: DecidedByChanges, jobs: number): boolean {
  const { ignoreRemovedCode, ignoreUntouchedFiles, ignoreUnstableLines } = settings;
  const ignores = ignoreRemovedCode || ignoreUntouchedFiles || ignoreUnstableLines;
  return judgesChanges(settings) || ignores || jobs === 0;
}

/** When to ask again for what changed, if nothing is decided by it; undefined: no more. */
export function planUnknownChanges(since: Timestamp | undefined, now: Timestamp): Timestamp | undefined {
  const pause = since === undefined ? undefined : nextDelay(since, now, CHANGES_BACKOFF);
  return pause === undefined ? undefined : now + pause;
}
