import type { Timestamp } from '../core/time.ts';

/** The time, as an argument, so that tests own it. */
export interface Clock {
  now(): Timestamp;
}
