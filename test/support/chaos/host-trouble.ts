import { mixFaults } from '../github-stand-in/fault-mix.ts';
import type { Fault, FaultedRequest, FaultRule } from '../github-stand-in/faults.ts';
import type { Random } from './random.ts';

/** How a git host misbehaves in a round. */
export interface HostTrouble {
  /** The share of its calls that meet a fault, 0 to 1. */
  readonly share: number;
  /** Of this many pull requests, one takes no comments: a refusal for good. */
  readonly lockEvery: number;
}

/** Three calls of ten fail. */
export const PROVIDER_TROUBLE: HostTrouble = { share: 0.3, lockEvery: 5 };

/**
 * For all faults, out of a hundred. Told to wait, a server stops all its calls, and a call without an answer holds a
 * worker for 20 s: with more of those a round would wait more than it tells.
 */
const OF_HUNDRED: readonly (readonly [count: number, fault: Fault])[] = [
  [12, { kind: 'status', status: 500 }],
  [10, { kind: 'status', status: 502 }],
  [10, { kind: 'status', status: 502, takesEffect: true }],
  [8, { kind: 'status', status: 503 }],
  [8, { kind: 'status', status: 504, takesEffect: true }],
  [2, { kind: 'secondary-limit', retryAfterSeconds: 1 }],
  [2, { kind: 'secondary-limit', status: 429, retryAfterSeconds: 1 }],
  [11, { kind: 'drop', takesEffect: false }],
  [11, { kind: 'drop', takesEffect: true }],
  [8, { kind: 'slow', delayMs: 200 }],
  [4, { kind: 'slow', delayMs: 2_500 }],
  [12, { kind: 'duplicate' }],
  [1, { kind: 'hang' }],
  [1, { kind: 'hang', takesEffect: true }],
];

const STEPS = 1_000_000;

/** Faults for `faults.when`. */
export function troubleOf({ share }: HostTrouble, random: Random): FaultRule {
  const faults = OF_HUNDRED.flatMap(([count, fault]) => Array<Fault>(count).fill(fault));
  const pick = mixFaults({ share, faults, random: () => random.int(0, STEPS - 1) / STEPS });
  return (request) => {
    const fault = pick(request);
    return fault?.kind === 'duplicate' && makesComment(request) ? { kind: 'drop', takesEffect: true } : fault;
  };
}

/** A request that is doubled on the way makes two comments at once, so here its answer is lost instead. */
function makesComment({ method, path }: FaultedRequest): boolean {
  return method === 'POST' && /\/(?:comments|notes)$/.test(path);
}

/** Which pull requests take no comments. */
export function lockedIn(trouble: HostTrouble | undefined): (pullRequest: number) => boolean {
  return (pullRequest) => trouble !== undefined && pullRequest % trouble.lockEvery === trouble.lockEvery - 1;
}
