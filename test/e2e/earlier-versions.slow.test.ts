import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type CoverageApi, coverageApi, job, shaOf, sourceFile } from '../support/coverage-api.ts';
import { pushEvent } from '../support/event-payloads.ts';
import { describeWithMongodb } from '../support/mongod/mongodb-server.ts';
import {
  buildEarlierServer,
  type EarlierServer,
  findEarlierCommit,
  hasCommit,
  takeEarlierAction,
} from '../support/packages/earlier.ts';
import { runAction } from '../support/run-action.ts';
import { startServer } from '../support/server-process.ts';
import { waitFor } from '../support/wait-for.ts';

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

const commit = findEarlierCommit();
if (commit === undefined) console.error('This checkout has no history: no earlier version was run.');

describeWithMongodb('a server of the version before, beside this one on one MongoDB', (mongodb) => {
  let earlier: EarlierServer | undefined;
  beforeAll(() => {
    earlier = commit === undefined ? undefined : buildEarlierServer(commit);
  }, 300_000);
  afterAll(() => earlier?.dispose());

  test('both take jobs of one build, each closes what the other began, and both say the same', async (context) => {
    context.skip(earlier === undefined);
    const env = { DATABASE_URL: mongodb.databaseUrl(), SECRET_KEY: 'ab'.repeat(32), LATE_JOB_PERIOD: '1s' };
    const start = async (script?: string) => {
      const server = await startServer({ env, startTimeoutMs: 40_000, ...(script === undefined ? {} : { script }) });
      cleanUps.push(server.dispose);
      return coverageApi(server.url, server.adminToken);
    };
    const before = await start(earlier?.script);
    const { token } = await before.createRepo({ name: 'acme/shop', service: 'manual' });
    const now = await start();

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
  }, 120_000);
});

/** Commits whose bundle teams may still run. Once there are releases: the last of each version. */
const ACTIONS = [
  ['02f2654', 'the first that was whole'],
  ['fed239f', 'before the catalogue of messages'],
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
