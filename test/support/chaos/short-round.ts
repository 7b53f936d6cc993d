import { seedOf } from '../seed.ts';
import type { ChaosStore } from './deployment.ts';
import { SHORT_ROUNDS } from './round-size.ts';
import { type Round, runRound } from './run-round.ts';
import { emptyTally, type Tally } from './tally.ts';

const seed = seedOf('CHAOS_SEED');
const SETTLE_WITHIN = 45_000;

/** Milliseconds for a round from its first request to its last check; usually far less. */
export const ROUND_LIMIT = 150_000;
/** Names a suite, with what repeats it. */
export const ROUND_TITLE = `a round of jobs, and kills at random (CHAOS_SEED=${seed})`;

/** One bounded round on a store, and what was found. */
export async function runShortRound(store: ChaosStore, more: Pick<Round, 'proxy' | 'envOf'> = {}): Promise<Tally> {
  const tally = emptyTally();
  const size = SHORT_ROUNDS[store.kind];
  await runRound({ seed, size, store, settleWithin: SETTLE_WITHIN, endLeases: true, ...more }, tally);
  return tally;
}
