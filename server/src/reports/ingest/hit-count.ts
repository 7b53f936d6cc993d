import { MAX_HITS } from '../../core/coverage/column.ts';

/** Rule 1 and wire.md: hits are floored, negatives count as 0, and beyond 2^53-1 they stay there. */
export function cleanHits(value: number): number {
  return value > 0 ? Math.min(Math.floor(value), MAX_HITS) : 0;
}
