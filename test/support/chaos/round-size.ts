import type { ChaosStore } from './deployment.ts';

/** How much happens in one round, and for how long. */
export interface RoundSize {
  readonly builds: number;
  readonly jobs: number;
  /** How many send requests at once. */
  readonly clients: number;
  /** Server processes on the one store. */
  readonly servers: number;
  /** Milliseconds over which requests and disturbances are spread. */
  readonly spread: number;
  readonly serverKills: number;
  /** Only on a replica set. */
  readonly primaryKills: number;
}

const ROUND = { builds: 20, jobs: 200, clients: 16 };
const ONE_PROCESS = { ...ROUND, servers: 1, primaryKills: 0 };
const THREE_PROCESSES = { ...ROUND, servers: 3 };

/** Bounded, for every test run. */
export const SHORT_ROUNDS: Readonly<Record<ChaosStore['kind'], RoundSize>> = {
  sqlite: { ...ONE_PROCESS, spread: 5_000, serverKills: 3 },
  mongodb: { ...THREE_PROCESSES, spread: 5_000, serverKills: 3, primaryKills: 1 },
};

/** For hours, round after round. */
export const LONG_ROUNDS: Readonly<Record<ChaosStore['kind'], RoundSize>> = {
  sqlite: { ...ONE_PROCESS, spread: 15_000, serverKills: 7 },
  mongodb: { ...THREE_PROCESSES, spread: 25_000, serverKills: 12, primaryKills: 3 },
};
