import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { BuildJson } from '@coverage/shared';
import { MongoClient } from 'mongodb';
import { type CoverageApi, coverageApi } from '../test/support/coverage-api.ts';
import { type GithubStandIn, startGithubStandIn } from '../test/support/github-stand-in/github-stand-in.ts';
import { dropDatabase } from '../test/support/mongod/drop-database.ts';
import { findMongod } from '../test/support/mongod/find-mongod.ts';
import { type RunningMongod, startMongod } from '../test/support/mongod/start-mongod.ts';
import { facts } from '../test/support/records.ts';
import { type ServerProcess, startServer } from '../test/support/server-process.ts';
import { waitFor } from '../test/support/wait-for.ts';

export type { GithubStandIn, RunningMongod, ServerProcess };
export { coverageApi, facts, findMongod, startGithubStandIn, startMongod, startServer, waitFor };

/** Repos of each deployment, each with a build in progress. */
export const REPOS = 8;

/** Real server processes on one store, with repos to upload to. */
export interface Deployment {
  readonly name: string;
  readonly servers: readonly ServerProcess[];
  readonly repoTokens: readonly string[];
  /** Undefined: it has none, or it runs elsewhere. */
  readonly mongodPid: number | undefined;
  dispose(): Promise<void>;
}

/** What is compared. Each has a store of its own, so that no worker of one does the work of another. */
export async function deployments(mongod: RunningMongod): Promise<readonly Deployment[]> {
  const pid = await findPid(mongod.url);
  const started: Deployment[] = [];
  const onMongodb = { mongod, pid };
  try {
    started.push(await start('SQLite, one process', 1));
    started.push(await start('MongoDB, one instance', 1, onMongodb));
    started.push(await start('MongoDB, two instances', 2, onMongodb));
    return started;
  } catch (error) {
    for (const deployment of started) await deployment.dispose();
    throw error;
  }
}

interface OnMongodb {
  readonly mongod: RunningMongod;
  readonly pid: number | undefined;
}

/** One repo uploads as fast as it can. */
const UNLIMITED = { LOG_LEVEL: 'warn', MAX_REPO_JOBS_PER_MINUTE: '0', MAX_REPO_OPEN_BUILDS: '0' };

async function start(name: string, instances: number, on?: OnMongodb): Promise<Deployment> {
  const url = on?.mongod.databaseUrl();
  const place = url === undefined ? {} : { DATABASE_URL: url, SECRET_KEY: randomBytes(32).toString('hex') };
  const servers: ServerProcess[] = [];
  const dispose = async (): Promise<void> => {
    for (const server of servers) await server.dispose();
    if (url !== undefined) await dropDatabase(url);
  };
  try {
    for (let n = 0; n < instances; n += 1) servers.push(await startServer({ env: { ...place, ...UNLIMITED } }));
    return { name, servers, repoTokens: await createRepos(servers), mongodPid: on?.pid, dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

async function createRepos(servers: readonly ServerProcess[]): Promise<readonly string[]> {
  const [server] = servers;
  if (server === undefined) throw new RangeError('a deployment has one server at least');
  const api = coverageApi(server.url, server.adminToken);
  const names = Array.from({ length: REPOS }, (_, n) => `acme/bench-${n + 1}`);
  return Promise.all(names.map(async (name) => (await api.createRepo({ name })).token));
}

/** In ms. */
export interface LoopWatch {
  readonly longestBlock: number;
  /** On a processor. */
  readonly mainThread: number;
}

/** One server process, to be filled and read. */
export interface BenchServer {
  readonly url: string;
  /** The administrator's. */
  readonly token: string;
  readonly pid: () => number | undefined;
  /** What happened in its main thread since this was asked last (loop-watch.mjs). */
  watchLoop(): Promise<LoopWatch>;
  readonly api: CoverageApi;
  /** The SQLite file, where it runs on one. */
  readonly database: string;
  /** Waits until a build is closed, by id or by commit. */
  closed(build: string, repoToken?: string): Promise<BuildJson>;
  stop(): Promise<unknown>;
  restart(): Promise<void>;
  dispose(): Promise<void>;
}

const ALONE = {
  ...UNLIMITED,
  SECRET_KEY: randomBytes(32).toString('hex'),
  NODE_OPTIONS: `--import=${new URL('loop-watch.mjs', import.meta.url).href}`,
};

/** On an empty SQLite file. */
export async function startBenchServer(env: Readonly<Record<string, string>> = {}): Promise<BenchServer> {
  return benchServerOf(await startServer({ env: { ...ALONE, ...env } }));
}

/** Everything that a stopped server has in its file, to an empty database. */
export async function copyToMongodb({ database }: BenchServer, url: string): Promise<void> {
  const script = fileURLToPath(new URL('../server/dist/cli/copy-store.js', import.meta.url));
  await promisify(execFile)(process.execPath, [script, '--from', `sqlite:${database}`, '--to', url]);
}

/** On a database, which it drops at its end. */
export async function startOnMongodb(url: string): Promise<BenchServer> {
  const server = await startServer({ env: { ...ALONE, DATABASE_URL: url } });
  const dispose = async (): Promise<void> => {
    await server.dispose();
    await dropDatabase(url);
  };
  return { ...benchServerOf(server), dispose };
}

const WATCH = 'loop watch ';

async function watchLoop({ pid, output }: ServerProcess): Promise<LoopWatch> {
  const lines = () => output().filter((line) => line.startsWith(WATCH));
  const known = lines().length;
  const id = pid();
  if (id === undefined) throw new Error('the server has ended');
  process.kill(id, 'SIGUSR2');
  const line = await waitFor(() => lines()[known], { what: 'the server to say how its loop was', timeoutMs: 30_000 });
  return JSON.parse(line.slice(WATCH.length)) as LoopWatch;
}

function benchServerOf(server: ServerProcess): BenchServer {
  const api = coverageApi(server.url, server.adminToken);
  return {
    ...server,
    token: server.adminToken,
    api,
    database: `${server.directory}/coverage.db`,
    watchLoop: () => watchLoop(server),
    closed: (build, repoToken) =>
      waitFor(
        async () => {
          const { json } = await api.buildJson(build, repoToken === undefined ? undefined : { repoToken });
          return json.state === 'closed' ? json : undefined;
        },
        { what: `build ${build} to close`, timeoutMs: 120_000 },
      ),
  };
}

/** The server reports its own pid, which means something here only where it runs on this machine. */
async function findPid(url: string): Promise<number | undefined> {
  const client = new MongoClient(url);
  try {
    const status = await client.db('admin').command({ serverStatus: 1 });
    const pid = Number(status.pid);
    const name = await readFile(`/proc/${pid}/comm`, 'utf8');
    return name.startsWith('mongod') ? pid : undefined;
  } catch {
    // A user of one database may not ask, and not every system has /proc.
    return undefined;
  } finally {
    await client.close();
  }
}
