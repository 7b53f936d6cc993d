import type { Timestamp } from '../domain/build/job.ts';

/** The time, as an argument, so that tests own it. */
export interface Clock {
  now(): Timestamp;
}
