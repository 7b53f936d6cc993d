import { DatabaseSync } from 'node:sqlite';
import { encodeReport } from '../../../server/src/reports/codec/encode-report.ts';
import { openStore } from '../../../server/src/storage/open/open-store.ts';
import type { AttackedServer } from '../fuzz/hostile-load.ts';
import { peakMemory } from '../fuzz/run-fuzz.ts';
import { putLargeBuild } from '../large-build.ts';
import { openRaw } from '../raw-http.ts';
import { aFile, aReport } from '../records.ts';
import { waitFor } from '../wait-for.ts';
import { type Attack, atMost, type Outcome } from './attack.ts';
import { LIMIT, worstWait } from './cheap-requests.ts';
import { mainThreadTime } from './main-thread.ts';

const FLAGS = 4_000;
const JOBS = 40_000;
const LINES = 2 ** 24;
/** Builds of the same repo with as many flags. */
const BUILDS = 3;
/** Clients that ask for the hits of a file and do not read them. */
const UNREAD = 24;
/** Files of another build, each in a folder of its own. */
const FOLDERS = 20_000;
/** Milliseconds of the main thread's processor for its report, the least of this many tries. */
const MAX_TIME = 20;
const TRIES = 3;
/** MiB: two answers of 64 MiB each, their way from the thread, and what a page takes. */
const MAX_MEMORY = 450;
/** Names as long as an upload may have them, with characters that HTML escapes. */
const longName = (number: number): string => `flag-${number} `.padEnd(1_000, '<&');

/**
 * Pages, JSON and lists of very large builds, and clients that do not read them: /healthz is answered in the meantime.
 */
export const largePages: Attack = {
  name: 'large-pages',
  async run(start) {
    const attacked = await start();
    const [build, many] = await plantLargeBuilds(attacked);
    const asked: Readonly<Record<string, string>> = {
      [`the page of a build of ${FLAGS} flags and ${JOBS} jobs`]: `/builds/${build}`,
      'its last pages': `/builds/${build}?flags_page=40&jobs_page=400`,
      'its JSON': `/builds/${build}.json`,
      [`a list of ${BUILDS} such builds`]: '/manual/acme/shop.json?per_page=100',
      'a badge of one flag': `/repos/manual/acme/shop/badge.svg?flag=${encodeURIComponent(longName(7))}`,
      [`a page of a file of ${LINES} lines`]: `/builds/${build}/source?filename=long.ts&page=4000`,
    };
    const outcomes: Outcome[] = [];
    for (const [attack, path] of Object.entries(asked)) {
      const init = { headers: { Authorization: `token ${attacked.server.adminToken}` } };
      const measured = await worstWait({ what: attack, path, init }, attacked);
      outcomes.push(atMost(LIMIT, { attack, of: 'worst wait of /healthz', measured, unit: 'ms' }));
    }
    for (const name of ['lcov.info', 'cobertura.xml'])
      outcomes.push(await writeReport(attacked, `/builds/${many}/${name}`));
    const unread = { 'hits of that file': 'source.json?filename=long.ts', 'lines of its report': 'lcov.info' };
    for (const [what, path] of Object.entries(unread))
      outcomes.push(await leaveUnread(attacked, { what, path: `/builds/${build}/${path}` }));
    return outcomes;
  },
};

/** The report of a build of many folders, in a format of others. */
async function writeReport({ server }: AttackedServer, path: string): Promise<Outcome> {
  const pid = server.pid() ?? 0;
  const headers = { Authorization: `token ${server.adminToken}` };
  let measured = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const before = mainThreadTime(pid);
    await (await fetch(server.url + path, { headers, signal: AbortSignal.timeout(10_000) })).arrayBuffer();
    measured = Math.min(measured, mainThreadTime(pid) - before);
  }
  const attack = `${path.slice(path.lastIndexOf('/') + 1)} of a build of ${FOLDERS} folders`;
  return atMost(MAX_TIME, { attack, of: "the main thread's processor", measured, unit: 'ms' });
}

async function leaveUnread(
  { server }: AttackedServer,
  { what, path }: { readonly what: string; readonly path: string },
): Promise<Outcome> {
  const before = peakMemory(server.pid() ?? 0);
  const clients = await Promise.all(Array.from({ length: UNREAD }, () => openRaw(server.port)));
  let answered = 0;
  for (const { socket, send } of clients) {
    socket.once('data', () => {
      answered += 1;
      socket.pause();
    });
    send(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: token ${server.adminToken}\r\n\r\n`);
  }
  // Two are sent the file, and the others are told to ask again.
  await waitFor(() => (answered === UNREAD ? true : undefined), { what: 'all answers', timeoutMs: 30_000 });
  const measured = (peakMemory(server.pid() ?? 0) - before) / 2 ** 20;
  for (const { socket } of clients) socket.destroy();
  const attack = `${UNREAD} clients that do not read the ${what}`;
  return atMost(MAX_MEMORY, { attack, of: 'memory beside what was used before', measured, unit: 'MiB' });
}

/** Straight into the database, while the server is stopped: the largest build, and the one of many folders. */
async function plantLargeBuilds({ server }: AttackedServer): Promise<readonly [largest: number, many: number]> {
  await server.stop();
  const file = `${server.directory}/coverage.db`;
  const store = await openStore({ url: `sqlite:${file}` });
  const repo = await store.repos.findByName('manual', 'acme/shop');
  const long = { ...aFile('long.ts', []), hits: new Int32Array(LINES).fill(1) };
  const report = encodeReport(aReport(long));
  const ids: number[] = [];
  for (let number = 1; number <= BUILDS; number += 1) {
    const large = { flags: FLAGS, failing: FLAGS / 2, jobs: 1, number: `run-${number}`, name: longName, report };
    ids.push((await putLargeBuild(store, repo?.id ?? 0, large)).id);
  }
  const files = Array.from({ length: FOLDERS }, (_, n) => aFile(`src/${n}/index.ts`, [1, 0, 2, 0, 1, 0, 2, 0]));
  const folders = { flags: 1, jobs: 1, number: 'folders', report: encodeReport(aReport(...files)) };
  const { id: many } = await putLargeBuild(store, repo?.id ?? 0, folders);
  await store.close();
  const [first = 0] = ids;
  multiplyJobs(file, first);
  await server.restart();
  return [first, many];
}

/** Uploading as many would take minutes. */
function multiplyJobs(file: string, buildId: number): void {
  const db = new DatabaseSync(file);
  db.exec('BEGIN');
  db.prepare(`
    INSERT INTO jobs (id, build_id, repo_id, number, upload_key, service_name, service_job_id, record)
    WITH RECURSIVE numbers (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM numbers WHERE n < :jobs)
    SELECT 1000000 + n, build_id, repo_id, n, 'copy ' || n, service_name, service_job_id,
      json_set(record, '$.id', 1000000 + n, '$.number', n)
    FROM jobs CROSS JOIN numbers WHERE build_id = :buildId AND number = 1`).run({ jobs: JOBS, buildId });
  for (const [table, key] of [
    ['builds', 'id'],
    ['build_summaries', 'build_id'],
  ] as const)
    db.prepare(`UPDATE ${table} SET record = json_set(record, '$.jobs', ?) WHERE ${key} = ?`).run(JOBS, buildId);
  db.exec('COMMIT');
  db.close();
}
