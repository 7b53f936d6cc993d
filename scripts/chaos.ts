// Long chaos on the built server: npm run chaos -- --minutes 5 [--store sqlite|mongodb] [--seed 123]. Ends with 1 after findings.
import { parseArgs } from 'node:util';
import type { ChaosStore } from '../test/support/chaos/deployment.ts';
import { LONG_ROUNDS } from '../test/support/chaos/round-size.ts';
import { runRound } from '../test/support/chaos/run-round.ts';
import { emptyTally, showTally, type Tally } from '../test/support/chaos/tally.ts';
import { type RunningMongod, startMongod } from './mongod.ts';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '1' }, store: { type: 'string' }, seed: { type: 'string' } },
});
const minutes = Number(values.minutes);
const firstSeed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const kinds = values.store === undefined ? (['sqlite', 'mongodb'] as const) : [values.store];
if (!(minutes > 0) || !Number.isSafeInteger(firstSeed) || !kinds.every((kind) => kind === 'sqlite' || kind === 'mongodb'))
  throw new Error('usage: npm run chaos -- --minutes 5 [--store sqlite|mongodb] [--seed 123]');

/** Milliseconds: a killed process's leases run out after a minute. */
const SETTLE_WITHIN = 100_000;

for (const kind of kinds) await chaosOn(kind as ChaosStore['kind']);

/** Rounds with seeds that count up, until the time is up; `--minutes` holds for each store. */
async function chaosOn(kind: ChaosStore['kind']): Promise<void> {
  const replicaSet = kind === 'mongodb' ? await startMongod({ replicaSet: 3 }) : undefined;
  if (replicaSet) console.log(`MongoDB, a replica set of three: ${replicaSet.how}`);
  const tally = emptyTally();
  const end = performance.now() + minutes * 60_000;
  try {
    for (let seed = firstSeed; performance.now() < end; seed++) await oneRound({ kind, seed, replicaSet }, tally);
  } finally {
    console.log(`\n${kind}, seeds from ${firstSeed} on\n${showTally(tally)}\n`);
    await replicaSet?.stop();
  }
  if (tally.findings.length > 0) process.exitCode = 1;
}

async function oneRound(
  { kind, seed, replicaSet }: { kind: ChaosStore['kind']; seed: number; replicaSet: RunningMongod | undefined },
  tally: Tally,
): Promise<void> {
  const before = tally.findings.length;
  const begin = performance.now();
  const round = { seed, size: LONG_ROUNDS[kind], store: storeOf(replicaSet), settleWithin: SETTLE_WITHIN, endLeases: false };
  await runRound(round, tally);
  const found = tally.findings.slice(before);
  console.log(`${kind}, seed ${seed}: ${Math.round((performance.now() - begin) / 1_000)} s, ${found.length} findings`);
  for (const finding of found) console.log(`  ! ${finding}`);
}

function storeOf(replicaSet: RunningMongod | undefined): ChaosStore {
  if (replicaSet?.killPrimary === undefined) return { kind: 'sqlite' };
  return { kind: 'mongodb', url: replicaSet.databaseUrl(), killPrimary: replicaSet.killPrimary };
}
