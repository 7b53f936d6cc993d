import type { Timestamp } from '../time.ts';

/** From one try to the next, in ms; each waits as long as all before it took. */
const FIRST_PAUSE = 60_000;
/** Causes and the coverage of changed lines that no answer came for until then stay unknown. */
const GIVE_UP = 15 * 60_000;

/** What of a repo or a build is decided by what changed, so that a verdict without it is provisional. */
export interface DecidedByChanges {
  readonly patchStatus: boolean;
  readonly patchMinimum: unknown;
  readonly ignoreRemovedCode: boolean;
  readonly ignoreUntouchedFiles: boolean;
}

/**
 * Whether a verdict may turn out otherwise once the provider tells what changed. A build without jobs is judged by it
 * alone.
 */
export function isDecidedByChanges(settings: DecidedByChanges, jobs: number): boolean {
  const { patchStatus, patchMinimum, ignoreRemovedCode, ignoreUntouchedFiles } = settings;
  return patchStatus || patchMinimum !== null || ignoreRemovedCode || ignoreUntouchedFiles || jobs === 0;
}

/** When to ask again for what changed, where nothing is decided by it; undefined: no more. */
export function planUnknownChanges(since: Timestamp | undefined, now: Timestamp): Timestamp | undefined {
  if (since === undefined || now - since >= GIVE_UP) return undefined;
  return now + Math.max(FIRST_PAUSE, now - since);
}
