import type { Fault, FaultRule } from './faults.ts';

export interface FaultMix {
  /** The share of requests that fail, 0 to 1. */
  readonly share: number;
  /** From 0 to below 1; a seeded one makes a run repeatable. */
  readonly random: () => number;
  /** What goes wrong, each as likely as the others. Default: everything of ALL_FAULTS. */
  readonly faults?: readonly Fault[];
}

/**
 * Everything that passes again, except for hanging until callers give up. (A plain 403 is an answer for good: no part
 * of a mix.)
 */
export const ALL_FAULTS: readonly Fault[] = [
  { kind: 'status', status: 500 },
  { kind: 'status', status: 502 },
  { kind: 'status', status: 502, takesEffect: true },
  { kind: 'status', status: 503 },
  { kind: 'status', status: 504, takesEffect: true },
  { kind: 'secondary-limit', retryAfterSeconds: 1 },
  { kind: 'secondary-limit', status: 429, retryAfterSeconds: 1 },
  { kind: 'drop', takesEffect: false },
  { kind: 'drop', takesEffect: true },
  { kind: 'slow', delayMs: 100 },
  { kind: 'duplicate' },
];

/** A rule for `faults.when` that lets a share of all requests meet a fault. */
export function mixFaults({ share, random, faults = ALL_FAULTS }: FaultMix): FaultRule {
  return () => (random() < share ? faults[Math.floor(random() * faults.length)] : undefined);
}
