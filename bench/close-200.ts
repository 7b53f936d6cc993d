import type { BenchResult } from './goals.ts';
import { runLargeBuilds } from './large-build-runs.ts';
import { INPUT } from './large-build-scene.ts';
import { timingOf } from './measure.ts';

const MIB = 2 ** 20;

/** How long a close takes whose jobs came while the build was open, and the memory that all of it took. */
export async function benchClose200(): Promise<BenchResult[]> {
  const { closes, memory } = await runLargeBuilds();
  const timing = timingOf('close asked for -> last status delivered', closes);
  const above = memory / MIB;
  return [
    {
      title: `close-200: ${INPUT}; builds: ${closes.length}`,
      timings: [timing],
      goals: [
        { what: 'close -> last status', measured: timing.median / 1_000, wanted: 'below', goal: 5, unit: 's' },
        { what: 'peak memory above idle, uploads too', measured: above, wanted: 'below', goal: 512, unit: 'MiB' },
      ],
      notes: [],
    },
  ];
}
