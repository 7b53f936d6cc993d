import { availableParallelism } from 'node:os';
import type { BenchResult, Goal } from './goals.ts';
import { BUILDS, fillMongodb, fillSqlite } from './many-builds.ts';
import { loadPage, type PageLoad, percentile } from './page-load.ts';
import {
  type BenchServer,
  copyToMongodb,
  findMongod,
  startBenchServer,
  startMongod,
  startOnMongodb,
} from './service-deployments.ts';
import { uploadScenes, type WebPage, type WebScenes } from './web-scenes.ts';

const MAX_MS = 50;
const MAX_KB = 150;
/** The main thread is not to be kept from others for longer. */
const MAX_BLOCK = 50;

/** How long pages take over HTTP, and what they weigh: on SQLite, and on MongoDB where there is one. */
export async function benchWeb(): Promise<BenchResult[]> {
  // Only an end in order removes what was started.
  process.once('SIGINT', () => process.exit(130));
  const server = await startBenchServer();
  try {
    const scenes = await uploadScenes(server);
    await server.stop();
    const onMongodb = await benchMongodb(server, scenes);
    fillSqlite(server.database, scenes.template);
    await server.restart();
    return [await benchStore('SQLite', server, scenes.pages), onMongodb];
  } finally {
    await server.dispose();
  }
}

/** First, since what has to be copied is little then. */
async function benchMongodb(from: BenchServer, { pages, template }: WebScenes): Promise<BenchResult> {
  const found = await findMongod();
  if (found.kind === 'none')
    return { title: 'web on MongoDB: skipped, for want of a server', timings: [], goals: [], notes: [] };
  const mongod = await startMongod({ found });
  try {
    const url = mongod.databaseUrl();
    await copyToMongodb(from, url);
    await fillMongodb(url, template);
    const server = await startOnMongodb(url);
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
      repetitions: load.times.length,
    })),
    goals: loads.flatMap(({ page, load }) => goalsOf(page.what, load)),
    notes: table(loads),
  };
}

function goalsOf(what: string, { times, sent, longestBlock }: PageLoad): readonly Goal[] {
  const below = { wanted: 'below' } as const;
  return [
    { what: `${what}: p50`, measured: percentile(times, 0.5), ...below, goal: MAX_MS, unit: 'ms' },
    { what: `${what}: as sent`, measured: sent / 1_000, ...below, goal: MAX_KB, unit: 'KB' },
    { what: `${what}: longest block`, measured: longestBlock, ...below, goal: MAX_BLOCK, unit: 'ms' },
  ];
}

/** As it is in docs/architecture/performance.md. */
function table(loads: readonly { readonly page: WebPage; readonly load: PageLoad }[]): readonly string[] {
  const kb = (bytes: number): string => (bytes / 1_000).toFixed(1);
  const rows = loads.map(
    ({ page, load: { times, processor, mainThread, longestBlock, plain, sent, encoding, longestWait } }) => {
      const ms = [0, 0.5, 0.99].map((part) => percentile(times, part).toFixed(1));
      return [
        page.what,
        ...ms,
        processor?.toFixed(1) ?? '',
        mainThread.toFixed(1),
        longestBlock.toFixed(0),
        longestWait.toFixed(0),
        kb(plain),
        `${kb(sent)} (${encoding})`,
      ];
    },
  );
  const head = [
    ...['page', 'fastest, ms', 'p50, ms', 'p99, ms', 'processor, ms', 'main thread, ms'],
    ...['longest block, ms', 'another waits, ms', 'HTML, KB', 'as sent, KB'],
  ];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
}
