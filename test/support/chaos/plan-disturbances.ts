import type { Random } from './random.ts';
import type { RoundSize } from './round-size.ts';

/** One `kill -9`: when it comes, and how long the victim stays down, both in ms. */
export type Disturbance = { readonly at: number; readonly downFor: number } & (
  | { readonly victim: 'server'; readonly index: number }
  | { readonly victim: 'primary' }
);

/** Server kills and primary kills, each kind spread evenly with some chance, so that they also meet each other. */
export function planDisturbances(random: Random, size: RoundSize): readonly Disturbance[] {
  const { servers, over, serverKills, primaryKills } = size;
  const times = (count: number): number[] =>
    Array.from(
      { length: count },
      (_, index) => Math.round((over * (index + 0.2)) / count) + random.int(0, Math.round(over / count / 2)),
    );
  const ofServers = times(serverKills).map((at) => ({
    at,
    downFor: random.int(0, 800),
    victim: 'server' as const,
    index: random.int(0, servers - 1),
  }));
  const ofPrimaries = times(primaryKills).map((at) => ({
    at,
    downFor: random.int(500, 2_500),
    victim: 'primary' as const,
  }));
  return [...ofServers, ...ofPrimaries].sort((a, b) => a.at - b.at);
}
