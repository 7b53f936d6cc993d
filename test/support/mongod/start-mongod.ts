import { databaseUrl } from './database-url.ts';
import { type FoundMongod, findMongod } from './find-mongod.ts';
import { startProcess } from './mongod-process.ts';
import { type Killed, type ReplicaSet, startReplicaSet } from './replica-set.ts';

/** A deployment that answers. */
export interface RunningMongod {
  /** With its options (replicaSet among them) and, unless it was there already, without a database. */
  readonly url: string;
  /** For people: how it was found. */
  readonly how: string;
  /**
   * The URL of a database of this name, or of a random one. The user of a server that was there drops it afterward.
   */
  databaseUrl(name?: string): string;
  /** Only of a replica set that was started here: `kill -9` of its primary. */
  killPrimary?(): Promise<Killed>;
  /** The set itself, where one was started. */
  readonly replicaSet?: ReplicaSet;
  /** Stops what was started and removes its data; a server that was there is left as it is. */
  stop(): Promise<void>;
}

/** What to start. */
export interface StartOptions {
  /**
   * How many members; a lone server when it is not given. Members are always started here, so MONGODB_URL is passed
   * over.
   */
  readonly replicaSet?: number;
  /** What its members, by their places, have in their environment besides. */
  readonly envOf?: ((index: number) => Readonly<Record<string, string>>) | undefined;
  /** Whether its members take commands that are for tests alone, such as fail points. */
  readonly testCommands?: boolean;
  /** What an earlier `findMongod` found, so that it is not looked for again. */
  readonly found?: FoundMongod;
}

/** Starts a server, or connects to the one that is there. Fails with the reasons of every way when there is none. */
export async function startMongod({
  replicaSet,
  envOf,
  testCommands,
  found,
}: StartOptions = {}): Promise<RunningMongod> {
  const mongod = found ?? (await findMongod({ ownProcesses: replicaSet !== undefined }));
  if (mongod.kind === 'none') throw new Error(`No MongoDB server could be found:\n${mongod.reasons.join('\n')}`);
  const { how } = mongod;
  if (mongod.kind === 'url') {
    if (replicaSet !== undefined) throw new Error('A server that is already there cannot be started as a replica set');
    return { how, url: mongod.url, databaseUrl: (name) => databaseUrl(mongod.url, name), stop: async () => undefined };
  }
  if (replicaSet !== undefined) {
    const set = await startReplicaSet(mongod, { count: replicaSet, envOf, testCommands });
    const { url, killPrimary, stop } = set;
    return { how, url, databaseUrl: (name) => databaseUrl(url, name), killPrimary, replicaSet: set, stop };
  }
  const { port, remove } = await startProcess({ binary: mongod });
  const url = `mongodb://127.0.0.1:${port}/`;
  return { how, url, databaseUrl: (name) => databaseUrl(url, name), stop: remove };
}
