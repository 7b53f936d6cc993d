import { setTimeout as sleep } from 'node:timers/promises';
import { type Document, MongoClient } from 'mongodb';
import type { FoundBinary } from './find-mongod.ts';
import { type MongodProcess, startProcess } from './mongod-process.ts';

/** Members that were started together. */
export interface ReplicaSet {
  readonly url: string;
  readonly killPrimary: () => Promise<{ restart(): Promise<void> }>;
  readonly stop: () => Promise<void>;
}

const NAME = 'tests';
/** Milliseconds for a member to reach a state; first synchronisation and elections take seconds on a busy machine. */
const STATE_TIME = 60_000;
const POLL = 50;
/** A lost primary is noticed within 1.5 s instead of 10 s, which a test would have to wait for. */
const SETTINGS = { electionTimeoutMillis: 1_500, heartbeatIntervalMillis: 500, heartbeatTimeoutSecs: 2 };

/**
 * Starts the members and resolves when one is primary and all others follow it, so that any one of them may be lost.
 */
export async function startReplicaSet(
  binary: FoundBinary,
  { count, env }: { readonly count: number; readonly env: Readonly<Record<string, string>> | undefined },
): Promise<ReplicaSet> {
  const started = await Promise.allSettled(
    Array.from({ length: count }, () => startProcess({ binary, replicaSet: NAME, ...(env && { env }) })),
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
    killPrimary: () => killPrimary(members),
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

async function killPrimary(members: readonly MongodProcess[]): Promise<{ restart(): Promise<void> }> {
  const primary = await findPrimary(members);
  await primary.kill();
  return {
    restart: async () => {
      await primary.restart();
      await untilState(primary, serves);
    },
  };
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
