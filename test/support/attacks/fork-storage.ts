import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { inheritedEnvironment, startChild } from '../child-process.ts';
import { job, shaOf, sourceFile } from '../coverage-api.ts';
import type { AttackedServer } from '../fuzz/hostile-load.ts';
import { type GithubStandIn, startGithubStandIn } from '../github-stand-in/github-stand-in.ts';
import { findMongod } from '../mongod/find-mongod.ts';
import { startMongod } from '../mongod/start-mongod.ts';
import { type Attack, atMost, type Outcome, type StartAttacked } from './attack.ts';

const REPO = 'acme/open';
const [MAIN, HEAD] = [shaOf('main of acme/open'), shaOf('head of eve')];
const RETENTION = { RETENTION_BUILDS: '10' };
const JOBS = 12;
/** Bytes of each: with a text that does not compress. */
const LARGE = 11_000_000;
/** Moves the clock of a command by 26 hours: a text that no build names stays for a day. */
const A_DAY_LATER = '--import=data:text/javascript,const{now}=Date;Date.now=()=>now()+936e5';
const MIB = 2 ** 20;
const SECRET_KEY = randomBytes(32).toString('hex');
const gc = fileURLToPath(new URL('../../../server/dist/cli/gc.js', import.meta.url));

interface Scene extends AttackedServer {
  readonly databaseUrl: string;
  readonly run: () => string;
  /** Its status. */
  readonly upload: (run: string, fields?: object) => Promise<number>;
}

/** A public repo of six builds of main, and a fork of it with a pull request, which has no token. */
async function openScene(github: GithubStandIn, start: StartAttacked, mongodb?: string): Promise<Scene> {
  github.addRepo(REPO);
  github.addRepo('eve/open', { parent: REPO });
  github.addCommit(REPO, { sha: MAIN, branch: 'main' });
  const ofEve = { headRepo: 'eve/open', headRef: 'fill', headSha: HEAD, login: 'eve' };
  github.addPullRequest(REPO, { number: 7, baseRef: 'main', baseSha: MAIN, ...ofEve });
  const host = { GITHUB_API_URL: github.url, GITHUB_TOKEN: github.token, RUN_CHECKS_PER_MINUTE: '0' };
  const database = mongodb === undefined ? {} : { DATABASE_URL: mongodb };
  const attacked = await start({ ...host, ...RETENTION, SECRET_KEY, ...database });
  const { api, server } = attacked;
  const { token: repo_token } = await api.createRepo({ service: 'github', name: REPO });
  await api.changeSettings(REPO, { visibility: 'public' });
  for (let build = 1; build <= 6; build += 1) {
    const commit_sha = build === 6 ? MAIN : shaOf(`main ${build}`);
    const fields = { repo_token, service_number: String(build), commit_sha, git: { branch: 'main' } };
    await api.uploadJob(job({ ...fields, source_files: [sourceFile('a.ts', [1, 0])] }));
  }
  const change = { event: 'pull_request', headSha: HEAD, headRepo: 'eve/open', headBranch: 'fill', actor: 'eve' };
  return {
    ...attacked,
    databaseUrl: mongodb ?? `sqlite:${server.directory}/coverage.db`,
    run: () => String(github.addRun(REPO, change).id),
    async upload(run, fields = {}) {
      const stated = { service_name: 'github', service_number: run, service_pull_request: '7', commit_sha: HEAD };
      const unsigned = { ...job({ repo_token: '' }), repo_token: undefined, git: undefined, repo_name: REPO };
      return (await api.uploadJob({ ...unsigned, ...stated, ...fields } as never)).status;
    },
  };
}

/** What `gc` says. */
async function collect({ server, databaseUrl }: Scene, more: Readonly<Record<string, string>> = {}): Promise<string> {
  const env = { ...inheritedEnvironment(), ...RETENTION, DATABASE_URL: databaseUrl, SECRET_KEY, ...more };
  const command = startChild({ script: gc, cwd: server.directory, env });
  const { code } = await command.end;
  const said = command.stderr.join(' ');
  if (code !== 0) throw new Error(`gc ended with ${code}: ${said}`);
  return said;
}

/**
 * Eleven runs of the fork upload a text each, and old builds are removed: how many of main are left, and how many of
 * the texts that went out of use with a build are removed a day later, and not before.
 */
async function pushOut(scene: Scene): Promise<{ readonly left: number; readonly texts: number }> {
  const { api, run, upload } = scene;
  for (let build = 1; build <= 11; build += 1) {
    const source = randomBytes(64).toString('hex');
    await upload(run(), { source_files: [{ name: 'a.ts', source, source_digest: '0', coverage: [1] }] });
  }
  const early = textsIn(await collect(scene));
  const { json } = await api.send<{ total: number }>(`/github/${REPO}.json?branch=main`);
  return { left: json.total, texts: early > 0 ? 0 : textsIn(await collect(scene, { NODE_OPTIONS: A_DAY_LATER })) };
}

const textsIn = (said: string): number => Number(/Removed (\d+) source texts? that no build used/.exec(said)?.[1] ?? 0);

/** Bytes that one run of the fork brings, in jobs that come at once. */
async function fill({ run, upload }: Scene): Promise<number> {
  const of = run();
  const jobs = Array.from({ length: JOBS }, (_, leg) => {
    const source = randomBytes(LARGE / 2).toString('hex');
    const source_files = [{ name: 'a.ts', source, source_digest: '0', coverage: [1] }];
    return upload(of, { flag_name: `leg ${leg}`, source_files });
  });
  return (await Promise.all(jobs)).filter((status) => status === 200).length * LARGE;
}

async function attackStore(start: StartAttacked, store: string, mongodb?: string): Promise<readonly Outcome[]> {
  const github = await startGithubStandIn();
  try {
    const scene = await openScene(github, start, mongodb);
    const { left, texts } = await pushOut(scene);
    const filled = (await fill(scene)) / MIB;
    const pushed = `11 runs of a fork, then retention of 10 builds, on ${store}`;
    return [
      atMost(0, { attack: pushed, of: 'builds of main lost', measured: 6 - left, unit: 'builds' }),
      {
        attack: `texts of the fork's removed builds, on ${store}`,
        mustHold: 'removed a day later',
        measured: `${texts} removed`,
        passed: texts > 0,
      },
      atMost(64, {
        attack: `${JOBS} jobs of 10 MiB of one run of a fork, on ${store}`,
        of: 'accepted',
        measured: filled,
        unit: 'MiB',
      }),
    ];
  } finally {
    await github.close();
  }
}

async function attackMongodb(start: StartAttacked): Promise<readonly Outcome[]> {
  const found = await findMongod();
  if (found.kind === 'none') {
    const passed = process.env.REQUIRE_MONGODB !== '1';
    return [{ attack: 'the same on MongoDB', mustHold: 'it can be run', measured: 'no MongoDB is here', passed }];
  }
  const mongod = await startMongod({ found });
  try {
    return await attackStore(start, 'MongoDB', mongod.databaseUrl());
  } finally {
    await mongod.stop();
  }
}

/** A fork's pull request, which has no token, pushes out the history of main and fills the disk, on both stores. */
export const forkStorage: Attack = {
  name: 'fork-storage',
  run: async (start) => [...(await attackStore(start, 'SQLite')), ...(await attackMongodb(start))],
};
