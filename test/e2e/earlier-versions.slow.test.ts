import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { MIGRATIONS as MONGO_STEPS, READABLE_BY } from '../../server/src/storage/mongo/schema.ts';
import { MIGRATIONS as SQLITE_STEPS } from '../../server/src/storage/sqlite/schema.ts';
import { type CoverageApi, coverageApi, job, shaOf, sourceFile } from '../support/coverage-api.ts';
import { describeWithMongodb } from '../support/mongod/mongodb-server.ts';
import {
  buildEarlierServer,
  type EarlierServer,
  findEarlierCommit,
  hasCommit,
  takeEarlierAction,
} from '../support/packages/earlier.ts';
import { pushEvent } from '../support/runner-stand-in/event-payloads.ts';
import { runAction } from '../support/runner-stand-in/run-action.ts';
import { startServer } from '../support/server-process.ts';
import { waitFor } from '../support/wait-for.ts';
import { isWeekly } from '../support/weekly.ts';

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

const commit = findEarlierCommit();
if (commit === undefined) console.error('This checkout has no history: no earlier version was run.');

/** A server of an earlier commit, and this one, as processes on the same database. */
async function openPair(url: string, script: string | undefined) {
  const env = { DATABASE_URL: url, SECRET_KEY: 'ab'.repeat(32), LATE_JOB_PERIOD: '1s' };
  const start = async (built?: string) => {
    const server = await startServer({
      env,
      startTimeoutMs: 40_000,
      ...(built === undefined ? {} : { script: built }),
    });
    cleanUps.push(server.dispose);
    return { server, api: coverageApi(server.url, server.adminToken) };
  };
  return { startEarlier: () => start(script), startThis: () => start() };
}

type Pair = Awaited<ReturnType<typeof openPair>>;

/** Each takes jobs of one build, which the other closes; then both say the same of both builds. */
async function takeTurns({ startEarlier, startThis }: Pair): Promise<void> {
  const { api: before } = await startEarlier();
  const { token } = await before.createRepo({ name: 'acme/shop', service: 'manual' });
  const { api: now } = await startThis();
  const ids: string[] = [];
  const turns = [
    [before, now],
    [now, before],
  ] as const;
  for (const [number, [first, second]] of turns.entries()) {
    const build = { repo_token: token, parallel: true, service_number: String(71 + number) };
    const flags = [
      [first, 'one'],
      [second, 'two'],
      [first, 'three'],
    ] as const;
    for (const [api, flag] of flags) {
      const source_files = [sourceFile(`src/${flag}.ts`, [1, 1, 0, null])];
      const reply = await api.uploadJob(job({ ...build, flag_name: flag, source_files }));
      expect(reply?.status, reply?.text).toBe(200);
    }
    const { json } = await second.closeBuild({ repo_token: token, build_num: build.service_number });
    ids.push(new URL(json.url).pathname.split('/').pop() ?? '');
  }
  const read = (api: CoverageApi) => Promise.all(ids.map(async (id) => (await api.buildJson(id)).json));
  const found = await waitFor(
    async () => {
      const builds = await Promise.all([before, now].map(read));
      return builds.flat().every(({ state }) => state === 'closed') && builds;
    },
    { what: 'both builds to be closed, as both servers see them', timeoutMs: 40_000 },
  );
  for (const builds of found) {
    expect(builds).toMatchObject([
      { number: '71', covered_lines: 6, relevant_lines: 9, verdict: { state: 'success' } },
      { number: '72', covered_lines: 6, relevant_lines: 9, verdict: { state: 'success' } },
    ]);
  }
}

/** One after the other: what the earlier one began is finished, its close is read as it was, and this one stops. */
async function handOver({ startEarlier, startThis }: Pair): Promise<void> {
  const earlier = await startEarlier();
  const { token } = await earlier.api.createRepo({ name: 'acme/shop', service: 'manual' });
  const whole = { repo_token: token, service_number: '71', source_files: [sourceFile('src/a.ts', [1, 1, 0])] };
  const { json: first } = await earlier.api.uploadJob(job(whole));
  const build = (api: CoverageApi, id: string) => api.buildJson(id).then(({ json }) => json.state === 'closed' && json);
  const id = (await earlier.api.jobJson(first.url)).json.build;
  const closed = await waitFor(() => build(earlier.api, id), { what: 'the build of the earlier version' });
  const begun = { repo_token: token, service_number: '72', parallel: true };
  expect((await earlier.api.uploadJob(job({ ...begun, flag_name: 'one' }))).status).toBe(200);
  await earlier.server.stop();
  const { server, api } = await startThis();
  const { covered_lines, relevant_lines, covered_percent } = closed;
  expect((await api.buildJson(id)).json).toMatchObject({ covered_lines, relevant_lines, covered_percent });
  expect((await api.uploadJob(job({ ...begun, service_job_id: '2', flag_name: 'two' }))).status).toBe(200);
  const { json: close } = await api.closeBuild({ repo_token: token, build_num: '72' });
  const last = await waitFor(() => build(api, close.url), { what: 'the build that both had jobs of' });
  expect(last).toMatchObject({ number: '72', verdict: { state: 'success' } });
  await server.stop();
}

describeWithMongodb('a server of the version before, beside this one on one MongoDB', (mongodb) => {
  let earlier: EarlierServer | undefined;
  beforeAll(() => {
    earlier = commit === undefined ? undefined : buildEarlierServer(commit);
  }, 300_000);
  afterAll(() => earlier?.dispose());

  test('both take jobs of one build, each closes what the other began, and both say the same', async (context) => {
    context.skip(earlier === undefined);
    await takeTurns(await openPair(mongodb.databaseUrl(), earlier?.script));
  }, 120_000);
});

/**
 * Each commit of the main branch that changed a schema, with its steps on SQLite and MongoDB. Those before need
 * packages that are gone; test/contract/earlier-databases.test.ts has what they wrote.
 */
const SCHEMAS = [
  ['be0de600', 7, 2],
  ['b984b44c', 8, 2],
  ['5dc71d47', 9, 3],
  ['e9fac849', 10, 3],
  ['fea154e1', 11, 3],
  ['69f61895', 13, 3],
  ['59e7312c', 15, 3],
  ['b4378e38', 16, 3],
  ['07010e56', 17, 3],
  ['3726f512', 18, 3],
  ['3e1ba307', 19, 3],
  ['840b49db', 20, 3],
  ['5b778b32', 21, 3],
  ['d80ba4a4', 22, 3],
  ['aab5f070', 23, 3],
  ['a804573e', 24, 3],
] as const;

// A commit cannot name itself: a step names the commit of the step before it.
test('each schema before this one has its commit', () => {
  const named = SCHEMAS.map(([, sqlite, mongo]) => [sqlite, mongo] as const);
  expect(Math.max(...named.map(([steps]) => steps))).toBeGreaterThanOrEqual(SQLITE_STEPS.length - 1);
  expect(Math.max(...named.map(([, steps]) => steps))).toBeGreaterThanOrEqual(MONGO_STEPS.length - 1);
});

/** CI tries the first one, the first that runs beside this version, and the last; `npm run test:weekly` all. */
const firstBeside = SCHEMAS.findIndex(([, , steps]) => steps >= READABLE_BY);
const tried = SCHEMAS.filter((_, at) => isWeekly || [0, firstBeside, SCHEMAS.length - 1].includes(at));

describe.each(tried)('the schema of %s, with %d steps on SQLite and %d on MongoDB', (sha, sqliteSteps, steps) => {
  let earlier: EarlierServer | undefined;
  beforeAll(() => {
    if (hasCommit(sha)) earlier = buildEarlierServer(sha);
    else console.error(`This checkout has no ${sha}: its server was not run.`);
  }, 300_000);
  afterAll(() => earlier?.dispose());

  test('is brought up to date on SQLite, in all its steps, and refuses what has more', async (context) => {
    context.skip(earlier === undefined);
    const folder = await mkdtemp(join(tmpdir(), 'earlier-schema-'));
    cleanUps.push(() => rm(folder, { recursive: true }));
    const pair = await openPair(`sqlite:${join(folder, 'c.db')}`, earlier?.script);
    await handOver(pair);
    if (sqliteSteps === SQLITE_STEPS.length) await pair.startEarlier();
    else await expect(pair.startEarlier()).rejects.toThrow(/written by a newer version/);
  }, 120_000);

  describeWithMongodb('on MongoDB', (mongodb) => {
    const isReadable = steps >= READABLE_BY;

    test(`runs ${isReadable ? 'beside this one' : 'before this one, and not beside it'}`, async (context) => {
      context.skip(earlier === undefined);
      const pair = await openPair(mongodb.databaseUrl(), earlier?.script);
      if (isReadable) return takeTurns(pair);
      await handOver(pair);
      await expect(pair.startEarlier()).rejects.toThrow(/written by a newer version/);
    }, 120_000);
  });
});

/** Commits whose bundle teams may still run. Once there are releases: the last of each version. */
const ACTIONS = [
  ['02f2654', 'the first that was whole'],
  ['fed239f', 'before the catalog of messages'],
] as const;

describe('the action of an earlier commit, with this server', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'earlier-versions-'));
    await writeFile(join(folder, 'price.js'), 'a();\nb();\nc();\n');
    await writeFile(join(folder, 'lcov.info'), 'SF:price.js\nDA:1,1\nDA:2,1\nDA:3,0\nend_of_record\n');
  });
  afterAll(() => rm(folder, { recursive: true }));

  test.each(ACTIONS)('%s, %s: uploads, closes, and says number and verdict', async (sha) => {
    if (!hasCommit(sha)) return console.error(`This checkout has no ${sha}: its action was not run.`);
    const action = takeEarlierAction(sha);
    cleanUps.push(action.dispose);
    const server = await startServer();
    cleanUps.push(server.dispose);
    const { token } = await coverageApi(server.url, server.adminToken).createRepo({ name: 'acme/shop' });
    const event = pushEvent({ repo: 'acme/shop', branch: 'main', sha: shaOf(sha) });
    const step = { workspace: folder, event, bundle: action.bundle, metadata: action.metadata };
    const target = { 'server-url': server.url, 'repo-token': token };
    const upload = await runAction({ ...step, inputs: { ...target, parallel: 'true', 'flag-name': 'unit' } });
    expect(upload.exitCode, upload.stdout).toBe(0);
    const close = await runAction({ ...step, inputs: { ...target, 'parallel-finished': 'true' } });
    expect(close.exitCode, close.stdout).toBe(0);
    expect(close.outputs).toMatchObject({ coverage: '66.66', verdict: 'success' });
  });
});
