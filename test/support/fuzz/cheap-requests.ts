import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { type Answered, type AttackedServer, timed } from './hostile-load.ts';

const MIB = 2 ** 20;
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
  post('broken JSON of a megabyte', `[${'1,'.repeat(MIB / 2 - 2)}y`),
  post('a payload nested 500,000 deep', `{"payload":${nested}}`),
  post('a form that is one name', 'a['.repeat(MIB / 2), form),
];

export interface CheapAttack {
  readonly what: string;
  /** The statuses that the attackers were answered. */
  readonly statuses: readonly number[];
  /** Probes meanwhile. */
  readonly others: readonly Answered[];
}

/** Each cheap request from some connections at once, while /healthz is asked. */
export async function attackWithCheapRequests({ server, api }: AttackedServer): Promise<readonly CheapAttack[]> {
  const attacks: CheapAttack[] = [];
  for (const { what, path, init } of CHEAP_REQUESTS) {
    const until = performance.now() + DURATION;
    const statuses = new Set<number>();
    const attack = async (): Promise<void> => {
      while (performance.now() < until) {
        const answer = await fetch(server.url + path, init);
        statuses.add(answer.status);
        await answer.arrayBuffer();
      }
    };
    const attackers = Array.from({ length: CONNECTIONS }, attack);
    const others: Answered[] = [];
    while (performance.now() < until) {
      others.push(await timed(api.send('/healthz')));
      await wait(10);
    }
    await Promise.all(attackers);
    attacks.push({ what, statuses: [...statuses], others });
  }
  return attacks;
}
