import { createHash } from 'node:crypto';
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { generateJob, SHAPES } from './generate-job.ts';
import { peakMemory } from './process-memory.ts';
import { type BodyParts, sendBody } from './send-body.ts';
import {
  coverageApi,
  type GithubStandIn,
  type ServerProcess,
  startGithubStandIn,
  startServer,
  waitFor,
} from './service-deployments.ts';

/** Jobs of one build, in so many flags, sent so many at a time. */
export const JOBS = 200;
export const FLAGS = 4;
export const AT_ONCE = 4;
/** Different hits, like the legs of a matrix; jobs differ in their envelopes besides. */
const VARIANTS = 10;
/** Milliseconds before an upload is sent again for which no thread was free, or too slow on a busy machine. */
const PAUSE = 1_000;
/** Milliseconds after which the uploads of a build are given up. */
const LONGEST = 300_000;
/** Milliseconds in which a server that did its work comes to rest. */
const REST = 2_000;
const REPO = 'acme/large';

export const INPUT = `${JOBS} jobs of ${SHAPES.L.files} files and 1.5 million lines, with branches, in ${FLAGS} flags`;

/** A real server on SQLite beside a stand-in for GitHub, which takes the statuses. */
export interface LargeBuildScene {
  readonly server: ServerProcess;
  /** Bytes of memory of the server before any job came. */
  readonly idle: number;
  /** Uploads all jobs of a build but does not close it. Answers seconds. */
  upload(build: number): Promise<number>;
  /** Closes it; answers milliseconds from the request to the last final status. */
  close(build: number): Promise<number>;
  /** One more job of a closed build, not parallel; milliseconds until its total is in the build's status. */
  addLateJob(build: number, number: number): Promise<number>;
  rest(): Promise<unknown>;
  dispose(): Promise<void>;
}

export async function startLargeBuildScene(): Promise<LargeBuildScene> {
  const github = await startGithubStandIn();
  github.addRepo(REPO);
  const limits = { MAX_REPO_JOBS_PER_MINUTE: '0', MAX_REPO_OPEN_BUILDS: '0', MAX_REPO_BYTES_PER_DAY: '0' };
  const env = { GITHUB_API_URL: github.url, GITHUB_TOKEN: github.token, LOG_LEVEL: 'warn', ...limits };
  const server = await startServer({
    env,
    startTimeoutMs: 60_000,
    ...(process.env.BENCH_SERVER && { script: process.env.BENCH_SERVER }),
  });
  const agent = new Agent({ keepAlive: true });
  const { token } = await coverageApi(server.url, server.adminToken).createRepo({ name: REPO });
  await sleep(REST);
  const bodies = createBodies(token);
  const send = (body: BodyParts): Promise<void> => post(agent, `${server.url}/api/v1/jobs`, body);
  return {
    server,
    idle: await peakMemory(server.pid()),
    upload: async (build) => {
      github.addCommit(REPO, { sha: commitOf(build), branch: 'main', message: `Build ${build}` });
      const start = performance.now();
      let next = 0;
      const client = async (): Promise<void> => {
        while (next < JOBS) {
          next += 1;
          if (performance.now() - start > LONGEST) throw new Error(`${next} jobs took longer than ${LONGEST} ms`);
          await send(bodies.ofJob(build, next));
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, client));
      return (performance.now() - start) / 1_000;
    },
    close: async (build) => {
      const start = performance.now();
      const body = Buffer.from(JSON.stringify({ payload: { build_num: String(build), status: 'done' } }));
      const closing = post(agent, `${server.url}/webhook?repo_token=${token}`, [body]);
      await finalStatuses(github, build);
      const took = performance.now() - start;
      await closing;
      return took;
    },
    addLateJob: async (build, number) => {
      const before = statusOf(github, build);
      const body = bodies.late(build, number);
      const start = performance.now();
      await send(body);
      await waitFor(() => statusOf(github, build) !== before, { ...WAIT, what: 'the status to tell of a late job' });
      return performance.now() - start;
    },
    rest: () => sleep(REST),
    dispose: async () => {
      agent.destroy();
      await server.dispose();
      await github.close();
    },
  };
}

const WAIT = { timeoutMs: 240_000, intervalMs: 5 } as const;

function commitOf(build: number): string {
  return createHash('sha1').update(`build ${build}`).digest('hex');
}

function statusOf(github: GithubStandIn, build: number): string | null | undefined {
  return github.lastStatuses(REPO, commitOf(build)).get('coverage')?.description;
}

/** For the build and for each flag. */
function finalStatuses(github: GithubStandIn, build: number): Promise<unknown> {
  return waitFor(
    () => {
      const statuses = [...github.lastStatuses(REPO, commitOf(build)).values()];
      return statuses.length === FLAGS + 1 && statuses.every(({ state }) => state !== 'pending');
    },
    { ...WAIT, what: `${FLAGS + 1} final statuses` },
  );
}

/** Made beforehand, so that the client takes as little as possible of the processors that it shares with the server. */
function createBodies(token: string) {
  const reports = Array.from({ length: VARIANTS }, (_, variant) => {
    const { source_files } = generateJob(SHAPES.L, variant + 1);
    return Buffer.from(JSON.stringify(source_files).slice(1));
  });
  const { source_files, ...envelope } = generateJob({ ...SHAPES.L, files: 0 });
  const body = (build: number, job: number, fields: object, files = ''): BodyParts => {
    const head = JSON.stringify({
      ...envelope,
      repo_token: token,
      service_number: String(build),
      service_job_id: `${build}-${job}`,
      flag_name: `flag-${job % FLAGS}`,
      git: { ...envelope.git, head: { ...envelope.git.head, id: commitOf(build) } },
      ...fields,
    });
    const report = reports[job % VARIANTS] ?? Buffer.from(']');
    return [Buffer.from(`${head.slice(0, -1)},"source_files":[${files}`), report, Buffer.from('}')];
  };
  return {
    ofJob: (build: number, job: number) => body(build, job, {}),
    /** With a file of its own that nothing covers, so that it changes the total. */
    late: (build: number, number: number) => {
      const coverage = Array.from({ length: 20_000 }, () => 0);
      const file = { name: `late/${number}.ts`, source_digest: 'd'.repeat(32), coverage };
      return body(build, JOBS + number, { parallel: false }, `${JSON.stringify(file)},`);
    },
  };
}

async function post(agent: Agent, url: string, body: BodyParts): Promise<void> {
  const { status, text } = await sendBody(agent, url, body);
  if (status === 200) return;
  if (status !== 503 && status !== 413) throw new Error(`${url} was answered ${status}: ${text}`);
  await sleep(PAUSE);
  await post(agent, url, body);
}
