import { Agent, request } from 'node:http';
import { generateJob, SHAPES } from './generate-job.ts';
import type { BenchResult, Goal } from './goals.ts';
import { BUILDS, commitOf, fillSqlite } from './many-builds.ts';
import { timingOf } from './measure.ts';
import { type BenchServer, startBenchServer } from './service-deployments.ts';

const FEW = 200;
/** So that its page shows as much: a point in nearly each span of the trend, and as many open pull requests. */
const FEW_DAYS = 30;
const ROUNDS = 30;
const WARMUP = 5;
const REPO = 'acme/old';
/** Higher than that of any copied build. */
const FIRST_NUMBER = 1_000_000;

/** What is asked of each server, in this order. */
const ACTIONS = ['upload', 'close', 'build page', 'badge', 'repo list', 'list of builds'] as const;
type Times = Readonly<Record<(typeof ACTIONS)[number], number[]>>;

/** The same requests to a store with 100,000 closed builds and to one with 200, in turn. */
export async function benchManyBuilds(): Promise<BenchResult[]> {
  const servers: BenchServer[] = [];
  try {
    const clients: Client[] = [];
    for (const few of [{ builds: FEW, days: FEW_DAYS }, undefined]) {
      const server = await startBenchServer();
      servers.push(server);
      clients.push(await openClient(server, few));
    }
    for (let round = -WARMUP; round < ROUNDS; round += 1) for (const client of clients) await client.ask(round >= 0);
    const [few, many] = clients.map(({ times }) => times) as [Times, Times];
    const timings = ACTIONS.flatMap((action) => [
      timingOf(`${action}, ${FEW} builds`, few[action]),
      timingOf(`${action}, ${BUILDS} builds`, many[action]),
    ]);
    const goals = ACTIONS.map((action): Goal => {
      const measured = timingOf('', many[action]).median / timingOf('', few[action]).median;
      return { what: `${action}, against ${FEW} builds`, measured, wanted: 'below', goal: 1.3, unit: 'x' };
    });
    return [{ title: `many-builds: SQLite, ${ROUNDS} rounds in turn`, timings, goals, notes: [] }];
  } finally {
    for (const server of servers) await server.dispose();
  }
}

interface Client {
  readonly times: Times;
  ask(counts: boolean): Promise<void>;
}

async function openClient(server: BenchServer, history: Parameters<typeof fillSqlite>[2]): Promise<Client> {
  const { token } = await server.api.createRepo({ service: 'manual', name: REPO });
  const { source_files } = generateJob(SHAPES.S);
  const jobOf = (number: number) => ({
    repo_token: token,
    service_name: 'bench',
    service_number: String(number),
    commit_sha: commitOf(number),
    parallel: true,
    git: { head: { id: commitOf(number), message: 'Speed the thing up' }, branch: 'main', remotes: [] },
    source_files,
  });
  const closeOf = (number: number) => server.api.closeBuild({ repo_token: token, build_num: String(number) });
  for (const number of [1, 2]) {
    await server.api.uploadJob(jobOf(number));
    await closeOf(number);
    await server.closed(commitOf(number), token);
  }
  // The second has a base, as nearly all builds do.
  const template = await server.closed(commitOf(2), token);
  await server.stop();
  fillSqlite(server.database, Number(template.id), history);
  await server.restart();
  const agent = new Agent({ keepAlive: true });
  const times: Times = { upload: [], close: [], 'build page': [], badge: [], 'repo list': [], 'list of builds': [] };
  const get = (path: string): Promise<void> => load(agent, server, path);
  let number = FIRST_NUMBER;
  const ask = async (counts: boolean): Promise<void> => {
    number += 1;
    const steps: Readonly<Record<(typeof ACTIONS)[number], () => Promise<unknown>>> = {
      upload: () => server.api.uploadJob(jobOf(number)),
      close: async () => {
        await closeOf(number);
        while ((await server.api.buildJson(commitOf(number), { repoToken: token })).json.state !== 'closed');
      },
      'build page': () => get(`/builds/${template.id}`),
      badge: () => get(`/manual/${REPO}/badge.svg`),
      'repo list': () => get('/'),
      'list of builds': () => get(`/manual/${REPO}`),
    };
    for (const action of ACTIONS) {
      const start = performance.now();
      await steps[action]();
      if (counts) times[action].push(performance.now() - start);
    }
  };
  return { times, ask };
}

function load(agent: Agent, { url, token }: BenchServer, path: string): Promise<void> {
  const headers = { authorization: `token ${token}`, accept: 'text/html' };
  return new Promise((resolve, reject) => {
    const sent = request(url + path, { agent, headers }, (answer) => {
      answer.resume();
      answer.on('error', reject);
      answer.on('end', () => {
        if (answer.statusCode === 200) resolve();
        else reject(new Error(`${path} was answered ${answer.statusCode}`));
      });
    });
    sent.on('error', reject);
    sent.end();
  });
}
