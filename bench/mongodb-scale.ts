import { setTimeout as sleep } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { type JobShape, SHAPES } from './generate-job.ts';
import type { BenchResult } from './goals.ts';
import { SIZES, withMongod } from './mongodb.ts';
import { mainThreadSeconds, ownProcessorSeconds, processorSeconds } from './processor-time.ts';
import { type Deployment, deployments, type RunningMongod } from './service-deployments.ts';
import { CONNECTIONS, JOBS_PER_BUILD, type NextUpload, uploadFor, uploadsOf } from './upload-load.ts';

const SECONDS = 10;
/** Milliseconds in which servers without uploads take no more than what they take when idle. */
const IDLE = { within: 1_000, takes: 50, tries: 30 };
const SERVERS = [1, 2, 4, 8];
/** Processors of each server, and of the database's machine. */
const OF_SERVER = 2;
const OF_DATABASE = [4, 8];
/** 7 MB; no more at once than a server of two processors has threads, so that none is refused. */
const LARGE = { shape: { ...SHAPES.L, lines: 235 }, connections: 2, variants: 4 };

/** What one job takes, in ms on processors. */
interface Costs {
  readonly server: number;
  /** For it, in the main thread, which has one processor at most. */
  readonly mainThread: number;
  readonly mongod: number;
  readonly clients: number;
}

interface Measured extends Costs {
  readonly jobs: number;
}

/**
 * Reckons how many jobs a second several servers with processors of their own accept. The model: each processor works
 * all the time, and a job takes of it what it took here; so the servers' threads, their main threads, or the database
 * is the limit. It knows no network, no disk and no locks of the database. How far a job's cost depends on the number
 * of servers is measured, with two.
 */
export function benchMongodbScale(): Promise<BenchResult[]> {
  return withMongod(async (mongod) => {
    const results: BenchResult[] = [];
    for (const shape of SIZES) results.push(await benchSize({ shape, connections: CONNECTIONS }, mongod));
    results.push(await benchSize(LARGE, mongod));
    return results;
  });
}

interface Load {
  readonly shape: JobShape;
  readonly connections: number;
  readonly variants?: number;
}

async function benchSize({ shape, connections, ...load }: Load, mongod: RunningMongod): Promise<BenchResult> {
  const [sqlite, one, two] = await deployments(mongod);
  if (sqlite === undefined || one === undefined || two === undefined) throw new RangeError('three are started');
  try {
    const measureWarm = async (deployment: Deployment): Promise<Measured> => {
      const next = uploadsOf(shape, deployment.repoTokens, load);
      await measure(SECONDS / 2, { deployment, next, connections });
      return measure(SECONDS, { deployment, next, connections });
    };
    const bytes = Buffer.concat(uploadsOf(shape, one.repoTokens, load)()).length;
    const ofSqlite = await measureWarm(sqlite);
    const ofOne = await measureWarm(one);
    const ofTwo = await measureWarm(two);
    const disk = await diskOf(mongod);
    return {
      title:
        `mongodb-scale: jobs of ${(bytes / 1_000).toFixed(1)} KB in builds of ${JOBS_PER_BUILD}, ${connections} ` +
        `connections, reckoned from ${SECONDS} s with one server`,
      timings: [],
      goals: [],
      notes: [
        describe('SQLite', ofSqlite),
        describe('one server', ofOne),
        describe('two servers', ofTwo),
        describeError(ofOne, ofTwo),
        ...disk,
      ].concat(SERVERS.map((count) => describeCount(count, ofOne))),
    };
  } finally {
    for (const deployment of [sqlite, one, two]) await deployment.dispose();
  }
}

interface Uploading {
  readonly deployment: Deployment;
  readonly next: NextUpload;
  readonly connections: number;
}

/** With the work that follows the answers: merging what has come. */
async function measure(seconds: number, { deployment, next, connections }: Uploading): Promise<Measured> {
  const pids = deployment.servers.map(({ pid }) => pid());
  const spent = async (): Promise<Costs> => ({
    server: sum(await Promise.all(pids.map(processorSeconds))),
    mainThread: sum(await Promise.all(pids.map(mainThreadSeconds))),
    mongod: sum([await processorSeconds(deployment.mongodPid)]),
    clients: ownProcessorSeconds(),
  });
  const before = await spent();
  const urls = deployment.servers.map(({ url }) => url);
  const { jobs } = await uploadFor(seconds, urls, next, connections);
  await untilIdle(async () => (await spent()).server);
  const after = await spent();
  const each = (part: keyof Costs): number => (1_000 * (after[part] - before[part])) / jobs;
  return {
    jobs,
    server: each('server'),
    mainThread: each('mainThread'),
    mongod: each('mongod'),
    clients: each('clients'),
  };
}

async function untilIdle(readSeconds: () => Promise<number>): Promise<void> {
  let before = await readSeconds();
  for (let tries = 0; tries < IDLE.tries; tries += 1) {
    await sleep(IDLE.within);
    const now = await readSeconds();
    if (1_000 * (now - before) < IDLE.takes) return;
    before = now;
  }
}

function sum(parts: readonly (number | undefined)[]): number {
  return parts.reduce<number>((total, part) => total + (part ?? Number.NaN), 0);
}

function describe(name: string, { server, mainThread, mongod, clients }: Costs): string {
  const parts = { server, 'of it the main thread': mainThread, mongod, clients };
  const known = Object.entries(parts).filter(([, ms]) => Number.isFinite(ms));
  const each = known.map(([part, ms]) => `${part} ${ms.toFixed(2)} ms`);
  return `${name.padEnd(12)} processor time a job: ${each.join(', ')}`;
}

function describeError(one: Costs, two: Costs): string {
  const cost = ({ server, mongod }: Costs): number => server + mongod;
  const ratio = (cost(two) / cost(one)).toFixed(2);
  return `the model’s error for two servers: a job takes ${ratio} of what it takes with one`;
}

/** By what limits it: the servers' processors, their main threads, or the database's. */
function describeCount(count: number, { server, mainThread, mongod }: Costs): string {
  const reckoned = OF_DATABASE.map((processors) => {
    const limits: readonly (readonly [string, number])[] = [
      ['the servers', (count * OF_SERVER * 1_000) / server],
      ['main threads', (count * 1_000) / mainThread],
      ['mongod', (processors * 1_000) / mongod],
    ];
    const [name, jobs] = limits.reduce((min, limit) => (limit[1] < min[1] ? limit : min));
    return `${jobs.toFixed(0).padStart(5)} with ${processors} for mongod (${name} first)`;
  });
  return `servers of ${OF_SERVER} processors: ${count}; jobs/s ${reckoned.join(', ')}`;
}

/** What the larger of this bench's databases takes on disk. */
async function diskOf({ url }: RunningMongod): Promise<string[]> {
  const client = new MongoClient(url);
  try {
    await client.db('admin').command({ fsync: 1 });
    const { databases } = await client.db('admin').admin().listDatabases();
    const names = databases.map(({ name }) => name).filter((name) => !/^(admin|config|local)$/.test(name));
    const sizes = await Promise.all(
      names.map(async (name) => {
        const stats = await client.db(name).command({ dbStats: 1 });
        const count = await client.db(name).collection('jobs').estimatedDocumentCount();
        return { bytes: Number(stats.storageSize) + Number(stats.indexSize), count };
      }),
    );
    const max = sizes.reduce((largest, one) => (one.count > largest.count ? one : largest), { bytes: 0, count: 0 });
    if (max.count === 0) return [];
    return [`disk: ${(max.bytes / max.count / 1_000).toFixed(1)} KB a job, indexes included`];
  } catch {
    // A user of one database may not ask.
    return [];
  } finally {
    await client.close();
  }
}
