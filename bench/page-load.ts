import { Agent, type IncomingMessage, request } from 'node:http';
import { processorSeconds } from './processor-time.ts';
import type { BenchServer } from './service-deployments.ts';

/** What was measured of one page. */
export interface PageLoad {
  /** Milliseconds of each request, from its first byte to the last one of the answer; rising. */
  readonly times: readonly number[];
  /** Milliseconds on processors for each, of all threads of the server; undefined without /proc. */
  readonly processor: number | undefined;
  /** The part of it that the main thread took. */
  readonly mainThread: number;
  /** Milliseconds that the server's event loop was blocked at most. */
  readonly longestBlock: number;
  /** Bytes of the page as text. */
  readonly plain: number;
  /** Bytes of the body as the server sends it to a browser, and how it is encoded. */
  readonly sent: number;
  readonly encoding: string;
  /** Milliseconds that another small request waited at most while pages were made. */
  readonly longestWait: number;
}

const WARMUP = 30;
const ROUNDS = 200;
/** On a slow machine a page is asked for less often: for so many milliseconds, and so many times at least. */
const ENOUGH = 8_000;
const FEWEST = 40;
/** As browsers ask. */
const ACCEPT_ENCODING = 'gzip, deflate, br, zstd';

type Measured = Pick<BenchServer, 'url' | 'token' | 'pid' | 'watchLoop'>;

/** Loads a page one time after the other, as one reader does; then with another reader beside it. */
export async function loadPage(server: Measured, path: string): Promise<PageLoad> {
  const agent = new Agent({ keepAlive: true });
  const load = (accept = ACCEPT_ENCODING) => get(agent, { ...server, path, accept });
  try {
    const [plain, page] = [await load('identity'), await load()];
    for (let n = 0; n < WARMUP; n += 1) await load();
    const times: number[] = [];
    await server.watchLoop();
    const before = await processorSeconds(server.pid());
    const end = performance.now() + ENOUGH;
    while (times.length < ROUNDS && (times.length < FEWEST || performance.now() < end)) times.push((await load()).time);
    const after = await processorSeconds(server.pid());
    const { longestBlock, mainThread } = await server.watchLoop();
    return {
      times: times.sort((a, b) => a - b),
      processor: before === undefined || after === undefined ? undefined : ((after - before) * 1_000) / times.length,
      mainThread: mainThread / times.length,
      longestBlock,
      plain: plain.bytes,
      sent: page.bytes,
      encoding: page.encoding,
      longestWait: await waitBeside(agent, server, load),
    };
  } finally {
    agent.destroy();
  }
}

/** The part of the times that is not above what is answered. */
export function percentile(times: readonly number[], part: number): number {
  return times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0;
}

async function waitBeside(
  agent: Agent,
  server: { readonly url: string; readonly token: string },
  load: () => Promise<unknown>,
): Promise<number> {
  let busy = true;
  let longest = 0;
  const beside = (async () => {
    while (busy)
      longest = Math.max(longest, (await get(agent, { ...server, path: '/healthz', accept: 'identity' })).time);
  })();
  for (let n = 0; n < WARMUP; n += 1) await load();
  busy = false;
  await beside;
  return longest;
}

interface Asked {
  readonly url: string;
  readonly token: string;
  readonly path: string;
  readonly accept: string;
}

function get(
  agent: Agent,
  { url, token, path, accept }: Asked,
): Promise<{ time: number; bytes: number; encoding: string }> {
  const headers = { authorization: `token ${token}`, accept: 'text/html', 'accept-encoding': accept };
  const start = performance.now();
  return new Promise((resolve, reject) => {
    const sent = request(url + path, { agent, headers }, (answer: IncomingMessage) => {
      let bytes = 0;
      answer.on('data', (part: Buffer) => {
        bytes += part.length;
      });
      answer.on('error', reject);
      answer.on('end', () => {
        const encoding = answer.headers['content-encoding'] ?? 'identity';
        if (answer.statusCode === 200) resolve({ time: performance.now() - start, bytes, encoding });
        else reject(new Error(`${path} was answered ${answer.statusCode}`));
      });
    });
    sent.on('error', reject);
    sent.end();
  });
}
