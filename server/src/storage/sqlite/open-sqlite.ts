import type { OnAudit } from '../audit-log.ts';
import { createAcceptJob } from '../commands/accept-job.ts';
import { createBuildCommands } from '../commands/build-commands.ts';
import { createKeyedQueue } from '../commands/keyed-queue.ts';
import type { Store } from '../store.ts';
import { createDeclaredStores } from '../tables/all.ts';
import { createRepoRecords } from '../tables/repos.ts';
import { createBuildQueries } from './build-queries.ts';
import { createBuildRemoval } from './build-removal.ts';
import { createBuildRows } from './build-rows.ts';
import { createBuildViews } from './build-views.ts';
import { createCommandPrimitives } from './command-primitives.ts';
import { type Connection, type ConnectionOptions, connect, MEMORY } from './connection.ts';
import { createCounters } from './counters.ts';
import { createDeliveryRows } from './delivery-rows.ts';
import { type Disk, type DiskOptions, watchDisk } from './disk.ts';
import { createDueBuilds } from './due-builds.ts';
import { createJobRows } from './job-rows.ts';
import { createMeasure } from './measure.ts';
import { createMergedReports } from './merged-reports.ts';
import { createOutboxStore } from './outbox-store.ts';
import { createPersonStore } from './person-store.ts';
import { createProviderSources } from './provider-sources.ts';
import { createRepoRows } from './repo-rows.ts';
import { createRepoStore } from './repo-store.ts';
import { createRepoTransfers } from './repo-transfers.ts';
import { createSourceStore } from './source-store.ts';
import { auditConnection, createAuditRows, createUnits } from './units.ts';

/** Opens the store in one SQLite file, or in memory. Throws a Failure that says what to do. */
export function openSqliteStore({ disk, onAudit, ...options }: SqliteOptions): Store {
  const watched = options.path === MEMORY ? undefined : watchDisk(options.path, disk);
  return createSqliteStore(connect(options), { disk: watched, onAudit });
}

export interface SqliteOptions extends ConnectionOptions {
  /** Given by a server. */
  readonly disk?: DiskOptions | undefined;
  readonly onAudit?: OnAudit | undefined;
}

interface StoreOptions {
  readonly disk?: Disk | undefined;
  readonly onAudit?: OnAudit | undefined;
}

/** The store over a connection, which it closes with itself. */
export function createSqliteStore(opened: Connection, options: StoreOptions = {}): Store {
  const { disk, onAudit = () => undefined } = options;
  const connection = auditConnection(opened, onAudit);
  const nextId = createCounters(connection);
  const audits = createAuditRows(connection, nextId);
  const repos = createRepoRows(connection);
  const builds = createBuildRows(connection);
  const deliveries = createDeliveryRows(connection, nextId);
  const jobs = createJobRows(connection);
  const { find, ofBuild, list, reports, source } = jobs;
  const primitives = createCommandPrimitives(connection, { repos, builds, jobs, deliveries, audits, nextId });
  const transfers = createRepoTransfers(connection, { builds, audits, nextId });
  const units = createUnits(connection, audits, nextId);
  return {
    ...createDeclaredStores(units),
    isShared: false,
    providerSources: createProviderSources(connection),
    sources: createSourceStore(connection),
    repos: { ...createRepoRecords(units), ...createRepoStore(connection, { repos, deliveries, audits }, nextId) },
    persons: createPersonStore(connection),
    jobs: { find, ofBuild, list, reports, source, accept: createAcceptJob(primitives, createKeyedQueue()) },
    mergedReports: createMergedReports(connection),
    builds: {
      ...createBuildQueries(connection),
      ...createDueBuilds(connection),
      ...createBuildCommands(primitives),
      remove: createBuildRemoval(connection, { builds, deliveries, audits }),
    },
    views: createBuildViews(connection),
    transfers,
    outbox: createOutboxStore(connection, deliveries),
    now: async () => Date.now(),
    // A durable write of its own: a file that is locked, read-only or on a full disk reads well.
    check: async () => {
      await disk?.check();
      connection.write(() => nextId('check'));
    },
    measure: createMeasure(connection, disk),
    // But for imports, every write is one transaction: nothing is ever left behind.
    sweep: async () => {
      await transfers.clear();
      return { uploads: 0, reportParts: 0, sources: 0, builds: 0 };
    },
    close: () => connection.close(),
  };
}
