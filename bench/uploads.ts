import { SHAPES } from './generate-job.ts';
import type { BenchResult } from './goals.ts';
import { describeWaits, probeWhile } from './health-probe.ts';
import { timingOf } from './measure.ts';
import { percentile } from './page-load.ts';
import { startPlainServer } from './plain-server.ts';
import { coverageApi, startServer } from './service-deployments.ts';
import { type NextUpload, uploadFor, uploadsOf } from './upload-load.ts';

/** Seconds of each round; the first of each only warms up. */
const ROUND = 6;
const ROUNDS = 3;
/** As many as processors; more would only wait. */
const AT_ONCE = 2;
const UNLIMITED = { MAX_REPO_JOBS_PER_MINUTE: '0', MAX_REPO_OPEN_BUILDS: '0', MAX_REPO_BYTES_PER_DAY: '0' };

interface Round {
  readonly jobsPerSecond: number;
  /** What GET /healthz took in the meantime, in rising ms. */
  readonly waits: readonly number[];
}

/** Large jobs as fast as they are taken: this service, and servers of one thread that receive them or parse them. */
export async function benchUploads(): Promise<BenchResult[]> {
  const service = await startServer({ env: { LOG_LEVEL: 'warn', ...UNLIMITED } });
  const [receiver, parser] = [await startPlainServer('receive'), await startPlainServer('parse')];
  try {
    const { token } = await coverageApi(service.url, service.adminToken).createRepo({ name: 'acme/large' });
    const next = uploadsOf(SHAPES.L, [token]);
    const [ours, received, parsed]: [Round[], Round[], Round[]] = [[], [], []];
    for (let round = 0; round <= ROUNDS; round += 1)
      for (const [url, rounds] of [
        [service.url, ours],
        [receiver.url, received],
        [parser.url, parsed],
      ] as const) {
        const measured = await measure(url, next, round === 0 ? ROUND / 2 : ROUND);
        if (round > 0) rounds.push(measured);
      }
    return [describe(ours, received, parsed)];
  } finally {
    await Promise.all([service, receiver, parser].map((server) => server.dispose()));
  }
}

async function measure(url: string, next: NextUpload, duration: number): Promise<Round> {
  const { value, waits } = await probeWhile(url, () => uploadFor(duration, [url], next, AT_ONCE));
  return { jobsPerSecond: value.jobs / value.seconds, waits };
}

function describe(ours: readonly Round[], received: readonly Round[], parsed: readonly Round[]): BenchResult {
  const p99 = (rounds: readonly Round[]) => middle(rounds.map(({ waits }) => percentile(waits, 0.99)));
  const rate = (rounds: readonly Round[]) => middle(rounds.map(({ jobsPerSecond }) => jobsPerSecond));
  const wait = p99(ours) / p99(received);
  const times = rate(ours) / rate(parsed);
  const line = (what: string, rounds: readonly Round[]): string[] => [
    `${what}: ${rounds.map(({ jobsPerSecond }) => jobsPerSecond.toFixed(1)).join(', ')} jobs a second`,
    ...rounds.map(({ waits }) => `  ${describeWaits('GET /healthz', waits)}`),
  ];
  return {
    title: `uploads: jobs of 5,000 files and 9 MB, ${AT_ONCE} at a time; ${ROUNDS} rounds of ${ROUND} s in turn`,
    timings: [],
    goals: [
      { what: 'GET /healthz p99 / a server that only receives', measured: wait, wanted: 'below', goal: 1.2, unit: 'x' },
      { what: 'jobs / one thread of JSON.parse and checks', measured: times, wanted: 'above', goal: 3, unit: 'x' },
    ],
    notes: [...line('this service', ours), ...line('only receiving', received), ...line('one thread', parsed)],
  };
}

function middle(values: readonly number[]): number {
  return timingOf('', values).median;
}
