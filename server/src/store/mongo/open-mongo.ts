import type { Store } from '../../ports/store.ts';
import { createBuildRows } from './build-rows.ts';
import { createBuildStore } from './build-store.ts';
import { createReportParts } from './bytes.ts';
import { type ConnectionOptions, connect } from './connect.ts';
import type { Connection } from './connection.ts';
import { createCounters } from './counters.ts';
import { createDeliveryRows } from './delivery-rows.ts';
import { createFactStore } from './fact-store.ts';
import { createJobStore } from './job-store.ts';
import { createOpenings } from './openings.ts';
import { createOutboxStore } from './outbox-store.ts';
import { createOwing } from './owing.ts';
import { createRemovals } from './removals.ts';
import { createRepoRows } from './repo-rows.ts';
import { createRepoStore } from './repo-store.ts';
import { createSweep } from './sweep.ts';
import { createTokenStore } from './token-store.ts';
import { createTurns } from './turns.ts';

/**
 * Opens the store in a MongoDB database, which any number of processes may share. Throws a Failure that says what to
 * do.
 */
export async function openMongoStore(options: ConnectionOptions): Promise<Store> {
  return createMongoStore(await connect(options));
}

/** The store over a connection, which it closes with itself. */
export function createMongoStore(connection: Connection): Store {
  const nextId = createCounters(connection.collections);
  const takeTurns = createTurns();
  const repos = createRepoRows(connection);
  const builds = createBuildRows(connection);
  const reports = createReportParts(connection);
  const deliveries = createDeliveryRows(connection, nextId);
  const openings = createOpenings(connection, { repos, nextId });
  const owing = createOwing(connection, { deliveries, reports });
  const removals = createRemovals(connection, { deliveries, owing });
  return {
    isShared: true,
    facts: createFactStore(connection, repos),
    repos: createRepoStore(connection, { repos, removals }, nextId),
    tokens: createTokenStore(connection, nextId),
    jobs: createJobStore(connection, { repos, builds, reports, openings, takeTurns, nextId }),
    builds: createBuildStore(connection, { repos, builds, reports, owing, openings, takeTurns }),
    outbox: createOutboxStore(connection, { deliveries, owing, takeTurns }),
    now: () => connection.run(() => connection.readClock()),
    // A write that a majority has: a database without a primary reads well.
    check: async () => {
      await connection.run(() => nextId('check'));
    },
    sweep: createSweep(connection, removals),
    close: () => connection.close(),
  };
}
