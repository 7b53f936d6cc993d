import type { ChaosStore } from './deployment.ts';

/** How much happens in one round, and for how long. */
export interface RoundSize {
  readonly builds: number;
  readonly jobs: number;
  /** How many send requests at once. */
  readonly clients: number;
  /** Server processes on the one store. */
  readonly servers: number;
  /** Milliseconds over which a build's requests are spread. */
  readonly spread: number;
  /** Milliseconds over which the builds and the disturbances are spread; not less than `spread`. */
  readonly over: number;
  readonly serverKills: number;
  /** Only on a replica set. */
  readonly primaryKills: number;
}

const ROUND = { builds: 20, jobs: 200, clients: 16 };
const ONE_PROCESS = { ...ROUND, servers: 1, primaryKills: 0 };
const THREE_PROCESSES = { ...ROUND, servers: 3 };

/** Bounded: for `npm run test:slow`. */
export const SHORT_ROUNDS: Readonly<Record<ChaosStore['kind'], RoundSize>> = {
  sqlite: { ...ONE_PROCESS, spread: 5_000, over: 5_000, serverKills: 3 },
  mongodb: { ...THREE_PROCESSES, spread: 5_000, over: 5_000, serverKills: 3, primaryKills: 1 },
};

/** For hours, round after round. */
export const LONG_ROUNDS: Readonly<Record<ChaosStore['kind'], RoundSize>> = {
  sqlite: { ...ONE_PROCESS, spread: 15_000, over: 15_000, serverKills: 7 },
  mongodb: { ...THREE_PROCESSES, spread: 25_000, over: 25_000, serverKills: 12, primaryKills: 3 },
};

/** One round: requests all the time, and each minute the end of a server; each fourth, of the primary besides. */
export function steadySize(kind: ChaosStore['kind'], minutes: number): RoundSize {
  const isShared = kind === 'mongodb';
  return {
    builds: minutes * 8,
    jobs: minutes * 80,
    clients: 16,
    servers: isShared ? 2 : 1,
    spread: Math.min(25_000, minutes * 60_000),
    over: minutes * 60_000,
    serverKills: minutes,
    primaryKills: isShared ? Math.ceil(minutes / 4) : 0,
  };
}

const FEW_JOBS = 3.5;
/** Milliseconds between two builds, about as fast as deliveries get on while three calls of ten fail. */
const PACE = 350;
const LONG_KILL_PAUSE = 15_000;

/** Small builds, of which every delivery meets a git host in trouble. */
export function providerSize(kind: ChaosStore['kind'], builds: number): RoundSize {
  const spread = 12_000;
  const over = Math.max(spread, builds * PACE);
  return {
    builds,
    jobs: Math.round(builds * FEW_JOBS),
    clients: 48,
    servers: kind === 'sqlite' ? 1 : 2,
    spread,
    over,
    serverKills: Math.max(2, Math.round(over / LONG_KILL_PAUSE)),
    primaryKills: 0,
  };
}

/** The bounded part of it. */
export function shortProviderSize(kind: ChaosStore['kind']): RoundSize {
  return { ...providerSize(kind, 24), clients: 24, spread: 4_000, over: 7_000, serverKills: 2 };
}
