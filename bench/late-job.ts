import type { BenchResult } from './goals.ts';
import { runLargeBuilds } from './large-build-runs.ts';
import { INPUT } from './large-build-scene.ts';
import { timingOf } from './measure.ts';

/** How long one more job of a closed build takes, from its upload to the status that tells of it. */
export async function benchLateJob(): Promise<BenchResult[]> {
  const { closes, late } = await runLargeBuilds();
  const timing = timingOf('late job sent -> status delivered', late);
  return [
    {
      title: `late-job: one more job of a build of ${INPUT}; ${late.length} jobs one after the other`,
      timings: [timingOf('its first close', closes.slice(0, 1)), timing],
      goals: [{ what: 'late job -> status', measured: timing.median / 1_000, wanted: 'below', goal: 1.5, unit: 's' }],
      notes: [],
    },
  ];
}
