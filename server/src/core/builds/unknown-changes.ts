import { CHANGES_BACKOFF, nextDelay } from '../backoff.ts';
import type { Timestamp } from '../time.ts';

/** What of a repo or a build is decided by what changed, so that a verdict without it is provisional. */
export interface DecidedByChanges {
  readonly patchStatus: boolean;
  readonly patchMinimum: unknown;
  readonly ignoreRemovedCode: boolean;
  readonly ignoreUntouchedFiles: boolean;
  readonly ignoreUnstableLines: boolean;
}

/**
 * Whether a verdict may change once the provider says what changed. A build without jobs is judged by that alone.
 */
export function isDecidedByChanges(settings: DecidedByChanges, jobs: number): boolean {
  const { patchStatus, patchMinimum, ignoreRemovedCode, ignoreUntouchedFiles, ignoreUnstableLines } = settings;
  const ignores = ignoreRemovedCode || ignoreUntouchedFiles || ignoreUnstableLines;
  return patchStatus || patchMinimum !== null || ignores || jobs === 0;
}

/** When to ask again for what changed, where nothing is decided by it; undefined: no more. */
export function planUnknownChanges(since: Timestamp | undefined, now: Timestamp): Timestamp | undefined {
  const pause = since === undefined ? undefined : nextDelay(since, now, CHANGES_BACKOFF);
  return pause === undefined ? undefined : now + pause;
}
