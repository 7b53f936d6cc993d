import type { ServerResponse } from 'node:http';
import { Failure } from '../../core/failure.ts';
import { Scheduler } from '../scheduler.ts';
import type { Timers } from '../timers.ts';

export interface LargeAnswerLimits {
  /** Answers at once. */
  readonly max: number;
  /** Requests that may wait for one of them to end. */
  readonly waiting: number;
  /** Milliseconds that each may wait. */
  readonly deadline: number;
}

/** Resolves once the response may be large, and has its place until it is closed; else rejects: `unavailable`. */
export type AwaitPlace = (response: ServerResponse) => Promise<void>;

/** Each of these answers holds tens of megabytes for as long as its client takes to read them. */
export function createLargeAnswers(limits: LargeAnswerLimits, timers: Pick<Timers, 'start'>): AwaitPlace {
  const refuse = (): Failure =>
    new Failure('unavailable', 'The server is busy sending other large responses. Try again in a few seconds.');
  const wait = { max: limits.waiting, deadline: limits.deadline, refuse };
  const places = new Scheduler({ capacity: limits.max, wait, timers });
  return async (response) => {
    await places.take();
    // A client that left while it waited closes nothing any more.
    if (response.closed || response.destroyed) places.give();
    else response.once('close', () => places.give());
  };
}
