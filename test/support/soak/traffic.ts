import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CoverageApi, coverageApi, job, type Reply, shaOf, sourceFile } from '../coverage-api.ts';
import type { GithubStandIn } from '../github-stand-in/github-stand-in.ts';
import type { ServerProcess } from '../server-process.ts';
import { waitFor } from '../wait-for.ts';

const REPO = 'acme/soaked';
const JOBS = 3;
const FILES = 120;
const LINES = 150;
/** Milliseconds between two of a kind: a busy team's server, not one at its limit. */
const PAUSES = { builds: 1_500, pages: 250, strangers: 400 } as const;
/** Milliseconds in which a verdict must be there. */
const VERDICT_WITHIN = 60_000;
/** Milliseconds in which a request must be answered with something else than 503. */
const ANSWERED_WITHIN = 60_000;

/** What was done, and what was not as it should be. */
export interface TrafficTally {
  readonly done: Map<string, number>;
  readonly findings: string[];
}

interface Scene {
  readonly servers: readonly ServerProcess[];
  readonly github: GithubStandIn;
  /** Each call goes to any of the servers. */
  readonly api: () => CoverageApi;
  readonly token: string;
  readonly tally: TrafficTally;
  /** The newest build. */
  build: number;
}

/** Uploads, closes, re-runs, late jobs, pages, and what strangers try, until `end`; performance.now() decides. */
export async function runTraffic(
  { servers, github }: Pick<Scene, 'servers' | 'github'>,
  { end, tally }: { readonly end: number; readonly tally: TrafficTally },
): Promise<void> {
  const apis = servers.map(({ url, adminToken }) => coverageApi(url, adminToken));
  const api = (): CoverageApi => apis[Math.floor(Math.random() * apis.length)] as CoverageApi;
  github.addRepo(REPO);
  const { token } = await api().createRepo({ name: REPO });
  const scene: Scene = { servers, github, api, token, tally, build: 0 };
  await build(scene);
  const repeat = async (pause: number, act: () => Promise<void>): Promise<void> => {
    while (performance.now() < end) {
      await act().catch((error: unknown) => tally.findings.push(String(error).slice(0, 500)));
      await sleep(pause);
    }
  };
  await Promise.all([
    repeat(PAUSES.builds, () => build(scene)),
    repeat(PAUSES.pages, () => readPages(scene)),
    repeat(PAUSES.strangers, () => actAsStranger(scene)),
  ]);
}

function count({ tally: { done } }: Scene, what: string): void {
  done.set(what, (done.get(what) ?? 0) + 1);
}

/** Three jobs, a close, a verdict; sometimes a re-run and a late job after it. */
async function build(scene: Scene): Promise<void> {
  const { github } = scene;
  const number = scene.build + 1;
  const sha = shaOf(`soak ${number}`);
  const parent = number === 1 ? [] : [shaOf(`soak ${number - 1}`)];
  github.addCommit(REPO, { sha, parents: parent, branch: 'main', message: `Change ${number}` });
  const legs: Leg[] = Array.from({ length: JOBS }, (_, index) => ({ number, sha, leg: index + 1 }));
  for (const leg of legs) await upload(scene, leg);
  await close(scene, number, JOBS);
  await checkBuild(scene, sha, legs);
  scene.build = number;
  count(scene, 'builds');
  if (number % 5 === 0) {
    legs[0] = { number, sha, leg: 1, attempt: 2 };
    await upload(scene, legs[0]);
    await close(scene, number, JOBS + 1);
    await checkBuild(scene, sha, legs);
  }
  if (number % 7 === 0) {
    const late = { number, sha, leg: JOBS + 1 };
    await upload(scene, late);
    await checkBuild(scene, sha, [...legs, late]);
  }
}

async function close(scene: Scene, number: number, jobs: number): Promise<void> {
  const request = { repo_token: scene.token, build_num: number };
  const { status, json } = await answered(scene, () => scene.api().closeBuild(request));
  expectStatus(scene, 'close', status, [200]);
  expectEqual(scene, `the jobs of the close of build ${number}`, json.jobs, jobs);
}

interface Leg {
  readonly number: number;
  readonly sha: string;
  readonly leg: number;
  readonly attempt?: number;
}

async function upload(scene: Scene, { number, sha, leg, attempt = 1 }: Leg): Promise<void> {
  const files = Array.from({ length: FILES }, (_, file) =>
    sourceFile(`src/area-${file % 9}/file-${file}.ts`, hitsOf({ number, leg, attempt }, file), {
      branches: [10, 0, 0, leg, 10, 0, 1, 0],
    }),
  );
  const body = job({
    repo_token: scene.token,
    service_number: String(number),
    service_job_id: `${number}-${leg}`,
    service_attempt: attempt,
    commit_sha: sha,
    flag_name: `leg-${leg % 2}`,
    parallel: true,
    source_files: files,
  });
  expectStatus(scene, 'upload', (await answered(scene, () => scene.api().uploadJob(body))).status, [200]);
}

/**
 * As the action does, and browsers' users: what is answered 503 is sent again, to any of the servers, after as long as
 * the answer asks for.
 */
async function answered<T>(scene: Scene, send: () => Promise<Reply<T>>): Promise<Reply<T>> {
  for (const end = performance.now() + ANSWERED_WITHIN; ; ) {
    const reply = await send();
    if (reply.status !== 503 || performance.now() > end) return reply;
    count(scene, 'answers 503, and sent again');
    await sleep(1_000 * Number(reply.headers.get('retry-after') ?? 1));
  }
}

function hitsOf({ number, leg, attempt = 1 }: Omit<Leg, 'sha'>, file: number): (number | null)[] {
  return Array.from({ length: LINES }, (_, line) =>
    line % 3 === 0 ? null : (line * leg + file + number + attempt) % 7,
  );
}

/** What its jobs add up to, by any of the servers, and its status. */
async function checkBuild(scene: Scene, sha: string, legs: readonly Leg[]): Promise<void> {
  const lines = Array.from({ length: FILES }, (_, file) => {
    const all = legs.map((leg) => hitsOf(leg, file));
    const sums = (all[0] ?? []).map((first, line) => first !== null && all.some((hits) => (hits[line] ?? 0) > 0));
    return sums.filter(Boolean).length;
  });
  const covered = lines.reduce((sum, one) => sum + one, 0);
  const seen = { state: 'nothing', lines: 0, branches: 0, status: '', verdict: '' };
  const isRight = async (): Promise<boolean> => {
    const { json } = await answered(scene, () => scene.api().buildJson(sha, { repoToken: scene.token }));
    const { state, covered_lines: ofLines, covered_branches: branches, verdict } = json;
    const status = scene.github.lastStatuses(REPO, sha).get('coverage')?.state ?? 'none';
    Object.assign(seen, { state, lines: ofLines, branches, status, verdict: verdict?.state });
    const isClosed = state === 'closed' && ofLines === covered && branches === FILES;
    return isClosed && status === verdict?.state && ['success', 'failure'].includes(status);
  };
  const what = `the build of ${sha.slice(0, 7)} to cover ${covered} lines and ${FILES} branches, with its status`;
  count(scene, 'builds checked');
  await waitFor(isRight, { what, timeoutMs: VERDICT_WITHIN, intervalMs: 50 }).catch((error: unknown) => {
    throw new Error(`${error}; seen: ${JSON.stringify(seen)}`);
  });
}

/** What is read, and what its answer has in it. */
const PAGES: readonly (readonly [path: string, holds: string | RegExp])[] = [
  ['/', REPO],
  ['/github/acme/soaked', REPO],
  ['/github/acme/soaked/trend.json', /^[[{]/],
  ['/github/acme/soaked/badge.svg', /<svg.*\d%/s],
  ['/builds/{sha}', '{short}'],
  ['/builds/{sha}.json', '"commit_sha":"{sha}"'],
  ['/builds/{sha}/source_files.json', 'src/area-1/file-1.ts'],
  ['/github/acme/soaked/commits/{sha}/file/src/area-1/file-1.ts', 'file-1.ts'],
  ['/admin', '<h1'],
  ['/api/v1/audit', 'repo.made'],
  ['/metrics', /^# HELP /],
  ['/readyz?verbose', /ok/i],
  ['/healthz', /ok/i],
];

async function readPages(scene: Scene): Promise<void> {
  const past = Math.max(1, scene.build - Math.floor(Math.random() * 40));
  const [path, holds] = PAGES[Math.floor(Math.random() * PAGES.length)] ?? ['/', ''];
  const sha = shaOf(`soak ${past}`);
  const fill = (text: string): string => text.replace('{sha}', sha).replace('{short}', sha.slice(0, 7));
  const headers = { authorization: `token ${scene.servers[0]?.adminToken}`, accept: 'text/html,*/*' };
  const { status, text } = await answered(scene, () => scene.api().send(fill(path), { headers }));
  expectStatus(scene, `GET ${path}`, status, [200]);
  const isRight = typeof holds === 'string' ? text.includes(fill(holds)) : holds.test(text);
  if (!isRight) scene.tally.findings.push(`GET ${fill(path)} was answered without ${holds}: ${text.slice(0, 200)}`);
}

/** What a server on the internet gets as well: refused at once, and nothing of it may stay. */
async function actAsStranger(scene: Scene): Promise<void> {
  const { servers } = scene;
  const api = scene.api();
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const json = { 'content-type': 'application/json' };
  const acts: readonly (readonly [what: string, act: () => Promise<number>, answers: readonly number[]])[] = [
    [
      'an unknown token',
      async () => (await api.uploadJob(job({ repo_token: 'x'.repeat(36) }))).status,
      [401, 422, 429],
    ],
    [
      'broken JSON',
      async () => (await post(api, '/api/v1/jobs', json, '{"repo_token": [')).status,
      [400, 401, 422, 429],
    ],
    ['a forged webhook', async () => (await post(api, '/hooks/github', json, '{"zen":"no"}')).status, [401, 403, 404]],
    [
      'a wrong password',
      async () => (await post(api, '/sign-in', form, 'user=root&password=guess')).status,
      [400, 401, 403, 422, 429],
    ],
    ['an unknown page', async () => (await api.send('/no/such/page')).status, [404]],
    ['a cut upload', () => cutUpload(servers[0]?.port ?? 0), [0]],
  ];
  const [what, act, answers] = acts[Math.floor(Math.random() * acts.length)] ?? acts[0] ?? [];
  if (what !== undefined && act !== undefined) expectStatus(scene, what, await act(), answers ?? []);
}

function post(api: CoverageApi, path: string, headers: Record<string, string>, body: string) {
  return api.send(path, { method: 'POST', headers, body });
}

/** Half a body, and then nothing more. */
function cutUpload(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', reject);
    const head = 'POST /api/v1/jobs HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n';
    socket.write(`${head}content-length: 100000\r\n\r\n{"repo_token": "${'y'.repeat(5_000)}`, () => {
      socket.destroy();
      resolve(0);
    });
  });
}

function expectStatus(scene: Scene, what: string, status: number, answers: readonly number[]): void {
  count(scene, what);
  if (!answers.includes(status)) scene.tally.findings.push(`${what} was answered ${status}`);
}

function expectEqual(scene: Scene, what: string, seen: unknown, wanted: unknown): void {
  count(scene, 'values');
  if (seen !== wanted) scene.tally.findings.push(`${what}: ${seen} instead of ${wanted}`);
}
