import { randomBytes } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type CoverageApi, coverageApi, job, type Reply, shaOf, sourceFile } from '../support/coverage-api.ts';
import { freePort } from '../support/free-port.ts';
import { findMongod } from '../support/mongod/find-mongod.ts';
import { findFaketime, type MovedClock, openMovedClock } from '../support/mongod/moved-clock.ts';
import { type RunningMongod, startMongod } from '../support/mongod/start-mongod.ts';
import { makeArchive } from '../support/packages/archive.ts';
import { findRelease, hasCommit, makeEarlierArchive } from '../support/packages/earlier.ts';
import { findProxy, PROXIES, type ProxyKind, startProxy } from '../support/run-proxy.ts';
import { waitFor } from '../support/wait-for.ts';
import { isWeekly } from '../support/weekly.ts';
import { type Machine, setUpMachine } from './machine.ts';

/**
 * What an operator does in the first two weeks, with the archive alone: set up behind a proxy, three repos, a week of
 * builds, an upgrade from an earlier version and a kill while uploads come, a restore on another machine, a key that is
 * lost and found.
 */

const NAMES = ['acme/shop', 'acme/till', 'acme/stock'];
const DAYS = 7;
/** Days for which builds of the shop are kept. */
const KEPT = 4;
/** Moves the clock of a server by whole days. */
const MOVED_CLOCK = `--import=data:text/javascript,${encodeURIComponent(
  'const by=process.env.DAYS_LATER*864e5,now=Date.now;' +
    'globalThis.Date=class extends Date{static now(){return now()+by}' +
    'constructor(...at){super(...at.length?at:[now()+by])}}',
)}`;
const later = (days: number) => ({ NODE_OPTIONS: MOVED_CLOCK, DAYS_LATER: String(days) });

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

/** The last commit before the schema of SQLite changed, until there is a release to upgrade from. */
const EARLIER = findRelease() ?? 'dc27f83d';

let packages = '';
let archive = '';
/** For an earlier version; without its commit, this one. */
let earlier = '';
beforeAll(async () => {
  packages = await mkdtemp(join(tmpdir(), 'packages-'));
  archive = await makeArchive(packages);
  if (hasCommit(EARLIER)) earlier = await makeEarlierArchive(EARLIER, join(packages, 'earlier'));
  else console.error(`This checkout has no ${EARLIER}: this version was upgraded to itself.`);
}, 300_000);
afterAll(() => rm(packages, { recursive: true }));

/** Where a deployment keeps what it stores. */
interface Store {
  readonly machines: number;
  /** What the file of settings says; another database for each `place`. */
  settings(place: string, folder: string): Env;
  /** Makes it this many days later, while no server runs; answers what their environment has for it. */
  moveClock(days: number): Promise<Env>;
  /** What a server does whose key is lost; then, in SQLite, it is found. */
  tryWithoutKey(machine: Machine, scene: WithoutKey): Promise<void>;
}

interface WithoutKey {
  /** The machine that has it. */
  readonly from: Machine;
  readonly env: Env;
  upload(): Promise<Reply<unknown>>;
}

type Env = Readonly<Record<string, string>>;

interface Place {
  readonly name: string;
  readonly proxyPort: number;
  readonly ports: readonly number[];
  /** The archive that is unpacked there. */
  readonly from: string;
}

async function setUp(
  { machines, settings }: Store,
  { name: place, proxyPort, ports, from }: Place,
): Promise<readonly Machine[]> {
  const common = { BASE_URL: `http://127.0.0.1:${proxyPort}`, TRUST_PROXY: '1', STOP_NOTICE_PERIOD: '3s' };
  const made: Machine[] = [];
  for (const port of ports.slice(0, machines)) {
    const machine = await setUpMachine(from, {
      port,
      settings: (folder) => ({ ...common, ...settings(place, folder) }),
    });
    made.push(machine);
    cleanUps.push(machine.dispose);
  }
  return made;
}

/** On each day a push to the main branch of each repo: a line more is covered than the day before. */
async function pushAll(api: CoverageApi, tokens: readonly string[], day: number): Promise<readonly string[]> {
  return Promise.all(
    tokens.map(async (repo_token, index) => {
      const pushed = {
        repo_token,
        service_number: String(day + 1),
        commit_sha: shaOf(`${index} on day ${day}`),
        source_files: [
          sourceFile(
            'src/a.ts',
            Array.from({ length: 10 }, (_, line) => Number(line <= day)),
          ),
        ],
      };
      const { status, text, json } = await api.uploadJob(job(pushed));
      expect(status, text).toBe(200);
      const { build } = (await api.jobJson(json.url)).json;
      const closed = await waitFor(
        async () => {
          const { json } = await api.buildJson(build);
          return json.state === 'closed' && json;
        },
        { what: `the build of day ${day}` },
      );
      expect(closed).toMatchObject({ covered_percent: 10 * (day + 1), verdict: { state: 'success' } });
      if (day > 0) expect(closed.coverage_change).toBeCloseTo(10, 9);
      return build;
    }),
  );
}

/** One machine after the other, while uploads come; what was answered is there. */
async function upgradeAndKill(
  machines: readonly Machine[],
  api: CoverageApi,
  { token, env }: { readonly token: string; readonly env: Env },
): Promise<void> {
  const uploads = uploadOn(api, token);
  for (const end of ['SIGTERM', 'SIGKILL'] as const) {
    for (const machine of machines) {
      await uploads.more();
      await machine.stop(end);
      if (end === 'SIGTERM') await machine.upgrade(archive);
      await machine.start(env);
    }
  }
  await uploads.more();
  const taken = await uploads.end();
  expect(await countBuilds(api, { name: 'acme/stock', token })).toBe(DAYS + taken);
}

async function countBuilds(api: CoverageApi, { name, token }: { readonly name: string; readonly token: string }) {
  const path = `/manual/${name}.json?page=1&repo_token=${token}`;
  return (await api.send<{ readonly total: number }>(path)).json.total;
}

async function live(store: Store, { kind, program }: { readonly kind: ProxyKind; readonly program: string }) {
  const proxyPort = await freePort();
  const ports = [await freePort(), await freePort()];
  const machines = await setUp(store, { name: 'first', proxyPort, ports, from: earlier || archive });
  const [first] = machines as [Machine];
  for (const machine of machines) await machine.start(await store.moveClock(0));
  const proxy = await startProxy(kind, program, ports.slice(0, store.machines), proxyPort);
  cleanUps.push(proxy.stop);

  const made = await first.command('token', 'create', '--user', 'alice', '--role', 'administrator');
  expect(made).toMatchObject({ code: 0 });
  const admin = made.stdout.trim();
  const api = coverageApi(proxy.url, admin);
  const tokens: string[] = [];
  for (const name of NAMES) tokens.push((await api.createRepo({ service: 'manual', name })).token);
  const [shop = '', , stock = ''] = tokens;
  expect(await keepDays(api, { admin, days: KEPT })).toBe(200);

  let builds: readonly string[] = [];
  let today: Env = {};
  for (let day = 0; day < DAYS; day += 1) {
    if (day > 0) {
      await Promise.all(machines.map((machine) => machine.stop('SIGKILL')));
      today = await store.moveClock(day);
      await Promise.all(machines.map((machine) => machine.start(today)));
    }
    builds = await pushAll(api, tokens, day);
  }
  await waitFor(async () => (await countBuilds(api, { name: 'acme/shop', token: shop })) === KEPT, {
    what: `the builds of ${KEPT} days to be kept`,
  });
  await upgradeAndKill(machines, api, { token: stock, env: today });

  const before = await Promise.all(builds.map(async (id) => (await api.buildJson(id)).text));
  const backup = join(first.folder, 'backup.db');
  const saved = await first.command('backup', '--to', backup);
  expect(saved, saved.stderr).toMatchObject({ code: 0 });
  for (const machine of machines) await machine.stop();
  const others = await setUp(store, { name: 'second', proxyPort, ports, from: archive });
  const [other] = others as [Machine];
  await mkdir(join(other.folder, 'data'));
  const restored = await other.command('restore', '--from', backup, '--make-database');
  expect(restored, restored.stderr).toMatchObject({ code: 0, stderr: expect.stringContaining('is restored') });
  // Nobody has npm there.
  expect(restored.stderr).not.toContain('npm run');
  await store.tryWithoutKey(other, { from: first, upload: () => api.uploadJob(job({ repo_token: shop })), env: today });
  for (const machine of others) await machine.start(today);
  await waitFor(async () => (await api.send('/readyz')).status === 200, { what: `${kind} to lead to the new servers` });
  expect(await Promise.all(builds.map(async (id) => (await api.buildJson(id)).text))).toEqual(before);
  expect((await api.uploadJob(job({ repo_token: shop }))).status).toBe(200);
  const examined = await other.command('doctor');
  expect(examined, examined.stdout).toMatchObject({ code: 0 });
}

async function keepDays(api: CoverageApi, { admin, days }: { readonly admin: string; readonly days: number }) {
  const { status } = await api.send('/api/v1/repos/manual/acme/shop/settings', {
    method: 'PUT',
    headers: { authorization: `token ${admin}`, 'content-type': 'application/json' },
    body: JSON.stringify({ retention_days: days }),
  });
  return status;
}

const onSqlite: Store = {
  machines: 1,
  settings: (_, folder) => ({ DATABASE_URL: `sqlite:${folder}/data/coverage.db` }),
  moveClock: async (days) => later(days),
  async tryWithoutKey(machine, { from, upload, env }) {
    const child = await machine.start(env);
    expect(child.lines.join('\n')).toContain('No new one was made');
    const refused = await waitFor(async () => (await upload()).status === 503 && upload(), { what: 'an answer' });
    expect(refused.text).toContain('The key file of this server is missing');
    await machine.stop();
    await copyFile(join(from.folder, 'data/coverage.db.key'), join(machine.folder, 'data/coverage.db.key'));
  },
};

const SECRET_KEY = randomBytes(32).toString('hex');

const onMongodb = (set: RunningMongod, clock: MovedClock): Store => ({
  machines: 2,
  settings: (place) => ({ DATABASE_URL: set.databaseUrl(place), SECRET_KEY }),
  async moveClock(days) {
    await clock.move(set.url, days);
    return later(days);
  },
  async tryWithoutKey(machine) {
    const ended = machine.start({ SECRET_KEY: randomBytes(32).toString('hex') });
    await expect(ended).rejects.toThrow(/SECRET_KEY cannot decrypt any of the stored repo tokens \(3\)/);
  },
});

const found = await findMongod({ ownProcesses: true });
const faketime = findFaketime();
const LONGEST = 600_000;

describe.each(PROXIES)('behind %s', (kind) => {
  const program = findProxy(kind);

  describe.skipIf(program === undefined)('as it is shipped', () => {
    const proxy = { kind, program: program as string };

    test.skipIf(!isWeekly && kind !== 'caddy')(
      'a machine on SQLite: nothing that was answered is lost in two weeks',
      () => live(onSqlite, proxy),
      LONGEST,
    );

    // A replica set: of one a backup is one moment while servers run.
    test.skipIf(found.kind === 'none' || faketime === undefined || !isWeekly)(
      'two machines on MongoDB: nothing that was answered is lost in two weeks',
      async () => {
        const clock = await openMovedClock(faketime as string);
        cleanUps.push(clock.dispose);
        const set = await startMongod({ replicaSet: 1, envOf: () => clock.env });
        cleanUps.push(set.stop);
        await live(onMongodb(set, clock), proxy);
      },
      LONGEST,
    );
  });
});

/** Uploads one job after another, and tries each again until it is taken, as the action does. */
function uploadOn(api: CoverageApi, repo_token: string) {
  let taken = 0;
  let isOver = false;
  const isTaken = async (): Promise<boolean> => {
    const number = String(1_000 + taken);
    const fields = { repo_token, service_number: number, service_job_id: number, commit_sha: shaOf(number) };
    return (await api.uploadJob(job(fields))).status === 200;
  };
  const work = (async () => {
    while (!isOver) {
      await waitFor(isTaken, { what: `upload ${taken} to be taken`, timeoutMs: 60_000, intervalMs: 100 });
      taken += 1;
    }
  })();
  const more = (): Promise<unknown> => {
    const goal = taken + 5;
    return waitFor(() => taken >= goal, { what: 'more uploads to be taken', timeoutMs: 60_000 });
  };
  const end = async (): Promise<number> => {
    isOver = true;
    await work;
    return taken;
  };
  return { more, end };
}
