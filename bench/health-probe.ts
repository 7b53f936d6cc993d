import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { percentile } from './page-load.ts';

/** How often it is asked, in ms. */
const PAUSE = 10;
/** A server that does not answer for so long is not asked again, in ms. */
const LONGEST = 10_000;

/**
 * Asks /healthz again and again while `work` continues, in a thread of its own: one that sends large bodies would
 * measure its own pauses. Answers what `work` did and the milliseconds of every answer, in rising order.
 */
export async function probeWhile<Value>(
  url: string,
  work: () => Promise<Value>,
): Promise<{ readonly value: Value; readonly waits: readonly number[] }> {
  const worker = new Worker(new URL(import.meta.url), { workerData: { probed: url } });
  const found = new Promise<readonly number[]>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  // Where the work fails first, nobody waits for it.
  found.catch(() => {});
  try {
    const value = await work();
    worker.postMessage('stop');
    return { value, waits: await found };
  } finally {
    // It would ask a server that has ended, without a pause.
    await worker.terminate();
  }
}

/** One line of what a probe found. */
export function describeWaits(when: string, times: readonly number[]): string {
  const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)];
  const waits = `p50 ${p50.toFixed(2)}, p99 ${p99.toFixed(2)}, longest ${(times.at(-1) ?? 0).toFixed(1)} ms`;
  return `${when}: ${times.length} answers, ${waits}`;
}

async function probe(url: string): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  const times: number[] = [];
  let stopped = false;
  parentPort?.once('message', () => {
    stopped = true;
  });
  while (!stopped) {
    times.push(await timeOf(agent, url));
    await sleep(PAUSE);
  }
  agent.destroy();
  parentPort?.postMessage(times.sort((a, b) => a - b));
}

function timeOf(agent: Agent, url: string, start = performance.now()): Promise<number> {
  return new Promise((resolve) => {
    const sent = request(`${url}/healthz`, { agent }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(performance.now() - start));
    });
    // A connection that was cut is another wait: it is asked again, and the time continues.
    sent.on('error', () => {
      const waited = performance.now() - start;
      resolve(waited > LONGEST ? waited : timeOf(agent, url, start));
    });
    sent.end();
  });
}

const { probed } = (workerData ?? {}) as { readonly probed?: string };
if (probed !== undefined) await probe(probed);
