import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { AttackedServer } from '../fuzz/hostile-load.ts';
import { type Attack, atMost, type Outcome } from './attack.ts';
import { mainThreadTime } from './main-thread.ts';

const MIB = 2 ** 20;
/** Milliseconds that /healthz may wait for the main thread. */
export const LIMIT = 50;
/** What holds the event loop does so each time; what a busy machine does is seldom seen thrice. */
const TRIES = 3;
/** Connections that repeat one request, and for how many milliseconds. */
const CONNECTIONS = 6;
const DURATION = 1_500;

interface CheapRequest {
  readonly what: string;
  readonly path: string;
  readonly init: RequestInit;
}

const post = (what: string, text: string, type = 'application/json'): CheapRequest => {
  const headers = { 'Content-Type': type, 'Content-Encoding': 'gzip' };
  return { what, path: '/webhook', init: { method: 'POST', headers, body: Uint8Array.from(gzipSync(text)) } };
};
const nested = `${'['.repeat(500_000)}${']'.repeat(500_000)}`;
const form = 'application/x-www-form-urlencoded';

/** A few KB each, without a token; every one of them was seen to hold the event loop. */
const CHEAP_REQUESTS: readonly CheapRequest[] = [
  { what: 'a query of 7,900 pairs', path: `/builds/1.json?${'a&'.repeat(7_900)}`, init: {} },
  {
    what: 'an Authorization header of blanks',
    path: '/builds/1.json',
    init: { headers: { Authorization: `token a${' '.repeat(15_000)}b` } },
  },
  post('a megabyte of [', '['.repeat(MIB)),
  post('[{},{}, …] of a megabyte', `[${'{},'.repeat(MIB / 3 - 2)}{}]`),
  post('110,000 keys', `{${Array.from({ length: 110_000 }, (_, key) => `"${key}":1`).join()}}`),
  post('broken JSON of a megabyte', `[${'1,'.repeat(MIB / 2 - 2)}y`),
  post('a payload nested 500,000 deep', `{"payload":${nested}}`),
  post('a form that is one name', 'a['.repeat(MIB / 2), form),
];

/** Each cheap request from some connections at once: /healthz is answered in the meantime. */
export const cheapRequests: Attack = {
  name: 'cheap-requests',
  async run(start) {
    const attacked = await start();
    const outcomes: Outcome[] = [];
    for (const request of CHEAP_REQUESTS) {
      const measured = await worstWait(request, attacked);
      outcomes.push(atMost(LIMIT, { attack: request.what, of: 'worst wait of /healthz', measured, unit: 'ms' }));
    }
    return outcomes;
  },
};

/**
 * For /healthz beside the request, in ms: the time that passed, or the main thread's processor time in the meantime if
 * that is less, since a busy machine makes everybody wait.
 */
export async function worstWait(request: CheapRequest, attacked: AttackedServer): Promise<number> {
  let measured = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < TRIES && measured > LIMIT; tries += 1)
    measured = Math.min(measured, Math.max(...(await probeBeside(request, attacked))));
  return measured;
}

/** What each probe of /healthz waited in the meantime. */
async function probeBeside({ path, init }: CheapRequest, { server, api }: AttackedServer): Promise<readonly number[]> {
  const until = performance.now() + DURATION;
  const attack = async (): Promise<void> => {
    while (performance.now() < until) await (await fetch(server.url + path, init)).arrayBuffer();
  };
  const probes: number[] = [];
  const pid = server.pid() ?? 0;
  const probe = async (): Promise<void> => {
    while (performance.now() < until) {
      const [begun, before] = [performance.now(), mainThreadTime(pid)];
      await api.send('/healthz');
      probes.push(Math.min(performance.now() - begun, mainThreadTime(pid) - before));
      await wait(10);
    }
  };
  // All at once: where one fails, as when the time is up, no other is left unwatched.
  await Promise.all([probe(), ...Array.from({ length: CONNECTIONS }, attack)]);
  return probes;
}
