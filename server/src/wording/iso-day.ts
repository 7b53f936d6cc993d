import type { Timestamp } from '../core/time.ts';

/** `2027-01-31`, in UTC. */
export function isoDay(time: Timestamp): string {
  return new Date(time).toISOString().slice(0, 10);
}
