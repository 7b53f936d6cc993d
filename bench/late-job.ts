import type { BenchResult } from './goals.ts';
import { INPUT, startLargeBuildScene } from './large-build-scene.ts';
import { timingOf } from './measure.ts';

const LATE_JOBS = 5;

/** How long one more job of a closed build takes, from its upload to the status that tells of it. */
export async function benchLateJob(): Promise<BenchResult[]> {
  const scene = await startLargeBuildScene();
  try {
    await scene.upload(1);
    const first = timingOf('its first close', [await scene.close(1)]);
    const late: number[] = [];
    for (let number = 1; number <= LATE_JOBS; number += 1) {
      await scene.rest();
      late.push(await scene.addLateJob(1, number));
    }
    const timing = timingOf('late job sent -> status delivered', late);
    return [
      {
        title: `late-job: one more job of a build of ${INPUT}; ${LATE_JOBS} jobs one after the other`,
        timings: [first, timing],
        goals: [{ what: 'late job -> status', measured: timing.median / 1_000, wanted: 'below', goal: 1.5, unit: 's' }],
        notes: [],
      },
    ];
  } finally {
    await scene.dispose();
  }
}
