import type { BenchResult } from './goals.ts';
import { startHealthProbe } from './health-probe.ts';
import { AT_ONCE, INPUT, startLargeBuildScene } from './large-build-scene.ts';
import { percentile } from './page-load.ts';

const IDLE = 3_000;
const BUILDS = 2;

/** How long GET /healthz waits while the jobs of a large build pour in. */
export async function benchHealthzUpload(): Promise<BenchResult[]> {
  const scene = await startLargeBuildScene();
  try {
    const idle = await probeWhile(scene.server.url, () => new Promise((resolve) => setTimeout(resolve, IDLE)));
    const busy: (readonly number[])[] = [];
    const seconds: number[] = [];
    for (let build = 1; build <= BUILDS; build += 1)
      busy.push(await probeWhile(scene.server.url, async () => void seconds.push(await scene.upload(build))));
    const p99 = Math.max(...busy.map((times) => percentile(times, 0.99)));
    return [
      {
        title: `healthz-upload: ${INPUT}, ${AT_ONCE} at a time; ${BUILDS} builds, GET /healthz every 10 ms`,
        timings: [],
        goals: [{ what: 'p99 of the slower build', measured: p99, wanted: 'below', goal: 20, unit: 'ms' }],
        notes: [describe('idle', idle), ...busy.map((times, index) => describe(`build ${index + 1}`, times))].concat(
          `uploads took ${seconds.map((one) => one.toFixed(1)).join(' and ')} s`,
        ),
      },
    ];
  } finally {
    await scene.dispose();
  }
}

async function probeWhile(url: string, work: () => Promise<unknown>): Promise<readonly number[]> {
  const probe = startHealthProbe(url);
  await work();
  return probe.stop();
}

function describe(when: string, times: readonly number[]): string {
  const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)];
  const longest = times.at(-1) ?? 0;
  const waits = `p50 ${p50.toFixed(2)}, p99 ${p99.toFixed(2)}, longest ${longest.toFixed(1)} ms`;
  return `${when}: ${times.length} answers, ${waits}`;
}
