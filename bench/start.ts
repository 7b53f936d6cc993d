import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchResult } from './goals.ts';
import { medianOf, timingOf } from './measure.ts';
import { heldMemory } from './process-memory.ts';
import { processorSeconds } from './processor-time.ts';
import { type BenchServer, startBenchServer } from './service-deployments.ts';

const STARTS = 11;
/** By then it has looked at itself, as at each start, and does nothing. */
const UNTIL_IDLE = 5_000;
const TIMED = 'process start to the first answer';
/** For all its threads: a busy neighbor adds little to it. */
const PROCESSORS = 'the same, in processor time';

/** From the start of the process to the first answer, and the memory of a server that does nothing. On SQLite. */
export async function benchStart(): Promise<BenchResult[]> {
  const server = await startBenchServer({ NODE_COMPILE_CACHE: '', NODE_OPTIONS: '' });
  try {
    const times: number[] = [];
    const processors: number[] = [];
    for (let start = 0; start < STARTS; start += 1) {
      times.push(await timeStart(server));
      processors.push(((await processorSeconds(server.pid())) ?? 0) * 1_000);
    }
    await sleep(UNTIL_IDLE);
    const megabytes = (await heldMemory(server.pid())) / 1e6;
    const timings = [timingOf(TIMED, times), timingOf(PROCESSORS, processors)];
    const goals = [
      { what: TIMED, measured: medianOf(timings, TIMED) / 1_000, wanted: 'below', goal: 0.6, unit: 's' },
      { what: 'memory of an idle server', measured: megabytes, wanted: 'below', goal: 120, unit: 'MB' },
    ] as const;
    return [{ title: 'start', timings, goals, notes: [] }];
  } finally {
    await server.dispose();
  }
}

async function timeStart(server: BenchServer): Promise<number> {
  await server.stop();
  const begun = performance.now();
  await server.restart();
  await (await fetch(`${server.url}/healthz`)).text();
  return performance.now() - begun;
}
