import { Agent } from 'node:http';
import { dirname } from 'node:path';
import type { JobShape } from './generate-job.ts';
import type { BenchResult, Goal } from './goals.ts';
import { processorSeconds } from './processor-time.ts';
import type { Deployment } from './service-deployments.ts';
import { type NextUpload, upload, uploadsOf } from './upload-load.ts';

/** Uploads of each round; the first round only warms up. */
const UPLOADS = 100;
const ROUNDS = 3;
/** Builds that no other load of these repos has. */
const FIRST_BUILD = 1_000_000;

/** Milliseconds of one upload. */
interface Latency {
  /** From the request to its answer, of the middle one. */
  readonly total: number;
  /** Of both on processors, with what follows an answer; undefined: not on this machine. */
  readonly server: number | undefined;
  readonly mongod: number | undefined;
}

/**
 * What an upload takes if no other is on its way: one client, one upload after another, in turns. The first two are
 * compared.
 */
export async function benchLatency(
  [sqlite, mongodb]: readonly Deployment[],
  { shape, what }: { readonly shape: JobShape; readonly what: string },
): Promise<Pick<BenchResult, 'goals' | 'notes'>> {
  if (sqlite === undefined || mongodb === undefined) throw new RangeError('two are compared');
  const loads = [sqlite, mongodb].map((deployment) => ({
    deployment,
    next: uploadsOf(shape, deployment.repoTokens, { firstBuild: FIRST_BUILD }),
    rounds: [] as Latency[],
  }));
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const { deployment, next, rounds } of loads) {
      const latency = await measure(deployment, next);
      if (round > 0) rounds.push(latency);
    }
  }
  const [ofSqlite, ofMongodb] = loads.map(({ rounds }) => middle(rounds, ({ total }) => total));
  if (ofSqlite === undefined || ofMongodb === undefined) throw new RangeError('two were measured');
  const goal: Goal = {
    what: `one upload of ${what} alone, MongoDB / SQLite`,
    measured: ofMongodb.total / ofSqlite.total,
    wanted: 'below',
    goal: 2,
    unit: 'x',
  };
  // In memory, nothing waits for a disk.
  const place = `the data is in ${dirname(sqlite.servers[0]?.directory ?? '')}`;
  return { goals: [goal], notes: [describe('SQLite', ofSqlite), describe('MongoDB', ofMongodb), place] };
}

async function measure({ servers, mongodPid }: Deployment, next: NextUpload): Promise<Latency> {
  const [server] = servers;
  if (server === undefined) throw new RangeError('a deployment has one server at least');
  const agent = new Agent({ keepAlive: true });
  const spent = () => Promise.all([processorSeconds(server.pid()), processorSeconds(mongodPid)]);
  const taken: number[] = [];
  const before = await spent();
  try {
    for (let n = 0; n < UPLOADS; n += 1) {
      const start = performance.now();
      await upload(server.url, agent, next());
      taken.push(performance.now() - start);
    }
  } finally {
    agent.destroy();
  }
  const after = await spent();
  const [ofServer, ofMongod] = after.map((end, index) => {
    const start = before[index];
    return end === undefined || start === undefined ? undefined : (1_000 * (end - start)) / UPLOADS;
  });
  return { total: middle(taken, (ms) => ms), server: ofServer, mongod: ofMongod };
}

function describe(name: string, { total, server, mongod }: Latency): string {
  const parts = Object.entries({ server, mongod }).flatMap(([part, ms]) =>
    ms === undefined ? [] : [`${part} ${ms.toFixed(2)} ms`],
  );
  return `one upload alone, ${name.padEnd(8)} ${total.toFixed(2)} ms; on processors: ${parts.join(', ')}`;
}

function middle<T>(all: readonly T[], of: (one: T) => number): T {
  return [...all].sort((a, b) => of(a) - of(b))[Math.floor(all.length / 2)] as T;
}
