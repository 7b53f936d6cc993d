import { setTimeout as sleep } from 'node:timers/promises';
import { type Document, MongoClient } from 'mongodb';
import type { FoundBinary } from './find-mongod.ts';
import { type MongodProcess, startProcess } from './mongod-process.ts';

/** Members that were started together. */
export interface ReplicaSet {
  readonly url: string;
  readonly killPrimary: () => Promise<Killed>;
  /** All but the primary, which has no majority then; `killRest` kills it too, though it is primary no more. */
  readonly killOthers: () => Promise<Killed & { killRest(): Promise<Killed> }>;
  /** A command to the primary's `admin`, by a connection of its own that outlasts elections. */
  readonly askPrimary: () => Promise<AskMember>;
  readonly stop: () => Promise<void>;
}

/** Members that are down. */
export interface Killed {
  /** On the same ports and data. */
  restart(): Promise<void>;
}

/** Commands to one member, whatever its state is. */
export interface AskMember {
  ask(command: Document): Promise<Document>;
  close(): Promise<void>;
}

interface SetOptions {
  readonly count: number;
  /** What each member, by its place, has in its environment besides. */
  readonly envOf: ((index: number) => Readonly<Record<string, string>>) | undefined;
  readonly testCommands: boolean | undefined;
}

const NAME = 'tests';
/** Milliseconds for a member to reach a state; first synchronization and elections take seconds on a busy machine. */
const STATE_TIME = 60_000;
const POLL = 50;
/** A lost primary is noticed within 1.5 s instead of 10 s, which a test would have to wait for. */
const SETTINGS = { electionTimeoutMillis: 1_500, heartbeatIntervalMillis: 500, heartbeatTimeoutSecs: 2 };

/**
 * Starts the members and resolves when one is primary and all others follow it, so that any one of them may be lost.
 */
export async function startReplicaSet(
  binary: FoundBinary,
  { count, envOf, testCommands }: SetOptions,
): Promise<ReplicaSet> {
  const started = await Promise.allSettled(
    Array.from({ length: count }, (_, index) =>
      startProcess({ binary, replicaSet: NAME, env: envOf?.(index), testCommands }),
    ),
  );
  const members = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const stop = async (): Promise<void> => {
    await Promise.all(members.map((member) => member.remove()));
  };
  try {
    const failed = started.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
    await initiate(members);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url: `mongodb://${members.map(address).join(',')}/?replicaSet=${NAME}`,
    killPrimary: async () => kill([await findPrimary(members)]),
    async killOthers() {
      const primary = await findPrimary(members);
      const killed = await kill(members.filter((member) => member !== primary));
      return { ...killed, killRest: () => kill([primary]) };
    },
    askPrimary: async () => askMember(await findPrimary(members)),
    stop,
  };
}

function address(member: MongodProcess): string {
  return `127.0.0.1:${member.port}`;
}

async function initiate(members: readonly MongodProcess[]): Promise<void> {
  const [first] = members;
  if (!first) throw new Error('A replica set has at least one member');
  const list = members.map((member, index) => ({ _id: index, host: address(member) }));
  await command(first, { replSetInitiate: { _id: NAME, members: list, settings: SETTINGS } });
  await Promise.all(members.map((member) => untilState(member, serves)));
  await findPrimary(members);
}

/** Waits while there is none. */
async function findPrimary(members: readonly MongodProcess[]): Promise<MongodProcess> {
  const found = new AbortController();
  const asked = members.map((member) => untilState(member, leads, found.signal).then(() => member));
  try {
    return await Promise.any(asked);
  } finally {
    found.abort();
    await Promise.allSettled(asked);
  }
}

const leads = (hello: Document): boolean => hello.isWritablePrimary === true;
const serves = (hello: Document): boolean => leads(hello) || hello.secondary === true;

async function kill(victims: readonly MongodProcess[]): Promise<Killed> {
  await Promise.all(victims.map((victim) => victim.kill()));
  return {
    restart: async () => {
      await Promise.all(victims.map((victim) => victim.restart()));
      await Promise.all(victims.map((victim) => untilState(victim, serves)));
    },
  };
}

function askMember(member: MongodProcess): AskMember {
  const client = direct(member);
  return { ask: (document) => client.db('admin').command(document), close: () => client.close() };
}

async function command(member: MongodProcess, document: Document): Promise<Document> {
  const client = direct(member);
  try {
    return await client.db('admin').command(document);
  } finally {
    await client.close();
  }
}

/** Talks to this member whatever its state is. */
function direct(member: MongodProcess): MongoClient {
  return new MongoClient(`mongodb://${address(member)}/?directConnection=true`, { serverSelectionTimeoutMS: 500 });
}

/** Asks until the member says so, or nobody waits any more; a member that is down is asked again. */
async function untilState(
  member: MongodProcess,
  reached: (hello: Document) => boolean,
  unwanted?: AbortSignal,
): Promise<void> {
  const client = direct(member);
  const end = performance.now() + STATE_TIME;
  const ask = (): Promise<Document> => client.db('admin').command({ hello: 1 });
  try {
    while (performance.now() < end && !unwanted?.aborted) {
      if (reached(await ask().catch(() => ({})))) return;
      await sleep(POLL);
    }
    throw new Error(`The member at ${address(member)} did not reach the expected state within ${STATE_TIME} ms`);
  } finally {
    await client.close();
  }
}
