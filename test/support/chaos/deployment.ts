import { setTimeout as sleep } from 'node:timers/promises';
import { openStore } from '../../../server/src/storage/open/open-store.ts';
import { type ServerProcess, startServer } from '../server-process.ts';

/** Where the servers of a round keep everything. */
export type ChaosStore =
  /** A file of the one server's own. */
  | { readonly kind: 'sqlite' }
  /** A database that nobody else has; on a replica set its primary may be killed. */
  | {
      readonly kind: 'mongodb';
      readonly url: string;
      readonly killPrimary?: (() => Promise<{ restart(): Promise<void> }>) | undefined;
    };

/** Servers on one store, kept running as a process manager does it. */
export interface Deployment {
  readonly servers: readonly ServerProcess[];
  /** `kill -9` of one, and its start after `downFor` ms. Resolves when it listens again; false: it was down already. */
  killServer(index: number, downFor: number): Promise<boolean>;
  /** What each start that failed wrote. */
  failedStarts(): readonly string[];
  /**
   * Kills all of them and starts them again, their leases ended: on SQLite the start does that, and with every holder
   * dead it may be done on MongoDB too. For tests that cannot wait until the leases of killed processes run out.
   */
  startAfresh(): Promise<void>;
  dispose(): Promise<void>;
}

/** The address that is in statuses and comments, whichever instance made them; nobody listens there. */
export const BASE_URL = 'http://coverage.test';

/** How long after its last job a parallel build that nobody closes is closed (ms). */
const QUIET_PERIOD = 4_000;
/** How long after a late job a build that it reopened is closed (ms). */
export const LATE_PERIOD = 2_000;

/** Below the ports that systems hand out to connections: a killed server's is still free when it is started again. */
const PORTS = { from: 10_000, to: 14_999 };
const START_ATTEMPTS = 5;
/** Milliseconds between two starts of a server whose start fails. */
const RESTART_PAUSE = 300;
const RESTART_LIMIT = 60_000;

export async function startDeployment(options: {
  readonly store: ChaosStore;
  readonly servers: number;
  /** By which they speak with the git host. */
  readonly env: Readonly<Record<string, string>>;
  /** What each, by its place, has besides. */
  readonly envOf?: ((index: number) => Readonly<Record<string, string>>) | undefined;
  /**
   * Resolves once what the host was asked for before has taken effect. A killed server's last call may be slow, and no
   * server can know that it comes after the calls of the next one.
   */
  readonly untilDone: () => Promise<void>;
}): Promise<Deployment> {
  const { store } = options;
  const env = {
    ...options.env,
    ...(store.kind === 'mongodb' ? { DATABASE_URL: store.url } : {}),
    BASE_URL,
    SECRET_KEY: 'c5'.repeat(32),
    BUILD_QUIET_PERIOD: `${QUIET_PERIOD}ms`,
    LATE_JOB_PERIOD: `${LATE_PERIOD}ms`,
    WORKER_THREADS: '1',
    LOG_LEVEL: 'warn',
  };
  const started = await Promise.allSettled(
    Array.from({ length: options.servers }, (_, index) => startSomewhere({ ...env, ...options.envOf?.(index) })),
  );
  const servers = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const failed = started.find((one) => one.status === 'rejected');
  if (failed) {
    await Promise.all(servers.map((server) => server.dispose()));
    throw failed.reason;
  }
  return keepRunning(servers, options);
}

async function startSomewhere(env: Readonly<Record<string, string>>): Promise<ServerProcess> {
  for (let attempt = 1; ; attempt++) {
    const port = PORTS.from + Math.floor(Math.random() * (PORTS.to - PORTS.from));
    try {
      return await startServer({ env: { ...env, PORT: String(port) } });
    } catch (error) {
      if (attempt === START_ATTEMPTS || !/Cannot listen on/.test(String(error))) throw error;
    }
  }
}

function keepRunning(
  servers: readonly ServerProcess[],
  { store, untilDone }: { readonly store: ChaosStore; readonly untilDone: () => Promise<void> },
): Deployment {
  const down = new Set<ServerProcess>();
  const failures: string[] = [];
  const bringUp = async (server: ServerProcess): Promise<void> => {
    await untilDone();
    const end = performance.now() + RESTART_LIMIT;
    for (;;) {
      try {
        return await server.restart();
      } catch (error) {
        failures.push(error instanceof Error ? error.message : String(error));
        if (performance.now() > end) throw error;
        await sleep(RESTART_PAUSE);
      }
    }
  };
  return {
    servers,
    failedStarts: () => [...failures],
    async killServer(index, downFor) {
      const server = servers[index];
      if (server === undefined || down.has(server)) return false;
      down.add(server);
      await server.kill();
      await sleep(downFor);
      await bringUp(server);
      down.delete(server);
      return true;
    },
    async startAfresh() {
      await Promise.all(servers.map((server) => server.kill()));
      if (store.kind === 'mongodb') await endLeases(store.url);
      await Promise.all(servers.map(bringUp));
    },
    dispose: async () => {
      await Promise.all(servers.map((server) => server.dispose()));
    },
  };
}

async function endLeases(url: string): Promise<void> {
  const store = await openStore({ url });
  try {
    await store.outbox.voidLeases();
  } finally {
    await store.close();
  }
}
