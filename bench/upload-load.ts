import { createHash } from 'node:crypto';
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { generateJob, type JobShape } from './generate-job.ts';
import { type BodyParts, sendBody } from './send-body.ts';

/** Upload requests that are sent at a time. */
export const CONNECTIONS = 16;
/** What is answered 503, in ms. */
const RESENT = { times: 10, after: 1_000 };
/** Parallel jobs of each build. */
export const JOBS_PER_BUILD = 20;
/** Different hits, like the legs of a matrix; jobs differ in their envelopes besides. */
const VARIANTS = 20;

/** Uploads that have distinct envelopes, one after another forever. */
export type NextUpload = () => BodyParts;

/**
 * Jobs of parallel builds, one build at a time in each repo: the jobs of all these builds come interleaved, as matrices
 * of several repos do. Jobs are made beforehand, so that the clients take as little as possible of the processors
 * that they share with the servers.
 */
export function uploadsOf(
  shape: JobShape,
  repoTokens: readonly string[],
  { variants = VARIANTS, perBuild = JOBS_PER_BUILD, firstBuild = 0 } = {},
): NextUpload {
  const reports = Array.from({ length: variants }, (_, variant) => {
    const { source_files } = generateJob(shape, variant + 1);
    return Buffer.from(`,"source_files":${JSON.stringify(source_files)}}`);
  });
  const { source_files, ...envelope } = generateJob({ ...shape, files: 0 });
  let count = 0;
  return () => {
    const index = count;
    count += 1;
    const repo = index % repoTokens.length;
    const job = Math.floor(index / repoTokens.length);
    const build = firstBuild + Math.floor(job / perBuild);
    const commit = createHash('sha1').update(`${repo} ${build}`).digest('hex');
    const head = JSON.stringify({
      ...envelope,
      repo_token: repoTokens[repo],
      service_number: String(1_000_000 + build),
      service_job_id: String(index),
      git: { ...envelope.git, head: { ...envelope.git.head, id: commit } },
    });
    return [Buffer.from(head.slice(0, -1)), reports[index % variants] ?? Buffer.from('}')];
  };
}

export interface LoadResult {
  readonly jobs: number;
  readonly seconds: number;
}

/**
 * Uploads for about so many seconds; the connections are spread over the servers evenly. Fails when a job is not
 * accepted.
 */
export async function uploadFor(
  seconds: number,
  servers: readonly string[],
  next: NextUpload,
  connections = CONNECTIONS,
): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true });
  const start = performance.now();
  const end = start + seconds * 1_000;
  let jobs = 0;
  const client = async (server: string): Promise<void> => {
    while (performance.now() < end) {
      await upload(server, agent, next());
      jobs += 1;
    }
  };
  try {
    await Promise.all(Array.from({ length: connections }, (_, index) => client(servers[index % servers.length] ?? '')));
  } finally {
    agent.destroy();
  }
  return { jobs, seconds: (performance.now() - start) / 1_000 };
}

export async function upload(server: string, agent: Agent, body: BodyParts): Promise<void> {
  const send = () => sendBody(agent, `${server}/api/v1/jobs`, body);
  let { status, text } = await send();
  // As clients do: a machine that does other work as well has no thread for so long.
  for (let tries = 0; status === 503 && tries < RESENT.times; tries += 1) {
    await sleep(RESENT.after);
    ({ status, text } = await send());
  }
  if (status !== 200) throw new Error(`A job was answered ${status}: ${text}`);
}
