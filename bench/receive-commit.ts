import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { SHAPES } from './generate-job.ts';
import type { BenchResult } from './goals.ts';
import { processorTime, timingOf } from './measure.ts';
import { forgetPeak, peakMemory } from './process-memory.ts';
import { processorSeconds } from './processor-time.ts';
import type { BodyParts } from './send-body.ts';
import { coverageApi, startServer } from './service-deployments.ts';
import { upload, uploadsOf } from './upload-load.ts';

/** Jobs of L of one round, one after the other: /proc counts in steps of 10 ms. */
const JOBS_OF_A_ROUND = 14;
const ROUNDS = 7;
/** Jobs of a build of which nothing is merged before its close: one fewer than make a merged report. */
const NONE_MERGED = 7;
/** Builds of the second load have numbers from here on. */
const OTHER_BUILDS = 1_000;
/** Milliseconds in which the server comes to rest. */
const REST = 2_000;
const PAUSE = 200;

/**
 * A job of L from the socket to its durable commit, in all threads of the server, against JSON.parse of the same bytes
 * here; the same with what is merged ahead of a close; and the most memory that one job of 36 MB takes.
 */
export async function benchReceiveCommit(): Promise<BenchResult[]> {
  const limits = { MAX_REPO_JOBS_PER_MINUTE: '0', MAX_REPO_OPEN_BUILDS: '0', MAX_REPO_BYTES_PER_DAY: '0' };
  const server = await startServer({ env: { LOG_LEVEL: 'warn', ...limits }, startTimeoutMs: 60_000 });
  const agent = new Agent({ keepAlive: true });
  try {
    const { token } = await coverageApi(server.url, server.adminToken).createRepo({ name: 'acme/large' });
    const memory = await memoryOfXl(server, agent, token);
    const small = uploadsOf(SHAPES.L, [token], { perBuild: NONE_MERGED });
    const large = uploadsOf(SHAPES.L, [token], { firstBuild: OTHER_BUILDS });
    const pid = server.pid();
    const timeOf = async (bodies: readonly BodyParts[]): Promise<number> => {
      const before = (await processorSeconds(pid)) ?? 0;
      for (const body of bodies) await upload(server.url, agent, body);
      return (((await untilRest(pid)) - before) * 1_000) / bodies.length;
    };
    const times: { readonly commit: number; readonly merged: number; readonly parse: number }[] = [];
    for (let round = -1; round < ROUNDS; round += 1) {
      const bodies = Array.from({ length: JOBS_OF_A_ROUND }, small);
      const commit = await timeOf(bodies);
      const merged = await timeOf(Array.from({ length: JOBS_OF_A_ROUND }, large));
      const joined = bodies.map((parts) => Buffer.concat(parts));
      const start = processorTime();
      for (const body of joined) JSON.parse(body.toString());
      const parse = (processorTime() - start) / bodies.length;
      // The first round warms all up.
      if (round >= 0) times.push({ commit, merged, parse });
    }
    const timings = {
      parse: timingOf(
        'JSON.parse',
        times.map((time) => time.parse),
      ),
      commit: timingOf(
        'receive -> durable commit',
        times.map((time) => time.commit),
      ),
      merged: timingOf(
        'the same in builds of 20 jobs, merged ahead of their close',
        times.map((time) => time.merged),
      ),
    };
    const ratio = timings.commit.median / timings.parse.median;
    const withMerges = timings.merged.median / timings.parse.median;
    return [
      {
        title: `receive-commit: L, ${JOBS_OF_A_ROUND} jobs a round, SQLite, processors of all threads; one job of XL`,
        timings: Object.values(timings),
        goals: [
          { what: 'receive -> durable commit / JSON.parse', measured: ratio, wanted: 'below', goal: 1.6, unit: 'x' },
          { what: 'peak memory of XL / body', measured: memory, wanted: 'below', goal: 4, unit: 'x' },
        ],
        notes: [`with what is merged ahead: ${withMerges.toFixed(2)} x JSON.parse`],
      },
    ];
  } finally {
    agent.destroy();
    await server.dispose();
  }
}

/** The processor seconds of a process once it does nothing more. */
async function untilRest(pid: number | undefined): Promise<number> {
  let before = -1;
  let now = (await processorSeconds(pid)) ?? 0;
  while (now !== before) {
    before = now;
    await sleep(PAUSE);
    now = (await processorSeconds(pid)) ?? 0;
  }
  return now;
}

/** How many times its body one job takes above the idle server. */
async function memoryOfXl(
  server: Awaited<ReturnType<typeof startServer>>,
  agent: Agent,
  token: string,
): Promise<number> {
  const body = uploadsOf(SHAPES.XL, [token], { variants: 1, firstBuild: 2 * OTHER_BUILDS })();
  await sleep(REST);
  await forgetPeak(server.pid());
  const idle = await peakMemory(server.pid());
  await upload(server.url, agent, body);
  return ((await peakMemory(server.pid())) - idle) / Buffer.concat(body).length;
}
