import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connect } from '../../server/src/storage/mongo/connect.ts';
import { migrate } from '../../server/src/storage/mongo/migrate.ts';
import { openMongoStore } from '../../server/src/storage/mongo/open-mongo.ts';
import { MIGRATIONS, READABLE_BY } from '../../server/src/storage/mongo/schema.ts';
import type { Store } from '../../server/src/storage/store.ts';
import { describeWithMongodb } from '../support/mongod/mongodb-server.ts';
import { waitFor } from '../support/wait-for.ts';
import { askAll, openGroups, putPerson } from './group-contract.ts';
import { accept, close, comment, hex, MINUTE, putRepo, SHA, say, status, upload } from './records.ts';

/** Several processes are several stores, each with its own client. The time is the server's. */
describeWithMongodb('several instances on one MongoDB', (server) => {
  let url = '';
  let stores: readonly Store[] = [];
  const store = (n: number): Store => stores[n % stores.length] as Store;

  beforeAll(() => {
    url = server.databaseUrl();
  });
  beforeEach(async () => {
    url = server.databaseUrl();
    stores = await Promise.all(Array.from({ length: 3 }, () => openMongoStore({ url })));
  });
  afterEach(() => Promise.all(stores.map((one) => one.close())));

  it('ask a provider for somebody’s groups one at a time, with a refresh token that works once', async () => {
    const { id } = await putPerson(store(0));
    const { servers, seen, pass } = openGroups(stores);
    for (const times of [1, 2, 3]) {
      pass(13 * 60 * MINUTE);
      expect(await askAll(servers, store(times), id)).toEqual(stores.map(() => ['ops']));
      expect(seen).toEqual({ asked: times, reused: 0 });
    }
  });

  describe('jobs', () => {
    it('of one number that arrive everywhere at once are one build, each with its own number', async () => {
      const repo = await putRepo(store(0));
      const accepted = await Promise.all(Array.from({ length: 60 }, (_, n) => accept(store(n), repo.id)));
      const [buildId = 0, ...others] = new Set(accepted.map(({ build }) => build.id));
      expect(others).toEqual([]);
      const jobs = await store(1).jobs.ofBuild(buildId);
      expect(jobs.map(({ number }) => number)).toEqual(Array.from({ length: 60 }, (_, n) => n + 1));
      expect(new Set(jobs.map(({ id }) => id)).size).toBe(60);
      expect(await store(2).builds.find(buildId)).toMatchObject({ jobs: 60 });
      expect(await store(0).builds.list({ repoId: repo.id, branch: undefined, offset: 0, limit: 5 })).toMatchObject({
        total: 1,
      });
    });

    it('of many builds each open exactly one, with sequences of their own', async () => {
      const repo = await putRepo(store(0));
      const sends = Array.from({ length: 10 }, (_, build) =>
        [0, 1, 2].map((n) => ({ serviceNumber: `${build}`, commit: hex(build), n })),
      );
      await Promise.all(sends.flat().map(({ n, ...stated }) => accept(store(n), repo.id, stated)));
      const { total, builds } = await store(0).builds.list({
        repoId: repo.id,
        branch: undefined,
        offset: 0,
        limit: 50,
      });
      expect(total).toBe(10);
      expect(new Set(builds.map(({ sequence }) => sequence)).size).toBe(10);
      expect(builds.every(({ jobs }) => jobs === 3)).toBe(true);
    });

    it('sent twice to different instances are stored once (rule 10)', async () => {
      const repo = await putRepo(store(0));
      const sent = upload(repo.id, { flag: 'unit' });
      const answers = await Promise.all(stores.map((one) => one.jobs.accept(sent)));
      expect(new Set(answers.map((answer) => answer?.job.id)).size).toBe(1);
      expect(answers.filter((answer) => answer?.repeated === false)).toHaveLength(1);
      expect(await store(1).jobs.ofBuild(answers[0]?.build.id ?? 0)).toHaveLength(1);
    });

    it('that come while a build is closed are in the next close or stop this one (rule 14)', async () => {
      const repo = await putRepo(store(0));
      const { build } = await accept(store(0), repo.id);
      const [closed, late] = await Promise.allSettled([close(store(0), build), accept(store(1), repo.id)]);
      const now = await store(2).builds.find(build.id);
      expect(late.status).toBe('fulfilled');
      expect(now?.jobs).toBe(2);
      // No matter which was first: the job is never hidden in a closed build that has not merged it.
      expect(now?.state).toBe('open');
      expect(now?.result === undefined).toBe(closed.status === 'rejected');
    });
  });

  describe('leases', () => {
    it('give a due build to one instance, for as long as the server’s clock says', async () => {
      const repo = await putRepo(store(0));
      const { build } = await accept(store(0), repo.id, {}, { at: Date.now() - MINUTE });
      // No instance's clock counts: these are far off.
      const claims = await Promise.all(
        stores.map((one, n) => one.builds.claimDue({ at: n * 10 ** 13, lease: 400, limit: 5 })),
      );
      expect(claims.flat().map(({ id }) => id)).toEqual([build.id]);
      expect(await store(1).builds.claimDue({ at: 10 ** 13, lease: 400, limit: 5 })).toEqual([]);
      const again = await waitFor(
        async () => {
          const found = await store(1).builds.claimDue({ at: 0, lease: MINUTE, limit: 5 });
          return found.length > 0 ? found : undefined;
        },
        { what: 'the end of the lease' },
      );
      expect(again.map(({ id }) => id)).toEqual([build.id]);
    });

    it('go by a clock that every instance can ask for', async () => {
      const before = Date.now();
      const now = await store(1).now();
      expect(now).toBeGreaterThan(before - 1_000);
      expect(now).toBeLessThan(Date.now() + 1_000);
    });

    it('give each delivery to one instance', async () => {
      const repo = await putRepo(store(0));
      const { build } = await accept(store(0), repo.id, { pullRequest: 5 });
      const messages = [
        ...Array.from({ length: 20 }, (_, n) => say(status('success'), `coverage (${n})`)),
        comment('Hello', 5),
      ];
      await close(store(1), build, { messages, target: SHA, at: Date.now() - MINUTE });
      const claims = await Promise.all(stores.map((one) => one.outbox.claim({ at: 0, lease: MINUTE, limit: 15 })));
      const ids = claims.flat().map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      const rest = await store(0).outbox.claim({ at: 0, lease: MINUTE, limit: 99 });
      expect(ids.length + rest.length).toBe(21);
    });
  });

  describe('starting together', () => {
    it('takes each step of the schema once', async () => {
      const fresh = server.databaseUrl();
      const connections = await Promise.all([1, 2, 3, 4].map(() => connect({ url: fresh })));
      let taken = 0;
      const steps = [
        ...MIGRATIONS,
        async () => {
          taken += 1;
          await new Promise((resolve) => setTimeout(resolve, 100));
        },
      ];
      await Promise.all(connections.map((connection) => migrate(connection, { steps, readableBy: steps.length })));
      expect(taken).toBe(1);
      expect(await connections[0]?.collections.notes.findOne({ _id: 'schema' })).toEqual({
        _id: 'schema',
        version: steps.length,
        readableBy: steps.length,
      });
      await expect(connect({ url: fresh })).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining(
          `newer version of this program (schema ${steps.length}; this one knows up to ${MIGRATIONS.length})`,
        ),
      });
      await Promise.all(connections.map((connection) => connection.close()));
    });

    it('takes over from one that died in the middle of a step', async () => {
      const fresh = server.databaseUrl();
      const connection = await connect({ url: fresh });
      const { notes } = connection.collections;
      await notes.updateOne({ _id: 'schema' }, { $set: { leaseUntil: new Date(Date.now() + 300) } });
      const steps = [...MIGRATIONS, async () => undefined];
      await migrate(connection, { steps });
      const readableBy = READABLE_BY;
      expect(await notes.findOne({ _id: 'schema' })).toEqual({ _id: 'schema', version: steps.length, readableBy });
      await connection.close();
    });
  });
});
