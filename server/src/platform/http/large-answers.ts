import type { ServerResponse } from 'node:http';
import { Failure } from '../../core/failure.ts';
import * as say from '../../messages/requests.ts';
import type { Timers } from '../timers.ts';

export interface LargeAnswerLimits {
  /** Answers at once. */
  readonly most: number;
  /** Requests that may wait for one of them to end. */
  readonly waiting: number;
  /** Milliseconds that each may wait. */
  readonly deadline: number;
}

/** Resolves once the response may be large, and has its place until it is closed; else rejects: `unavailable`. */
export type AwaitPlace = (response: ServerResponse) => Promise<void>;

/** Each of these answers holds tens of megabytes for as long as its client takes to read them. */
export function createLargeAnswers(limits: LargeAnswerLimits, timers: Pick<Timers, 'start'>): AwaitPlace {
  const held = new Set<ServerResponse>();
  const queue = new Set<() => void>();
  const hold = (response: ServerResponse): void => {
    held.add(response);
    const leave = (): void => {
      if (held.delete(response)) queue.values().next().value?.();
    };
    // A client that left while it waited closes nothing any more.
    if (response.closed || response.destroyed) leave();
    else response.once('close', leave);
  };
  return (response) => {
    if (held.size < limits.most) {
      hold(response);
      return Promise.resolve();
    }
    if (queue.size >= limits.waiting) return Promise.reject(tooMany());
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        queue.delete(begin);
        timer.cancel();
        hold(response);
        resolve();
      };
      const timer = timers.start(limits.deadline, () => {
        queue.delete(begin);
        reject(tooMany());
      });
      queue.add(begin);
    });
  };
}

function tooMany(): Failure {
  return new Failure('unavailable', say.TOO_MANY_LARGE_ANSWERS);
}
