import type { OnAudit } from '../audit-log.ts';
import { createAcceptJob } from '../commands/accept-job.ts';
import { createBuildCommands } from '../commands/build-commands.ts';
import { createKeyedQueue } from '../commands/keyed-queue.ts';
import type { FlipLedgerStore } from '../flip-ledger-store.ts';
import type { Store } from '../store.ts';
import { createDeclaredStores } from '../tables/all.ts';
import { createRepoRecords, type RepoRecords } from '../tables/repos.ts';
import { createBuildQueries } from './build-queries.ts';
import { createBuildRemoval } from './build-removal.ts';
import { createBuildRows } from './build-rows.ts';
import { createBuildViews } from './build-views.ts';
import { createReportParts } from './bytes.ts';
import { createCommandPrimitives } from './command-primitives.ts';
import { type ConnectionOptions, connect } from './connect.ts';
import type { Connection } from './connection.ts';
import { createCounters } from './counters.ts';
import { createDeliveryRows } from './delivery-rows.ts';
import { createDueBuilds } from './due-builds.ts';
import { createJobRows } from './job-rows.ts';
import { createMeasure } from './measure.ts';
import { createMergedReports } from './merged-reports.ts';
import { createOutboxStore } from './outbox-store.ts';
import { createPendingEffects, type PendingEffects } from './pending-effects.ts';
import { createPersonStore } from './person-store.ts';
import { createProviderSources } from './provider-sources.ts';
import { createRecentReports } from './recent-reports.ts';
import { createRecentTokens } from './recent-tokens.ts';
import { createRemovals } from './removals.ts';
import { createRepoRows } from './repo-rows.ts';
import { createRepoStore } from './repo-store.ts';
import { createRepoTransfers } from './repo-transfers.ts';
import { createSentBytes } from './sent-bytes.ts';
import { createSourceStore } from './source-store.ts';
import { createSources } from './sources.ts';
import { createSweep } from './sweep.ts';
import { createAuditRows, createUnits } from './units.ts';

/**
 * Opens the store in a MongoDB database, which any number of processes may share. Throws a Failure that says what to
 * do.
 */
export async function openMongoStore(options: MongoOptions): Promise<Store> {
  return createMongoStore(await connect(options), options.onAudit);
}

export interface MongoOptions extends ConnectionOptions {
  readonly onAudit?: OnAudit | undefined;
}

/** The store over a connection, which it closes with itself. */
export function createMongoStore(connection: Connection, onAudit: OnAudit = () => undefined): Store {
  const rows = openRows(connection, onAudit);
  const { audits, nextId, repos, sent, jobs, sources, deliveries, pendingEffects, removals } = rows;
  const enqueue = createKeyedQueue();
  const recent = createRecentTokens();
  const primitives = createCommandPrimitives(connection, rows);
  const units = createUnits(connection, audits, nextId);
  const declared = createDeclaredStores(units);
  return {
    ...declared,
    flipLedgers: settleFirst(declared.flipLedgers, pendingEffects),
    isShared: true,
    providerSources: createProviderSources(connection, repos),
    sources: createSourceStore(connection),
    repos: {
      ...forgetAfter(createRepoRecords(units), recent.forget),
      ...createRepoStore(connection, { removals, audits, nextId, recent }),
    },
    persons: createPersonStore(connection),
    jobs: {
      find: jobs.find,
      ofBuild: jobs.ofBuild,
      list: jobs.list,
      reports: jobs.reports,
      source: sources.find,
      accept: createAcceptJob(primitives, enqueue),
    },
    mergedReports: createMergedReports(connection),
    builds: {
      ...createBuildQueries(connection, rows),
      ...createDueBuilds(connection, enqueue),
      ...createBuildCommands(primitives),
      remove: createBuildRemoval(connection, rows),
    },
    views: createBuildViews(connection),
    transfers: createRepoTransfers(connection, { audits, removals, nextId }),
    outbox: createOutboxStore(connection, { deliveries, pendingEffects, enqueue }),
    now: () => connection.run(() => connection.readClock()),
    // A write that a majority has: a database without a primary reads well.
    check: async () => {
      await connection.run(() => nextId('check'));
    },
    measure: createMeasure(connection),
    sweep: createSweep(connection, removals),
    async close() {
      await sent.flush();
      await connection.close();
    },
  };
}

/** What the stores of one connection share. */
function openRows(connection: Connection, onAudit: OnAudit) {
  const nextId = createCounters(connection.collections);
  const repos = createRepoRows(connection);
  const reports = createReportParts(connection);
  const deliveries = createDeliveryRows(connection, nextId);
  const pendingEffects = createPendingEffects(connection, { deliveries, reports });
  return {
    nextId,
    audits: createAuditRows(connection, nextId, onAudit),
    repos,
    sent: createSentBytes(connection, repos),
    builds: createBuildRows(connection),
    reports,
    recentReports: createRecentReports(),
    jobs: createJobRows(connection, reports),
    sources: createSources(connection),
    deliveries,
    pendingEffects,
    removals: createRemovals(connection, { deliveries, pendingEffects }),
  };
}

/** A ledger is read after what a close has left to do is done. */
function settleFirst(ledgers: FlipLedgerStore, pendingEffects: PendingEffects): FlipLedgerStore {
  return {
    ...ledgers,
    async find(repoId, branch, of) {
      if (of !== undefined) await pendingEffects.settle(of);
      return ledgers.find(repoId, branch);
    },
  };
}

/** An upload right after a change of its repo by this process is not identified by what it was before. */
function forgetAfter(records: RepoRecords, forget: () => void): RepoRecords {
  const { update, setHostToken, follow } = records;
  return {
    ...records,
    update: (...change) => update(...change).finally(forget),
    setHostToken: (...change) => setHostToken(...change).finally(forget),
    follow: (...change) => follow(...change).finally(forget),
  };
}
