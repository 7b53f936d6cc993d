import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';

import { BSON, MongoClient } from 'mongodb';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Build } from '../../server/src/core/builds/build.ts';
import { withOverall } from '../../server/src/core/builds/build-checks.ts';
import { resultDetails, summarizeBuild } from '../../server/src/core/builds/build-summary.ts';
import type { GroupResult } from '../../server/src/core/builds/group-result.ts';
import type { FlagVerdict } from '../../server/src/core/verdict/verdict.ts';
import { openMongoStore } from '../../server/src/storage/mongo/open-mongo.ts';
import { openStore } from '../../server/src/storage/open/open-store.ts';
import { MIGRATIONS } from '../../server/src/storage/sqlite/schema.ts';
import type { Store } from '../../server/src/storage/store.ts';
import { describeWithMongodb } from '../support/mongod/mongodb-server.ts';
import { aFlag, aResult } from '../support/records.ts';
import { startService } from '../support/service.ts';
import { goOn } from './copy-scene.ts';
import { hex, MINUTE, putClosed, putRepo, T0 } from './records.ts';

/** What 0.1.0 left behind: see test/fixtures/README.md. */
const read = (file: string): Buffer =>
  gunzipSync(readFileSync(new URL(`../fixtures/databases/0.1.0/${file}`, import.meta.url)));

/** Answers the URL of a database of its own that holds what the fixture does. */
type Restore = (name: 'records' | 'service') => Promise<string>;

const restoreSqlite: Restore = async (name) => {
  const folder = mkdtempSync(join(tmpdir(), 'earlier-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'c.db'), read(`${name}.db.gz`));
  return `sqlite:${join(folder, 'c.db')}`;
};

const restoreMongodb =
  (databaseUrl: () => string): Restore =>
  async (name) => {
    const url = databaseUrl();
    const client = await MongoClient.connect(url);
    onTestFinished(() => client.close());
    const collections = BSON.EJSON.parse(read(`${name}.mongodb.json.gz`).toString(), { relaxed: false });
    for (const [collection, documents] of Object.entries(collections as Record<string, object[]>))
      if (documents.length > 0) await client.db().collection(collection).insertMany(documents);
    return url;
  };

describe('SQLite', () => {
  describeEarlier(restoreSqlite, (url) => openStore({ url }));
  describeWithoutOverall({
    url: () => restoreSqlite('records'),
    open: (url) => openStore({ url }),
    forgetOverall: async (url) => {
      const db = new DatabaseSync(url.replace('sqlite:', ''));
      for (const table of ['builds', 'build_summaries'])
        db.exec(`UPDATE ${table} SET record = json_remove(record, '$.result.overall')`);
      db.close();
    },
  });
  describeWithoutNames({
    url: () => restoreSqlite('records'),
    open: (url) => openStore({ url }),
    forgetNames: async (url) => {
      const db = new DatabaseSync(url.replace('sqlite:', ''));
      for (const table of ['builds', 'build_summaries'])
        db.exec(`UPDATE ${table} SET record = json_remove(record, '$.result.overall.failing.names')`);
      db.close();
    },
  });
  describeEarlierTags({
    url: () => restoreSqlite('records'),
    open: (url) => openStore({ url }),
    forgetTags: async (url) => {
      const db = new DatabaseSync(url.replace('sqlite:', ''));
      db.exec("UPDATE builds SET scope = NULL WHERE scope LIKE 'tag:%'; UPDATE build_flags SET scope = NULL");
      const before = MIGRATIONS.findIndex((step) => typeof step === 'string' && step.includes("'tag:'"));
      // Later steps are taken again.
      const made = /CREATE (TABLE|INDEX) (\w+)|ALTER TABLE (\w+) ADD COLUMN (\w+)/g;
      const later = MIGRATIONS.slice(before + 1).filter((one) => typeof one === 'string');
      for (const [, kind, name, table, column] of later.flatMap((step) => [...step.matchAll(made)]).toReversed())
        db.exec(kind === undefined ? `ALTER TABLE ${table} DROP COLUMN ${column}` : `DROP ${kind} IF EXISTS ${name}`);
      db.exec(`PRAGMA user_version = ${before}`);
      db.close();
    },
  });
});
describeWithMongodb('MongoDB', (server) => {
  const serverTime = () => ({ $literal: new Date(T0 + 2 * MINUTE) });
  const restore = restoreMongodb(() => server.databaseUrl());
  describeEarlier(restore, (url) => openMongoStore({ url, serverTime }));
  describeWithoutOverall({
    url: () => restore('records'),
    open: (url) => openMongoStore({ url, serverTime }),
    forgetOverall: async (url) => {
      const client = await MongoClient.connect(url);
      await client
        .db()
        .collection('builds')
        .updateMany({ 'record.result': { $exists: true } }, { $unset: { 'record.result.overall': '' } });
      await client.close();
    },
  });
  describeWithoutNames({
    url: () => restore('records'),
    open: (url) => openMongoStore({ url, serverTime }),
    forgetNames: async (url) => {
      const client = await MongoClient.connect(url);
      await client
        .db()
        .collection('builds')
        .updateMany({ 'record.result': { $exists: true } }, { $unset: { 'record.result.overall.failing.names': '' } });
      await client.close();
    },
  });
  describeEarlierTags({
    url: () => restore('records'),
    open: (url) => openMongoStore({ url, serverTime }),
    forgetTags: async (url) => {
      const client = await MongoClient.connect(url);
      await client
        .db()
        .collection('builds')
        .updateMany({ scope: /^tag:/ }, { $unset: { scope: '' } });
      await client
        .db()
        .collection<{ _id: string }>('notes')
        .updateOne({ _id: 'schema' }, { $set: { version: 2 } });
      await client.close();
    },
  });
});

const at = T0;
const PENDING = { kind: 'post-pending', at };
const DEADLINE = { kind: 'deadline', at: T0 + 30 * MINUTE };

/** By the name of the build in the fixture. */
const DUE: Readonly<Record<string, readonly object[]>> = {
  opening: [DEADLINE, PENDING],
  job: [{ kind: 'close', by: 'job', at }, DEADLINE],
  backfill: [{ kind: 'backfill', at }],
  'revisit-1': [{ kind: 'revisit', at: T0 + 5 * MINUTE }],
  landing: [{ kind: 'landing', branch: 'main', commit: hex(77), since: T0, at: T0 + MINUTE }],
  'late-job': [{ kind: 'deadline', at: T0 + MINUTE }],
  'run-ended': [{ kind: 'close', by: 'provider', at: T0 + 3 }, DEADLINE, PENDING],
};

/** Pages read what the step of the schema made of the builds. */
async function expectViews({ views }: Store, builds: readonly Build[]): Promise<void> {
  for (const build of builds) {
    const { result, id: buildId } = build;
    const details = result && { ...summarizeBuild(build).result, ...resultDetails(result) };
    expect(await views.find(buildId)).toEqual({ ...summarizeBuild(build), result: details });
    const { flags } = await views.flags({ buildId, failingFirst: false, offset: 0, limit: 50 });
    expect(flags).toEqual(result?.flags ?? []);
  }
}

function describeEarlier(restore: Restore, open: (url: string) => Promise<Store>): void {
  describe('a database of 0.1.0', () => {
    test('says in one list what is due of each build, and when it is claimed', async () => {
      const url = await restore('records');
      const store = await open(url);
      const repo = await store.repos.findByName('github', 'octo/due');
      const { builds } = await store.builds.list({ repoId: repo?.id ?? 0, branch: undefined, offset: 0, limit: 50 });
      expect(Object.fromEntries(builds.map(({ number, due }) => [number, due]))).toEqual(DUE);
      await expectViews(store, builds);
      for (const build of builds)
        for (const key of ['closeDue', 'closeAt', 'openingDue', 'revisitAt', 'backfillDue', 'landingDue', 'wants'])
          expect(build).not.toHaveProperty(key);
      const revisited = builds.find(({ number }) => number === 'revisit-1');
      expect(revisited?.missingBases).toEqual([`commit:${hex(9)}`, 'branch:main']);
      const waiting = await store.builds.withMissingBase({
        repoId: repo?.id ?? 0,
        missingBases: ['branch:main'],
        limit: 9,
      });
      expect(waiting.map(({ id }) => id)).toEqual([revisited?.id]);
      const claimed = await store.builds.claimDue({ at: T0 + 2 * MINUTE, lease: MINUTE, limit: 100 });
      const ours = claimed.filter(({ repoId }) => repoId === repo?.id).map(({ number }) => number);
      expect(ours.sort()).toEqual(['backfill', 'job', 'landing', 'late-job', 'opening', 'run-ended']);
      await store.close();
    });

    test('says which step of the schema it takes, once', async () => {
      const url = await restore('records');
      const steps: { readonly from: number; readonly to: number }[] = [];
      const onUpgrade = (step: (typeof steps)[number]): number => steps.push(step);
      for (let time = 0; time < 2; time += 1) await (await openStore({ url, onUpgrade })).close();
      expect(steps).toEqual([{ from: expect.any(Number), to: expect.any(Number) }]);
      expect(steps[0]?.from).toBeLessThan(steps[0]?.to ?? 0);
    });

    test('counts what it has still to announce', async () => {
      const store = await open(await restore('records'));
      const { outbox } = await store.measure(T0 + 2 * MINUTE);
      expect(outbox).toEqual([
        { service: 'github', waiting: expect.any(Number), givenUp: 1, oldestAt: expect.any(Number) },
      ]);
      expect(outbox[0]?.waiting).toBeGreaterThan(1);
      await store.close();
    });

    test('knows the owner of each context, and continues; opened again it is as it was', async () => {
      const url = await restore('records');
      const before = await open(url);
      const repo = await before.repos.findByName('github', 'octo/announced');
      const target = { repoId: repo?.id ?? 0, target: 'a'.repeat(40), pullRequest: 9 };
      const deliveries = await before.outbox.ofBuild(target);
      expect(deliveries).toHaveLength(5);
      for (const delivery of deliveries) {
        expect(delivery.statusOwner).toMatchObject({ pullRequest: 9 });
        expect(delivery).not.toHaveProperty('speaker');
      }
      await before.close();
      const store = await open(url);
      expect(await store.outbox.ofBuild(target)).toEqual(deliveries);
      expect(await goOn(store, 1)).toMatchObject({ repeated: [true, true], joined: [1, 3] });
      await store.close();
    });

    test('is served: an open build takes its last job, a late job is merged, and both close', async () => {
      const url = await restore('service');
      const service = await startService({ env: { DATABASE_URL: url, SECRET_KEY: 'ab'.repeat(32) } });
      onTestFinished(() => service.stop());
      const { json: repo } = await service.api.readRepo('team/shop', 'manual');
      const token = String(repo.token);
      const file = { name: 'src/b.js', source: 'a\nb\nc\nd', coverage: [1, 1, 1, 0] };
      const stated = { repo_token: token, service_name: 'ci', parallel: true, service_branch: 'main' };
      const e2e = {
        ...stated,
        service_number: '2',
        commit_sha: 'b'.repeat(40),
        flag_name: 'e2e',
        source_files: [file],
      };
      await service.upload(e2e);
      // 3 of 3 and 3 of 4 lines, 2 of 2 branches.
      expect(await service.close(token, '2')).toMatchObject({
        covered_lines: 6,
        relevant_lines: 7,
        covered_branches: 2,
      });
      // 2 of 3, 3 of 4 and, late, 1 of 2 lines.
      expect(await service.close(token, '1')).toMatchObject({
        covered_lines: 6,
        relevant_lines: 9,
        covered_branches: 1,
      });
    });
  });
}

/** As versions before checks were stored closed them. */
function describeWithoutOverall(subject: {
  readonly url: () => Promise<string>;
  readonly open: (url: string) => Promise<Store>;
  readonly forgetOverall: (url: string) => Promise<void>;
}): void {
  test('what the checks of a build amount to is known of builds of earlier versions', async () => {
    const url = await subject.url();
    const before = await subject.open(url);
    const { id: repoId } = await putRepo(before, { name: 'octo/checks' });
    const failing = aFlag('ui', { verdict: { ...aResult().verdict, state: 'failure' } });
    const flags = [aFlag('api'), failing, aFlag('web')];
    const { id } = await putClosed(before, repoId, { branch: 'main', pullRequest: undefined }, { flags });
    const series = [
      { repoId, branch: 'main' },
      { repoId, branch: 'main', flag: 'ui' },
    ];
    const readAll = async ({ views }: Store) => [
      (await views.summary(id))?.result?.overall,
      (await views.find(id))?.result?.overall,
      ...(await views.list({ repoId, branch: undefined, offset: 0, limit: 5 })).builds.map(
        (one) => one.result?.overall,
      ),
      ...(await views.trends({ series, bounds: [0, T0 + 60 * MINUTE] })).flatMap((points) =>
        points.map(({ overall }) => overall),
      ),
    ];
    const overall = {
      state: 'failure',
      failing: { ids: ['flag:ui'], counts: { flag: 1 } },
      wouldFail: { ids: [], counts: {} },
      passing: { counts: { total: 1, flag: 2 } },
    };
    const expected = [overall, overall, overall, overall, undefined];
    await before.close();
    await subject.forgetOverall(url);
    const store = await subject.open(url);
    onTestFinished(() => store.close());
    expect(await readAll(store)).toEqual(expected);
  });
}

/** As versions stored them that named groups by their ids. */
function describeWithoutNames(subject: {
  readonly url: () => Promise<string>;
  readonly open: (url: string) => Promise<Store>;
  readonly forgetNames: (url: string) => Promise<void>;
}): void {
  test('what a group is called is known of builds of earlier versions', async () => {
    const url = await subject.url();
    const before = await subject.open(url);
    const { id: repoId } = await putRepo(before, { name: 'octo/groups' });
    const verdict = { ...aResult().verdict, state: 'failure' } as const;
    const groups = [aGroup('backend', 'The backend', verdict), aGroup('ui', 'ui', verdict)];
    const { id } = await putClosed(
      before,
      repoId,
      { branch: 'main', pullRequest: undefined },
      withOverall(aResult({ groups })),
    );
    await before.close();
    await subject.forgetNames(url);
    const store = await subject.open(url);
    onTestFinished(() => store.close());
    const { builds } = await store.views.list({ repoId, branch: undefined, offset: 0, limit: 5 });
    for (const build of [await store.views.find(id), await store.views.summary(id), ...builds])
      expect(build?.result?.overall?.failing).toEqual({
        ids: ['group:backend', 'group:ui'],
        names: { 'group:backend': 'The backend', 'group:ui': 'ui' },
        counts: { group: 2 },
      });
  });
}

function aGroup(id: string, name: string, verdict: FlagVerdict): GroupResult {
  const totals = { coveredLines: 1, relevantLines: 2, coveredBranches: 0, branches: 0 };
  return { id, name, digest: 'd', files: 1, touched: true, totals, baseTotals: undefined, changes: undefined, verdict };
}

/** As the version before stored them: found by nothing but their commits. */
function describeEarlierTags(subject: {
  readonly url: () => Promise<string>;
  readonly open: (url: string) => Promise<Store>;
  readonly forgetTags: (url: string) => Promise<void>;
}): void {
  test('builds of tags are found by them, of earlier versions too (rule 18)', async () => {
    const url = await subject.url();
    const before = await subject.open(url);
    const { id: repoId } = await putRepo(before, { name: 'octo/tags' });
    const ofTag = { branch: 'v1', tag: true } as const;
    const { id } = await putClosed(before, repoId, ofTag);
    await putClosed(before, repoId, { ...ofTag, serviceNumber: '2', pullRequest: 4 });
    await putClosed(before, repoId, { ...ofTag, serviceNumber: '3', trust: 'run' });
    await before.close();
    await subject.forgetTags(url);
    const store = await subject.open(url);
    onTestFinished(() => store.close());
    const found = await store.builds.bases({ repoId, scope: { tag: 'v1' }, before: undefined, limit: 5 });
    expect(found.map((build) => build.id)).toEqual([id]);
  });
}
