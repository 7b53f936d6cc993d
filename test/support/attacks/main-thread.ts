import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readAnswers } from '../access/access-table.ts';
import { listRoutes } from '../access/walk-access.ts';
import type { AttackedServer } from '../fuzz/hostile-load.ts';
import { allHosts, ROUTES_OF_HOSTS, withProviders } from './all-hosts.ts';
import { type Attack, atMost } from './attack.ts';
import { FRESH, type HostileRequest, hostileRequests } from './hostile-requests.ts';

/** Milliseconds of the main thread's processor that one request may take. */
const LIMIT = 20;
/** The lowest of this many counts: code is cold in the first, and the collector may run in any of them. */
const TRIES = 5;
const JSON_TYPE = { 'content-type': 'application/json' };

/** Every kind of hostile request to every route: none holds the main thread, whatever its answer. */
export const mainThread: Attack = {
  name: 'main-thread',
  async run(start) {
    const hosts = await startStrangersToAll();
    const attacked = await start({ ...allHosts(hosts.url), TRUST_PROXY: 'loopback' });
    await openToAll(attacked);
    // Every route: test/http/access-table.test.ts compares the tables with the router's own list.
    const routes = [...listRoutes(await readAnswers()), ...ROUTES_OF_HOSTS].flatMap(withProviders);
    const worst = new Map<HostileRequest['group'], { readonly what: string; readonly ms: number }>();
    const asked = new Map<HostileRequest['group'], number>();
    for (const route of routes) {
      const [method = '', path = ''] = route.split(' ');
      for (const hostile of hostileRequests(route, hosts.url)) {
        const { group, what } = hostile;
        const ms = await costOf(attacked, { method, path: hostile.path(path), hostile });
        asked.set(group, (asked.get(group) ?? 0) + 1);
        if (ms > (worst.get(group)?.ms ?? 0)) worst.set(group, { what: `\`${route}\`, ${what}`, ms });
      }
    }
    hosts.close();
    return [...worst].map(([group, { what, ms }]) => {
      const attack = `${asked.get(group)} hostile ${group} to ${routes.length} routes; the worst: ${what}`;
      return atMost(LIMIT, { attack, of: "the main thread's processor for one", measured: ms, unit: 'ms' });
    });
  },
};

/** Every git host in one, which knows no token. */
async function startStrangersToAll(): Promise<{ readonly url: string; readonly close: () => void }> {
  const server = createServer((_request, answer) =>
    answer.writeHead(401, JSON_TYPE).end('{"message":"Bad credentials"}'),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

/** So that what a stranger is shown is worked out too. */
async function openToAll({ server, api }: AttackedServer): Promise<void> {
  const { status } = await api.send('/api/v1/repos/manual/acme/shop/settings', {
    method: 'PUT',
    headers: { Authorization: `token ${server.adminToken}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ visibility: 'public' }),
  });
  if (status !== 200) throw new Error(`the repo was not made public: ${status}`);
}

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly hostile: HostileRequest;
}

/** Milliseconds of the server's main thread for one such request. */
async function costOf({ server }: AttackedServer, asked: Asked): Promise<number> {
  const pid = server.pid() ?? 0;
  let cost = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < TRIES && cost > LIMIT / 2; tries += 1) {
    const before = mainThreadTime(pid);
    await send(server.port, asked);
    cost = Math.min(cost, mainThreadTime(pid) - before);
  }
  return cost;
}

/** Milliseconds of processor of a process's main thread, whose id is the process's. Linux alone. */
export function mainThreadTime(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'latin1').split(' ')[0]) / 1e6;
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

let sentSoFar = 0;

/** Without fetch, which takes few of these headers. Whatever is answered will do, and so does a cut connection. */
function send(port: number, { method, path, hostile: { headers: stated = {}, body } }: Asked): Promise<void> {
  sentSoFar += 1;
  const { authorization } = stated;
  const headers = {
    // Each from an address of its own, which has used up nothing yet.
    'x-forwarded-for': `2001:db8:${(sentSoFar >> 16).toString(16)}:${(sentSoFar & 0xffff).toString(16)}::1`,
    ...stated,
    ...(authorization !== undefined && { authorization: authorization.replace(FRESH, `${FRESH}-${sentSoFar}`) }),
    ...(body !== undefined && { 'content-length': String(body.length) }),
  };
  return new Promise((resolve) => {
    const sent = request({ host: '127.0.0.1', port, agent, method, path, headers });
    sent.on('response', (answer) => answer.resume().on('close', resolve));
    sent.on('error', () => resolve()).end(body);
  });
}
