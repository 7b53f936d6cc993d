import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { SHAPES } from './generate-job.ts';
import type { BenchResult } from './goals.ts';
import { processorTime, timingOf } from './measure.ts';
import { forgetPeak, peakMemory } from './process-memory.ts';
import { processorSeconds } from './processor-time.ts';
import { coverageApi, startServer } from './service-deployments.ts';
import { upload, uploadsOf } from './upload-load.ts';

/** Jobs of L of one round, one after the other: /proc counts in steps of 10 ms. */
const JOBS_OF_A_ROUND = 10;
const ROUNDS = 7;
/** Milliseconds in which the server comes to rest. */
const REST = 2_000;

/**
 * A job of L from the socket to its durable commit, in all threads of the server, against JSON.parse of the same bytes
 * here; and the most memory that one job of 36 MB takes.
 */
export async function benchReceiveCommit(): Promise<BenchResult[]> {
  const limits = { MAX_REPO_JOBS_PER_MINUTE: '0', MAX_REPO_OPEN_BUILDS: '0', MAX_REPO_BYTES_PER_DAY: '0' };
  const server = await startServer({ env: { LOG_LEVEL: 'warn', ...limits }, startTimeoutMs: 60_000 });
  const agent = new Agent({ keepAlive: true });
  try {
    const { token } = await coverageApi(server.url, server.adminToken).createRepo({ name: 'acme/large' });
    const memory = await memoryOfXl(server, agent, token);
    const next = uploadsOf(SHAPES.L, [token]);
    const times: { readonly ours: number; readonly parse: number }[] = [];
    for (let round = -1; round < ROUNDS; round += 1) {
      const bodies = Array.from({ length: JOBS_OF_A_ROUND }, next);
      const before = (await processorSeconds(server.pid())) ?? 0;
      for (const body of bodies) await upload(server.url, agent, body);
      const after = (await processorSeconds(server.pid())) ?? 0;
      const start = processorTime();
      for (const body of bodies) JSON.parse(body.toString());
      const parse = (processorTime() - start) / JOBS_OF_A_ROUND;
      // The first round warms both up.
      if (round >= 0) times.push({ ours: ((after - before) * 1_000) / JOBS_OF_A_ROUND, parse });
    }
    const ours = timingOf(
      'receive -> durable commit',
      times.map((time) => time.ours),
    );
    const parse = timingOf(
      'JSON.parse',
      times.map((time) => time.parse),
    );
    const ratio = ours.median / parse.median;
    return [
      {
        title: `receive-commit: L, ${JOBS_OF_A_ROUND} jobs a round, SQLite, processors of all threads; one job of XL`,
        timings: [parse, ours],
        goals: [
          { what: 'receive -> durable commit / JSON.parse', measured: ratio, wanted: 'below', goal: 1.6, unit: 'x' },
          { what: 'peak memory of XL / body', measured: memory, wanted: 'below', goal: 4, unit: 'x' },
        ],
        notes: ['The jobs of a build are merged while they come: that is within the first figure.'],
      },
    ];
  } finally {
    agent.destroy();
    await server.dispose();
  }
}

/** How many times its body one job takes above the idle server. */
async function memoryOfXl(
  server: Awaited<ReturnType<typeof startServer>>,
  agent: Agent,
  token: string,
): Promise<number> {
  const body = uploadsOf(SHAPES.XL, [token], 1)();
  await sleep(REST);
  await forgetPeak(server.pid());
  const idle = await peakMemory(server.pid());
  await upload(server.url, agent, body);
  return ((await peakMemory(server.pid())) - idle) / body.length;
}
