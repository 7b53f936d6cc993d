import type { JobPayload } from '@coverage/shared';
import { generateJob, SHAPES } from './generate-job.ts';
import type { BenchResult } from './goals.ts';
import { commitOf } from './many-builds.ts';
import { medianOf, timingOf } from './measure.ts';
import { processorSeconds } from './processor-time.ts';
import { type BenchServer, startBenchServer } from './service-deployments.ts';

const REPO = 'acme/first';
const FILES = 1_100;
const FLAGS = ['unit', 'http', 'browser'];
/** As many as a preview judges again. */
const BUILDS = 20;
const STARTS = 9;

const VIEW = 'build page, first after a restart';
const AGAIN = 'build page, second';
const PREVIEW = 'preview of settings, first after a restart';

/** In ms. */
interface Taken {
  readonly wall: number;
  /** For all threads of the server; undefined without /proc. */
  readonly processor: number | undefined;
}

/** How long a reader waits who comes first after a restart: the page of a build, and a preview of settings. */
export async function benchFirstView(): Promise<BenchResult[]> {
  const server = await startBenchServer({ NODE_OPTIONS: '' });
  try {
    const build = await fill(server);
    const taken: Record<string, Taken[]> = { [VIEW]: [], [AGAIN]: [], [PREVIEW]: [] };
    for (let start = 0; start < STARTS; start += 1) {
      await restart(server);
      taken[VIEW]?.push(await measure(server, `/builds/${build}`));
      taken[AGAIN]?.push(await measure(server, `/builds/${build}`));
      await restart(server);
      taken[PREVIEW]?.push(await measure(server, `/manual/${REPO}/settings`, 'do=preview&minimum=80'));
    }
    const timings = Object.entries(taken).map(([name, all]) =>
      timingOf(
        name,
        all.map(({ wall }) => wall),
      ),
    );
    const below = (what: string, goal: number) =>
      ({ what, measured: medianOf(timings, what), wanted: 'below', goal, unit: 'ms' }) as const;
    return [
      {
        title: `first view: a build of ${FILES} files and ${FLAGS.length} flags, ${BUILDS} builds`,
        timings,
        goals: [below(VIEW, 100), below(PREVIEW, 150)],
        notes: Object.entries(taken).map(([name, all]) => `${name}: ${processorOf(all)} ms on processors`),
      },
    ];
  } finally {
    await server.dispose();
  }
}

async function restart(server: BenchServer): Promise<void> {
  await server.stop();
  await server.restart();
  await (await fetch(`${server.url}/readyz`)).text();
}

async function measure(server: BenchServer, path: string, form?: string): Promise<Taken> {
  const headers = { authorization: `token ${server.token}`, accept: 'text/html' };
  const sent = { ...headers, 'content-type': 'application/x-www-form-urlencoded' };
  const before = await processorSeconds(server.pid());
  const begun = performance.now();
  const answer = await fetch(
    server.url + path,
    form === undefined ? { headers } : { method: 'POST', headers: sent, body: form },
  );
  await answer.text();
  const wall = performance.now() - begun;
  const after = await processorSeconds(server.pid());
  if (!answer.ok) throw new Error(`${path} was answered ${answer.status}`);
  return { wall, processor: before === undefined || after === undefined ? undefined : (after - before) * 1_000 };
}

function processorOf(all: readonly Taken[]): string {
  const known = all.flatMap(({ processor }) => processor ?? []).sort((a, b) => a - b);
  return known[Math.floor(known.length / 2)]?.toFixed(0) ?? 'unknown';
}

/** The last of BUILDS builds of a branch, whose change has lines to cover with their texts. */
async function fill({ api, closed }: BenchServer): Promise<string> {
  const { token } = await api.createRepo({ service: 'manual', name: REPO });
  const { source_files: files } = generateJob({ ...SHAPES.S, files: FILES, lines: 40 });
  let last = '';
  for (let number = 1; number <= BUILDS; number += 1) {
    for (const [at, flag] of FLAGS.entries()) {
      const own = files.filter((_, index) => index % FLAGS.length === at);
      const { status, text } = await api.uploadJob(jobOf(token, { number, flag, files: own }));
      if (status !== 200) throw new Error(`A job was answered ${status}: ${text}`);
    }
    const { json } = await api.closeBuild({ repo_token: token, build_num: String(number) });
    last = (json.url ?? '').split('/').at(-1) ?? '';
    await closed(last);
  }
  return last;
}

function jobOf(
  repo_token: string,
  of: { readonly number: number; readonly flag: string; readonly files: JobPayload['source_files'] },
): JobPayload {
  const { number, flag, files } = of;
  const id = commitOf(number);
  const changed = files.slice(0, 10);
  return {
    ...{ repo_token, service_name: 'bench', service_number: String(number), service_job_id: flag, commit_sha: id },
    ...{ flag_name: flag, parallel: true },
    git: { head: { id, message: 'Speed the thing up', author_name: 'Mona Lisa' }, branch: 'main' },
    ...(number > 1 && {
      diff: {
        ...{ base_sha: commitOf(number - 1), head_sha: id, complete: true },
        files: changed.map(({ name }) => ({ name, kind: 'modified' as const, hunks: [[10, 12, 10, 20]] })),
      },
    }),
    source_files: files.map((file, index) => (index < changed.length ? { ...file, source: textOf(file) } : file)),
  };
}

function textOf({ coverage }: { readonly coverage: readonly unknown[] }): string {
  return coverage.map((_, line) => `const value${line} = compute(${line}); // the rest of the line`).join('\n');
}
