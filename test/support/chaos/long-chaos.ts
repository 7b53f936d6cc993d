import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findMongod } from '../mongod/find-mongod.ts';
import { clocksApart, findFaketime } from '../mongod/moved-clock.ts';
import { type RunningMongod, startMongod } from '../mongod/start-mongod.ts';
import { type FoundProxy, findProxy } from '../run-proxy.ts';
import { CHAOS_HOSTS, type ChaosHost } from './chaos-host.ts';
import type { ChaosStore } from './deployment.ts';
import { PROVIDER_TROUBLE } from './host-trouble.ts';
import { LONG_ROUNDS, providerSize, steadySize } from './round-size.ts';
import { runRound } from './run-round.ts';
import { emptyTally, showTally, type Tally } from './tally.ts';

/** Milliseconds: a killed process's leases run out after a minute. */
const SETTLE_WITHIN = 100_000;
const SETTLE_PROVIDER_WITHIN = 180_000;

/** Rounds on one store. */
export interface LongChaos {
  readonly store: ChaosStore['kind'];
  /** With a git host of which three calls in ten fail, instead of killed servers. */
  readonly ofProvider: boolean;
  /** One round of `minutes` instead of many, behind Caddy. */
  readonly isSteady: boolean;
  /** Whether the clocks of servers, and of MongoDB's members, are 5 seconds apart. */
  readonly areClocksApart: boolean;
  readonly host: ChaosHost;
  /** Rounds are begun until then; one at least. */
  readonly minutes: number;
  /** For each round with such a git host. */
  readonly builds: number;
  /** For the first round; the others count up. */
  readonly firstSeed: number;
}

/** Hosts that there is a stand-in of. */
export const CHAOS_SERVICES: readonly string[] = Object.keys(CHAOS_HOSTS);

/** By its service; undefined: there is no stand-in of it. */
export function findChaosHost(service: string): ChaosHost | undefined {
  return Object.values(CHAOS_HOSTS).find((host) => host.service === service);
}

/** Rounds with seeds that count up, until the time is up; prints what it does. Answers how many findings there were. */
export async function runLongChaos(chaos: LongChaos): Promise<number> {
  const { store: kind, ofProvider, minutes, firstSeed } = chaos;
  const mongod = kind === 'mongodb' ? await startOwnMongod(chaos) : undefined;
  if (mongod) console.log(`MongoDB, ${ofProvider ? 'a lone server' : 'a replica set of three'}: ${mongod.how}`);
  const tally = emptyTally();
  const end = performance.now() + minutes * 60_000;
  try {
    let seed = firstSeed;
    do await oneRound(chaos, { seed: seed++, mongod }, tally);
    while (!chaos.isSteady && performance.now() < end);
  } finally {
    console.log(`\n${kind}, seeds from ${firstSeed} on\n${showTally(tally)}\n`);
    await mongod?.stop();
  }
  return tally.findings.length;
}

async function startOwnMongod({ ofProvider, areClocksApart }: LongChaos): Promise<RunningMongod> {
  const found = await findMongod({ ownProcesses: true });
  if (found.kind === 'none') throw new Error(`No MongoDB server could be found:\n${found.reasons.join('\n')}`);
  return startMongod(ofProvider ? { found } : { found, replicaSet: 3, envOf: areClocksApart ? clocks() : undefined });
}

function clocks(): (index: number) => Readonly<Record<string, string>> {
  const library = findFaketime();
  if (library === undefined) throw new Error('libfaketime is missing (apt-get install faketime)');
  return clocksApart(library);
}

function foundCaddy(): FoundProxy {
  const program = findProxy('caddy');
  if (program === undefined) throw new Error('caddy is missing (apt-get install caddy)');
  return { kind: 'caddy', program };
}

async function oneRound(
  { store: kind, ofProvider, isSteady, areClocksApart, minutes, builds, host }: LongChaos,
  { seed, mongod }: { readonly seed: number; readonly mongod: RunningMongod | undefined },
  tally: Tally,
): Promise<void> {
  const before = tally.findings.length;
  const begin = performance.now();
  const traces = join(tmpdir(), `chaos-${kind}-${seed}.log`);
  const keepTraces = async (lines: readonly string[]): Promise<void> => {
    await writeFile(traces, `${lines.join('\n')}\n`);
    console.log(`Servers' lines and the git host's calls: ${traces}`);
  };
  const envOf = areClocksApart ? clocks() : undefined;
  const common = { seed, host, store: storeOf(mongod), endLeases: false, keepTraces, envOf };
  const size = isSteady ? steadySize(kind, minutes) : LONG_ROUNDS[kind];
  const killed = { size, settleWithin: SETTLE_WITHIN, proxy: isSteady ? foundCaddy() : undefined };
  await runRound({ ...common, ...(ofProvider ? providerRound(kind, builds) : killed) }, tally);
  const found = tally.findings.slice(before);
  console.log(`${kind}, seed ${seed}: ${Math.round((performance.now() - begin) / 1_000)} s, ${found.length} findings`);
  for (const finding of found) console.log(`  ! ${finding}`);
}

function providerRound(kind: ChaosStore['kind'], builds: number) {
  const size = providerSize(kind, builds);
  return { size, settleWithin: SETTLE_PROVIDER_WITHIN, trouble: PROVIDER_TROUBLE };
}

function storeOf(mongod: RunningMongod | undefined): ChaosStore {
  if (mongod === undefined) return { kind: 'sqlite' };
  return { kind: 'mongodb', url: mongod.databaseUrl(), killPrimary: mongod.killPrimary };
}
