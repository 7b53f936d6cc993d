import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { startGithubStandIn } from '../github-stand-in/github-stand-in.ts';
import { findMongod } from '../mongod/find-mongod.ts';
import { startMongod } from '../mongod/start-mongod.ts';
import { type ServerProcess, startServer } from '../server-process.ts';
import { addSamples, growthOf, medianOf, type ServerSample, sampleServer } from './server-sample.ts';
import { runTraffic, type TrafficTally } from './traffic.ts';

export interface Soak {
  readonly minutes: number;
  readonly store: 'sqlite' | 'mongodb';
  /** On one database; SQLite takes one. */
  readonly servers: number;
}

/** Milliseconds between two samples. */
const PAUSE = 15_000;
/** By how much memory may differ between the second quarter and the last: V8 gives back when it likes. */
const MAX_GROWTH = 1.1;
/** Minutes until heaps and buffers have grown to what the load takes: a second quarter before that says nothing. */
const GROWN_AFTER = 10;
/** So few builds that what is kept soon stays the same. */
const KEPT_BUILDS = '300';

/** Answers whether nothing grew and every answer was right; prints what it sees. */
export async function runSoak({ minutes, store, servers: count }: Soak): Promise<boolean> {
  const mongod = store === 'mongodb' ? await startMongod({ found: await foundMongod() }) : undefined;
  const github = await startGithubStandIn({ hourlyLimit: 10_000_000 });
  const place = mongod && { DATABASE_URL: mongod.databaseUrl(), SECRET_KEY: randomBytes(32).toString('hex') };
  const env = { GITHUB_API_URL: github.url, GITHUB_TOKEN: github.token, RETENTION_BUILDS: KEPT_BUILDS };
  const limits = {
    MAX_REPO_JOBS_PER_MINUTE: '0',
    MAX_REPO_BYTES_PER_DAY: '0',
    LOG_LEVEL: 'warn',
    LATE_JOB_PERIOD: '2s',
  };
  const options = { env: { ...env, ...limits, ...place }, startTimeoutMs: 60_000 };
  const servers: ServerProcess[] = [];
  const tally: TrafficTally = { done: new Map(), findings: [] };
  try {
    while (servers.length < count) servers.push(await startServer(options));
    const end = performance.now() + minutes * 60_000;
    const [samples] = await Promise.all([
      watch(servers, { end, tally }),
      runTraffic({ servers, github }, { end, tally }),
    ]);
    return conclude(samples, tally);
  } finally {
    for (const server of servers) await server.dispose();
    await github.close();
    await mongod?.stop();
  }
}

async function foundMongod() {
  const found = await findMongod({ ownProcesses: true });
  if (found.kind === 'none') throw new Error(`No MongoDB server could be found:\n${found.reasons.join('\n')}`);
  return found;
}

const toMib = (bytes: number): string => (bytes / 2 ** 20).toFixed(0);

/** For all of them together. */
async function watch(
  servers: readonly ServerProcess[],
  { end, tally }: { readonly end: number; readonly tally: TrafficTally },
): Promise<readonly ServerSample[]> {
  const samples: ServerSample[] = [];
  const start = performance.now();
  let shown = 0;
  while (performance.now() < end) {
    await sleep(PAUSE);
    const at = (performance.now() - start) / 60_000;
    const sample = addSamples(await Promise.all(servers.map((server) => sampleServer(server.pid(), at))));
    if (sample === undefined) throw new Error('The server has ended, or this system has no /proc.');
    samples.push(sample);
    if (sample.at < shown) continue;
    shown += 1;
    const { memory, files, threads } = sample;
    console.log(
      `${at.toFixed(0).padStart(4)} min  ${toMib(memory)} MiB  ${files} files  ${threads} threads  ` +
        `${tally.done.get('builds') ?? 0} builds  ${tally.findings.length} findings`,
    );
  }
  return samples;
}

function conclude(samples: readonly ServerSample[], { done, findings }: TrafficTally): boolean {
  const memory = growthOf(samples, (sample) => sample.memory);
  const quarter = Math.floor(samples.length / 4);
  const filesOf = (part: readonly ServerSample[]): number => medianOf(part.map((sample) => sample.files));
  const [second, last] = [filesOf(samples.slice(quarter, 2 * quarter)), filesOf(samples.slice(-quarter))];
  const peak = Math.max(...samples.map((sample) => sample.memory));
  console.log(`\nmemory of the last quarter against the second: ${memory.toFixed(2)}x; at most ${toMib(peak)} MiB`);
  console.log(`open files, median of the second quarter and of the last: ${second} and ${last}`);
  for (const [what, times] of [...done].sort(([a], [b]) => (a < b ? -1 : 1))) console.log(`${times} x ${what}`);
  for (const finding of new Set(findings)) console.log(`finding: ${finding}`);
  const isJudged = (samples[quarter]?.at ?? 0) >= GROWN_AFTER;
  if (!isJudged) console.log(`Memory is judged from ${4 * GROWN_AFTER} minutes on.`);
  // A connection more or less is in progress.
  const isFlat = (memory <= MAX_GROWTH || !isJudged) && last <= second + 5;
  const flat = isJudged ? 'Nothing grew.' : 'No more files were open.';
  console.log(isFlat ? flat : 'Something grew.');
  return isFlat && findings.length === 0;
}
