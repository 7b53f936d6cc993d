import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeHistory } from '../action/src/command/history/write-history.ts';
import { FileHits } from '../action/src/formats/file-hits.ts';
import type { BenchResult } from './goals.ts';
import { withMongod } from './mongodb.ts';
import { forgetPeak, peakMemory } from './process-memory.ts';
import { type BenchServer, startBenchServer, startOnMongodb } from './service-deployments.ts';

/** As much as one history may have. */
const BUILDS = 20_000;
const WITH_LINES = 200;
const FLAGS = ['unit', 'e2e'];
const FILES = 200;
const LINES = 120;
const HOUR = 3_600_000;
const REPO = 'acme/past';
const LIMIT = { seconds: 600, bytes: 512 * 2 ** 20 } as const;

/** The largest history, uploaded to the page of a server and imported by it. On SQLite. */
export function benchImportHistory(): Promise<BenchResult[]> {
  return withHistory(async (archive) => [await measure('SQLite', await startBenchServer(), archive)]);
}

/** The same on MongoDB. */
export function benchImportHistoryOnMongodb(): Promise<BenchResult[]> {
  return withMongod(({ databaseUrl }) =>
    withHistory(async (archive) => [await measure('MongoDB', await startOnMongodb(databaseUrl()), archive)]),
  );
}

async function withHistory(bench: (archive: Buffer) => Promise<BenchResult[]>): Promise<BenchResult[]> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-history-'));
  try {
    return await bench(await packHistory(folder));
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function packHistory(folder: string): Promise<Buffer> {
  const [history, archive] = [join(folder, 'history'), join(folder, 'history.tgz')];
  const writer = writeHistory(history);
  const now = Date.now();
  for (let at = 0; at < BUILDS; at += 1) {
    const commit = { commit: at.toString(16).padStart(40, '0'), branch: 'main', at: now - at * HOUR, shown: 75 };
    const totals = { coveredLines: 9_000 + (at % 900), relevantLines: 12_000, coveredBranches: 0, branches: 0 };
    writer.add({ ...commit, totals }, at < WITH_LINES ? FLAGS.map((flag) => ({ flag, files: filesOf(at) })) : []);
  }
  writer.finish({ from: 'codecov', address: REPO, repo: `github/${REPO}`, by: 'bench', now });
  execFileSync('tar', ['-czf', archive, '-C', history, '.']);
  return readFile(archive);
}

function filesOf(at: number): readonly FileHits[] {
  return Array.from({ length: FILES }, (_, index) => {
    const file = new FileHits(`src/part-${index % 20}/file-${index}.ts`);
    for (let line = 1; line <= LINES; line += 1) file.addLine(line, (line * (index + 3) + at) % 5);
    return file;
  });
}

async function measure(store: string, server: BenchServer, archive: Buffer): Promise<BenchResult> {
  try {
    await server.api.createRepo({ name: REPO });
    await forgetPeak(server.pid());
    const begun = performance.now();
    const body = new FormData();
    body.set('file', new Blob([new Uint8Array(archive)]), 'history.tgz');
    await send(server, body);
    const checked = performance.now();
    await send(server, new URLSearchParams({ do: 'start' }));
    await untilImported(server);
    const ended = performance.now();
    const goals = [
      { what: 'seconds in all', measured: (ended - begun) / 1_000, wanted: 'below', goal: LIMIT.seconds, unit: 's' },
      {
        what: 'peak memory of the server',
        measured: (await peakMemory(server.pid())) / 1e6,
        wanted: 'below',
        goal: LIMIT.bytes / 1e6,
        unit: 'MB',
      },
    ] as const;
    const title = `import-history: ${BUILDS} builds, ${WITH_LINES} with lines, on ${store}`;
    const size = `${(archive.length / 1e6).toFixed(1)} MB are uploaded`;
    return {
      title,
      timings: [],
      goals,
      notes: [`${size}, and checked in ${((checked - begun) / 1_000).toFixed(1)} s`],
    };
  } finally {
    await server.dispose();
  }
}

async function send(server: BenchServer, body: FormData | URLSearchParams): Promise<void> {
  const answer = await fetch(pageOf(server), { method: 'POST', redirect: 'manual', headers: headersOf(server), body });
  if (answer.status !== 303) throw new Error(`the page answered ${answer.status}: ${await answer.text()}`);
}

async function untilImported(server: BenchServer): Promise<void> {
  for (const end = performance.now() + 2 * LIMIT.seconds * 1_000; performance.now() < end; await sleep(500)) {
    const text = await (await fetch(pageOf(server), { headers: headersOf(server) })).text();
    if (text.includes(`aria-label="20,000 of 20,000 builds looked at"`) && !text.includes('Importing')) return;
    if (text.includes('The import from Codecov failed')) throw new Error('the import failed');
  }
  throw new Error('the import did not end');
}

function pageOf({ url }: BenchServer): string {
  return `${url}/github/${REPO}/settings/import`;
}

function headersOf({ token }: BenchServer): Record<string, string> {
  return { authorization: `token ${token}`, accept: 'text/html' };
}
