import type { BenchResult } from './goals.ts';
import { INPUT, startLargeBuildScene } from './large-build-scene.ts';
import { timingOf } from './measure.ts';
import { forgetPeak, peakMemory } from './process-memory.ts';

const BUILDS = 3;
const MIB = 2 ** 20;

/** How long a close takes whose jobs came while the build was open, and the memory that all of it took. */
export async function benchClose200(): Promise<BenchResult[]> {
  const scene = await startLargeBuildScene();
  try {
    const closes: number[] = [];
    await forgetPeak(scene.server.pid());
    for (let build = 1; build <= BUILDS; build += 1) {
      await scene.upload(build);
      closes.push(await scene.close(build));
      await scene.rest();
    }
    const timing = timingOf('close asked for -> last status delivered', closes);
    const above = ((await peakMemory(scene.server.pid())) - scene.idle) / MIB;
    return [
      {
        title: `close-200: ${INPUT}; ${BUILDS} builds`,
        timings: [timing],
        goals: [
          { what: 'close -> last status', measured: timing.median / 1_000, wanted: 'below', goal: 5, unit: 's' },
          { what: 'peak memory above idle, uploads too', measured: above, wanted: 'below', goal: 512, unit: 'MiB' },
        ],
        notes: [],
      },
    ];
  } finally {
    await scene.dispose();
  }
}
