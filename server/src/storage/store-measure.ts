import type { RepoService } from '../core/repo/repo.ts';
import type { Timestamp } from '../core/time.ts';

/** How full a store is and what waits in it, for the metrics. An adapter may stop counting at MAX_COUNTED. */
export interface StoreMeasure {
  /**
   * `due`: something is to be done now, and no worker has taken it. `put-off`: the same, but it failed and is tried
   * again later. `set-aside`: it failed too often, and waits for somebody.
   */
  readonly builds: Readonly<Record<'due' | 'put-off' | 'set-aside', number>>;
  /** When the first of the due builds was; undefined: none is. */
  readonly oldestDueAt: Timestamp | undefined;
  /** By git host; one without a message that waits or was given up is missing. */
  readonly outbox: readonly OutboxMeasure[];
  /** Bytes of the database; undefined: it is in memory. */
  readonly bytes: number | undefined;
  /** Bytes that are free on its disk; undefined: it is no disk of this machine. */
  readonly freeDisk: number | undefined;
}

export interface OutboxMeasure {
  readonly service: RepoService;
  readonly waiting: number;
  readonly givenUp: number;
  /** Since when the oldest of those that wait is wanted. */
  readonly oldestAt: Timestamp | undefined;
}

/** So that a measure takes milliseconds where the records themselves have to be counted. */
export const MAX_COUNTED = 10_000;
