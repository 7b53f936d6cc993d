import { availableParallelism } from 'node:os';
import type { BenchResult, Goal } from './goals.ts';
import { loadPage, type PageLoad, percentile } from './page-load.ts';
import { type BenchServer, copyToMongodb, findMongod, startBenchServer, startMongod } from './service-deployments.ts';
import { BUILDS, fillWeb, type WebPage } from './web-scenes.ts';

const MOST_MS = 50;
const MOST_KB = 150;
/** The main thread is not to be kept from others for longer; what is measured is what another request waits. */
const MOST_WAIT = 50;

/** How long pages take over HTTP, and what they weigh: on SQLite, and on MongoDB where there is one. */
export async function benchWeb(): Promise<BenchResult[]> {
  // Only an end in order removes what was started.
  process.once('SIGINT', () => process.exit(130));
  const server = await startBenchServer();
  try {
    const pages = await fillWeb(server);
    const results = [await benchStore('SQLite', server, pages)];
    await server.stop();
    return [...results, await benchMongodb(server, pages)];
  } finally {
    await server.dispose();
  }
}

async function benchMongodb(from: BenchServer, pages: readonly WebPage[]): Promise<BenchResult> {
  const found = await findMongod();
  if (found.kind === 'none')
    return { title: 'web on MongoDB: skipped, for want of a server', timings: [], goals: [], notes: [] };
  const mongod = await startMongod({ found });
  try {
    const server = await copyToMongodb(from, mongod);
    try {
      return await benchStore('MongoDB', server, pages);
    } finally {
      await server.dispose();
    }
  } finally {
    await mongod.stop();
  }
}

async function benchStore(store: string, server: BenchServer, pages: readonly WebPage[]): Promise<BenchResult> {
  const loads: { readonly page: WebPage; readonly load: PageLoad }[] = [];
  for (const page of pages) loads.push({ page, load: await loadPage(server, page.path) });
  return {
    title: `web on ${store}, one request after the other; ${BUILDS} builds; ${availableParallelism()} processors`,
    timings: loads.map(({ page, load }) => ({
      name: page.what,
      median: percentile(load.times, 0.5),
      fastest: load.times[0] ?? 0,
      slowest: load.times.at(-1) ?? 0,
    })),
    goals: loads.flatMap(({ page, load }) => goalsOf(page.what, load)),
    notes: table(loads),
  };
}

function goalsOf(what: string, { times, sent, longestWait }: PageLoad): readonly Goal[] {
  const below = { wanted: 'below' } as const;
  return [
    { what: `${what}: p50`, measured: percentile(times, 0.5), ...below, goal: MOST_MS, unit: 'ms' },
    { what: `${what}: as sent`, measured: sent / 1_000, ...below, goal: MOST_KB, unit: 'KB' },
    { what: `${what}: another waits`, measured: longestWait, ...below, goal: MOST_WAIT, unit: 'ms' },
  ];
}

/** As it stands in docs/performance.md. */
function table(loads: readonly { readonly page: WebPage; readonly load: PageLoad }[]): readonly string[] {
  const kb = (bytes: number): string => (bytes / 1_000).toFixed(1);
  const rows = loads.map(({ page, load: { times, processor, plain, sent, encoding, longestWait } }) => {
    const ms = [0.5, 0.99].map((part) => percentile(times, part).toFixed(1));
    return [
      page.what,
      ...ms,
      processor?.toFixed(1) ?? '',
      kb(plain),
      `${kb(sent)} (${encoding})`,
      longestWait.toFixed(0),
    ];
  });
  const head = ['page', 'p50, ms', 'p99, ms', 'processor, ms', 'HTML, KB', 'as sent, KB', 'another waits, ms'];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
}
