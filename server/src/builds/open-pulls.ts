import type { Timestamp } from '../core/time.ts';
import type { PullHead } from '../storage/build-trends.ts';

/** A closed pull request is not listed; if no host says so, one without a build for this long is not listed either. */
const PULL_AGE = 30 * 86_400_000;

/** Whether the pull request of a build is still open, as far as is known. */
export function isOpenPull(
  { facts, createdAt, landed }: Pick<PullHead, 'facts' | 'createdAt' | 'landed'>,
  now: Timestamp,
): boolean {
  if (landed !== undefined) return false;
  const state = facts?.pull?.state;
  return state === 'open' || (state === undefined && createdAt > now - PULL_AGE);
}
