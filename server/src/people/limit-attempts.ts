import { Failure } from '../core/failure.ts';
import * as say from '../messages/people.ts';
import type { Timers } from '../platform/timers.ts';

/** Within this time, in ms, attempts are counted. */
const WINDOW = 15 * 60_000;
/** Of one account, whether there is one or not. */
const MOST_OF_NAME = 10;
/** Of one network, behind which many people may be. */
const MOST_OF_NETWORK = 50;
/** Of one account by a browser that signed in to it before, which nobody else's attempts count against. */
const MOST_OF_DEVICE = 5;
/** Names, networks, browsers that are remembered, of each; of more the one tried longest ago is forgotten. */
const MOST_KEYS = 10_000;

/**
 * Counts an attempt to sign in. Throws a Failure `over-limit` beyond what one account or one network may try. What it
 * answers forgets those of the account: somebody signed in.
 */
export type LimitAttempts = (attempt: {
  readonly name: string;
  readonly address: string;
  /** A browser that signed in to this account before; it has attempts of its own, and then those of everybody. */
  readonly device?: string | undefined;
}) => () => void;

/** By this process's own counts, which names that no account has are part of. */
export function createLimitAttempts(deps: {
  readonly timers: Pick<Timers, 'elapsed'>;
  readonly networkOf: (address: string) => string;
}): LimitAttempts {
  const { timers, networkOf } = deps;
  const [names, networks, devices] = [createCounts(timers), createCounts(timers), createCounts(timers)];
  return ({ name, address, device }) => {
    if (device !== undefined && devices.wait(device, MOST_OF_DEVICE) === 0) {
      devices.add(device);
      return () => devices.forget(device);
    }
    const network = networkOf(address);
    const wait = Math.max(names.wait(name, MOST_OF_NAME), networks.wait(network, MOST_OF_NETWORK));
    if (wait > 0) {
      const sentence = say.tooManyAttempts(Math.ceil(wait / 60_000));
      throw new Failure('over-limit', sentence, { retryAfter: Math.ceil(wait / 1_000) });
    }
    names.add(name);
    networks.add(network);
    return () => names.forget(name);
  };
}

interface Count {
  readonly since: number;
  readonly attempts: number;
}

function createCounts(timers: Pick<Timers, 'elapsed'>) {
  const counts = new Map<string, Count>();
  const read = (key: string): Count => {
    const count = counts.get(key);
    const now = timers.elapsed();
    return count === undefined || now - count.since >= WINDOW ? { since: now, attempts: 0 } : count;
  };
  return {
    /** Milliseconds until it may be tried again. */
    wait(key: string, most: number): number {
      const { since, attempts } = read(key);
      return attempts < most ? 0 : since + WINDOW - timers.elapsed();
    },
    add(key: string): void {
      const { since, attempts } = read(key);
      counts.delete(key);
      counts.set(key, { since, attempts: attempts + 1 });
      const [oldest] = counts.keys();
      if (counts.size > MOST_KEYS && oldest !== undefined) counts.delete(oldest);
    },
    forget(key: string): void {
      counts.delete(key);
    },
  };
}
