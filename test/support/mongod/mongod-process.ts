import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { MongoInstance } from 'mongodb-memory-server-core';
import { makeDataFolder } from '../data-folder.ts';
import { freePort } from '../free-port.ts';
import type { FoundBinary } from './find-mongod.ts';

/** One `mongod` with a data directory of its own. */
export interface MongodProcess {
  /** On 127.0.0.1. */
  readonly port: number;
  /** As `kill -9`: nothing is flushed, the data stays. Resolves when it has ended. */
  readonly kill: () => Promise<void>;
  /** Starts a killed one again, on the same port and data. Resolves when it accepts connections. */
  readonly restart: () => Promise<void>;
  /** Ends it and removes its data. */
  readonly remove: () => Promise<void>;
}

interface ProcessOptions {
  readonly binary: FoundBinary;
  /** The name of the replica set that it belongs to. */
  readonly replicaSet?: string;
  /** Beside what this process has. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Whether it takes commands that are for tests alone. */
  readonly testCommands?: boolean | undefined;
}

const HOST = '127.0.0.1';
const ATTEMPTS = 5;

const running = new Map<MongoInstance, string>();
// The library's watchdog looks every two seconds and leaves the data; an orderly end is quicker and cleans up.
process.on('exit', () => {
  for (const [instance, directory] of running) {
    instance.mongodProcess?.kill('SIGKILL');
    rmSync(directory, { recursive: true, force: true });
  }
});

/** Starts one; another process may take the free port first, so it is tried again with another. */
export async function startProcess(options: ProcessOptions): Promise<MongodProcess> {
  const directory = await makeDataFolder('mongod-');
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    const instance = new MongoInstance(instanceOptions(options, { port, directory }));
    running.set(instance, directory);
    try {
      await instance.start();
      return handle(instance, { port, directory });
    } catch (error) {
      await kill(instance);
      running.delete(instance);
      if (attempt < ATTEMPTS && error instanceof Error && /already in use/.test(error.message)) continue;
      await rm(directory, { recursive: true, force: true });
      throw error;
    }
  }
}

function handle(
  instance: MongoInstance,
  { port, directory }: { readonly port: number; readonly directory: string },
): MongodProcess {
  return {
    port,
    kill: () => kill(instance),
    restart: () => instance.start(),
    remove: async () => {
      await kill(instance);
      running.delete(instance);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/**
 * Small and quiet: many run at once beside the servers under test. Journal and durability stay as a production server
 * has them.
 */
function instanceOptions(
  { binary, replicaSet, env, testCommands = false }: ProcessOptions,
  place: { readonly port: number; readonly directory: string },
) {
  const sizes = ['--wiredTigerCacheSizeGB', '0.25', ...(replicaSet === undefined ? [] : ['--oplogSize', '1024'])];
  const quiet = ['--quiet', '--nounixsocket', '--setParameter', 'diagnosticDataCollectionEnabled=false'];
  const forTests = testCommands ? ['--setParameter', 'enableTestCommands=1'] : [];
  const { port, directory: dbPath } = place;
  return {
    instance: {
      port,
      dbPath,
      ip: HOST,
      storageEngine: 'wiredTiger' as const,
      args: [...sizes, ...quiet, ...forTests],
      launchTimeout: 60_000,
      ...(replicaSet !== undefined && { replSet: replicaSet }),
    },
    // The library warns on standard error when the version is not the one it was asked for, so it is asked for the one
    // that is there.
    binary: { systemBinary: binary.path, version: binary.version },
    spawn: { env: { ...process.env, ...env } },
  };
}

/** The library's own stop asks a member to hand over first, which takes seconds; this data is thrown away. */
async function kill(instance: MongoInstance): Promise<void> {
  const child = instance.mongodProcess;
  if (child && child.exitCode === null && child.signalCode === null) {
    const closed = once(child, 'close');
    child.kill('SIGKILL');
    await closed;
  }
  // Ends the watchdog too, and makes start() possible again.
  await instance.stop();
}
