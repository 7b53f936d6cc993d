import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, Worker, workerData } from 'node:worker_threads';

/** How often it is asked, in ms. */
const PAUSE = 10;

export interface HealthProbe {
  /** Milliseconds of every answer since the start; rising. */
  stop(): Promise<readonly number[]>;
}

/** Asks /healthz again and again, in a thread of its own: whoever sends large bodies would measure its own pauses. */
export function startHealthProbe(url: string): HealthProbe {
  const worker = new Worker(new URL(import.meta.url), { workerData: { probed: url } });
  return {
    stop: () =>
      new Promise((resolve, reject) => {
        worker.once('message', (times: readonly number[]) => resolve(times));
        worker.once('error', reject);
        worker.postMessage('stop');
      }),
  };
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

function timeOf(agent: Agent, url: string): Promise<number> {
  const start = performance.now();
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/healthz`, { agent }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(performance.now() - start));
    });
    sent.on('error', reject);
    sent.end();
  });
}

const { probed } = (workerData ?? {}) as { readonly probed?: string };
if (probed !== undefined) await probe(probed);
