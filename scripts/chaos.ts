// Long chaos on the built server: npm run chaos -- --minutes 5 [--store sqlite|mongodb] [--seed 123]. Ends with 1 after
// findings.
// `npm run chaos -- provider [--builds 1000 | --minutes 5]`: the same while three of ten calls of the git host fail.
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { ChaosStore } from '../test/support/chaos/deployment.ts';
import { PROVIDER_TROUBLE } from '../test/support/chaos/host-trouble.ts';
import { LONG_ROUNDS, providerSize } from '../test/support/chaos/round-size.ts';
import { runRound } from '../test/support/chaos/run-round.ts';
import { emptyTally, showTally, type Tally } from '../test/support/chaos/tally.ts';
import { findMongod, type RunningMongod, startMongod } from './mongod.ts';

const { values, positionals } = parseArgs({
  options: {
    minutes: { type: 'string' },
    builds: { type: 'string' },
    store: { type: 'string' },
    seed: { type: 'string' },
  },
  allowPositionals: true,
});
const ofProvider = positionals[0] === 'provider';
const minutes = Number(values.minutes ?? (ofProvider ? 0 : 1));
const builds = Number(values.builds ?? (minutes > 0 ? 100 : 1_000));
const firstSeed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const kinds = values.store === undefined ? (['sqlite', 'mongodb'] as const) : [values.store];
const areNumbers = minutes >= 0 && Number.isSafeInteger(builds) && builds > 0 && Number.isSafeInteger(firstSeed);
const areWords =
  kinds.every((kind) => kind === 'sqlite' || kind === 'mongodb') && positionals.length === (ofProvider ? 1 : 0);
if (!areNumbers || !areWords)
  throw new Error(
    'usage: npm run chaos -- [provider [--builds 1000]] [--minutes 5] [--store sqlite|mongodb] [--seed 123]',
  );

/** Milliseconds: a killed process's leases run out after a minute. */
const SETTLE_WITHIN = 100_000;
/** A verdict that waits for the provider is looked at again after a pause as long as it has waited. */
const SETTLE_PROVIDER_WITHIN = 180_000;

for (const kind of kinds) await chaosOn(kind as ChaosStore['kind']);

/** Rounds with seeds that count up, until the time is up; `--minutes` holds for each store. */
async function chaosOn(kind: ChaosStore['kind']): Promise<void> {
  const mongod = kind === 'mongodb' ? await startOwnMongod() : undefined;
  if (mongod) console.log(`MongoDB, ${ofProvider ? 'a lone server' : 'a replica set of three'}: ${mongod.how}`);
  const tally = emptyTally();
  const end = performance.now() + minutes * 60_000;
  try {
    let seed = firstSeed;
    do await oneRound({ kind, seed: seed++, mongod }, tally);
    while (performance.now() < end);
  } finally {
    console.log(`\n${kind}, seeds from ${firstSeed} on\n${showTally(tally)}\n`);
    await mongod?.stop();
  }
  if (tally.findings.length > 0) process.exitCode = 1;
}

async function startOwnMongod(): Promise<RunningMongod> {
  const found = await findMongod({ ownProcesses: true });
  if (found.kind === 'none') throw new Error(`No MongoDB server could be found:\n${found.reasons.join('\n')}`);
  return startMongod(ofProvider ? { found } : { found, replicaSet: 3 });
}

async function oneRound(
  { kind, seed, mongod }: { kind: ChaosStore['kind']; seed: number; mongod: RunningMongod | undefined },
  tally: Tally,
): Promise<void> {
  const before = tally.findings.length;
  const begin = performance.now();
  const traces = join(tmpdir(), `chaos-${kind}-${seed}.log`);
  const keepTraces = async (lines: readonly string[]): Promise<void> => {
    await writeFile(traces, `${lines.join('\n')}\n`);
    console.log(`Servers' lines and the git host's calls: ${traces}`);
  };
  const common = { seed, store: storeOf(mongod), endLeases: false, keepTraces };
  await runRound({ ...common, ...(ofProvider ? providerRound(kind) : longRound(kind)) }, tally);
  const found = tally.findings.slice(before);
  console.log(`${kind}, seed ${seed}: ${Math.round((performance.now() - begin) / 1_000)} s, ${found.length} findings`);
  for (const finding of found) console.log(`  ! ${finding}`);
}

function longRound(kind: ChaosStore['kind']) {
  return { size: LONG_ROUNDS[kind], settleWithin: SETTLE_WITHIN };
}

function providerRound(kind: ChaosStore['kind']) {
  const size = providerSize(kind, builds);
  return { size, settleWithin: Math.max(SETTLE_PROVIDER_WITHIN, size.over), trouble: PROVIDER_TROUBLE };
}

function storeOf(mongod: RunningMongod | undefined): ChaosStore {
  if (mongod === undefined) return { kind: 'sqlite' };
  return { kind: 'mongodb', url: mongod.databaseUrl(), killPrimary: mongod.killPrimary };
}
