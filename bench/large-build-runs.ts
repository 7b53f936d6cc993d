import { setTimeout as sleep } from 'node:timers/promises';
import { probeWhile } from './health-probe.ts';
import { type LargeBuildScene, startLargeBuildScene } from './large-build-scene.ts';
import { forgetPeak, peakMemory } from './process-memory.ts';

const BUILDS = 3;
const LATE_JOBS = 5;
/** Milliseconds of a probe of the idle server. */
const IDLE = 3_000;
/** After so many milliseconds no further build is begun: one takes half a minute, and two on a busy machine. */
const ENOUGH = 150_000;

/** What three rows are made of, since 200 large jobs take so long. */
export interface LargeBuildRuns {
  /** For each build, in ms. */
  readonly closes: readonly number[];
  /** For the first build, in ms. */
  readonly late: readonly number[];
  /** Seconds that the uploads of each build took. */
  readonly uploads: readonly number[];
  /** What GET /healthz took, in rising ms: idle, and while the jobs of each build came. */
  readonly idle: readonly number[];
  readonly busy: readonly (readonly number[])[];
  /** Bytes above those of the idle server, with uploads and closes. */
  readonly memory: number;
}

let runs: Promise<LargeBuildRuns> | undefined;

/** Measured once for all rows of a run. */
export function runLargeBuilds(): Promise<LargeBuildRuns> {
  runs ??= measure();
  return runs;
}

async function measure(): Promise<LargeBuildRuns> {
  const scene = await startLargeBuildScene();
  try {
    const { waits: idle } = await probeWhile(scene.server.url, () => sleep(IDLE));
    const [closes, uploads, busy]: [number[], number[], (readonly number[])[]] = [[], [], []];
    await forgetPeak(scene.server.pid());
    const end = performance.now() + ENOUGH;
    for (let build = 1; build <= BUILDS && (build === 1 || performance.now() < end); build += 1) {
      const probed = await probeWhile(scene.server.url, () => scene.upload(build));
      uploads.push(probed.value);
      busy.push(probed.waits);
      closes.push(await scene.close(build));
      await scene.rest();
    }
    const memory = (await peakMemory(scene.server.pid())) - scene.idle;
    return { closes, uploads, idle, busy, memory, late: await addLateJobs(scene) };
  } finally {
    await scene.dispose();
  }
}

async function addLateJobs(scene: LargeBuildScene): Promise<readonly number[]> {
  const late: number[] = [];
  for (let number = 1; number <= LATE_JOBS; number += 1) {
    late.push(await scene.addLateJob(1, number));
    await scene.rest();
  }
  return late;
}
