import type { Filter } from 'mongodb';
import type { Connection } from './connection.ts';
import { notAfter } from './server-time.ts';

/** Documents that wait their time; a repo's wait behind one another. */
interface Claimable {
  readonly repoId: number;
}

/** What repos take turns by: who was served last, by id, in this process. */
export interface Turns<T extends Claimable> {
  /** The filters to try, in order, for the next one: that of the next repo in the cycle, then from its start. */
  next(except?: readonly number[]): readonly Filter<T>[];
  took(document: Claimable): void;
}

/** With the filters of `next`: a repo's longest due first. */
export const BY_TURN = { repoId: 1, claimableAt: 1, _id: 1 } as const;

/** Before the first repo. */
const START = -1;

export function createTurns<T extends Claimable>({ serverTime }: Connection): Turns<T> {
  let last = START;
  return {
    next: (except = []) =>
      [last, START].map(
        (after) =>
          ({ repoId: { $gt: after, $nin: [...except] }, ...notAfter('claimableAt', serverTime()) }) as Filter<T>,
      ),
    took({ repoId }) {
      last = repoId;
    },
  };
}
