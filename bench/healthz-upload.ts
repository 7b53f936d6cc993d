import type { BenchResult } from './goals.ts';
import { describeWaits } from './health-probe.ts';
import { runLargeBuilds } from './large-build-runs.ts';
import { AT_ONCE, INPUT } from './large-build-scene.ts';
import { timingOf } from './measure.ts';
import { percentile } from './page-load.ts';

/** How long GET /healthz waits while the jobs of a large build pour in. */
export async function benchHealthzUpload(): Promise<BenchResult[]> {
  const { idle, busy, uploads } = await runLargeBuilds();
  const slowest = busy.map((times) => percentile(times, 0.99));
  const { median } = timingOf('p99', slowest);
  return [
    {
      title: `healthz-upload: ${INPUT}, ${AT_ONCE} at a time; builds: ${busy.length}, GET /healthz every 10 ms`,
      timings: [],
      goals: [{ what: 'p99 of the middle build', measured: median, wanted: 'below', goal: 20, unit: 'ms' }],
      notes: [
        describeWaits('idle', idle),
        ...busy.map((times, index) => describeWaits(`build ${index + 1}`, times)),
        `uploads took ${uploads.map((one) => one.toFixed(1)).join(', ')} s`,
      ],
    },
  ];
}
