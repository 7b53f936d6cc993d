import { MongoNetworkError } from 'mongodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Collections } from '../../server/src/storage/mongo/documents.ts';
import { describeWithMongodb } from '../support/mongod/mongodb-server.ts';
import { aLedger, closeWith } from './flip-ledger-contract.ts';
import { type MongodbScene, openMongodbScene } from './mongodb-scene.ts';
import { accept, bytes, close, comment, hex, MINUTE, putRepo, SHA, say, status, T0, upload } from './records.ts';

const HOUR = 60 * MINUTE;
const source = { digest: hex(1, 64), bytes: bytes('source') };

/**
 * What a process leaves that is cut off between two writes. A lost connection is the same to the database.
 */
describeWithMongodb('what is left when a process is cut off', (server) => {
  let scene: MongodbScene;

  beforeEach(async () => {
    scene = await openMongodbScene(server.databaseUrl());
  });
  afterEach(async () => {
    scene.beforeEach(undefined);
    await scene.store.close();
  });

  const cutOffBefore = (where: keyof Collections, what: string): void => {
    scene.beforeEach((collection, operation) => {
      if (collection === where && operation === what) throw new MongoNetworkError('cut off');
    });
  };
  const count = async (): Promise<Readonly<Record<string, number>>> => {
    const { jobs, parts, sources, builds } = scene.collections;
    const [uploads, reportParts, texts, empty] = await Promise.all([
      jobs.countDocuments(),
      parts.countDocuments(),
      sources.countDocuments(),
      builds.countDocuments({ listed: { $exists: false } }),
    ]);
    return { uploads, reportParts, sources: texts, builds: empty };
  };

  describe('an upload that was not accepted', () => {
    it('is not visible, and removed after a day, not before', async () => {
      const { store } = scene;
      const repo = await putRepo(store);
      const kept = await accept(store, repo.id, { serviceNumber: '1' }, { sources: [source] });
      await close(store, kept.build);
      cutOffBefore('builds', 'updateOne');
      const other = { digest: hex(2, 64), bytes: bytes('other') };
      const lost = upload(repo.id, { serviceNumber: '2', commit: hex(2) }, { sources: [source, other] });
      await expect(store.jobs.accept(lost)).rejects.toMatchObject({ name: 'Failure', code: 'unavailable' });
      scene.beforeEach(undefined);
      expect(await store.builds.ofCommit(repo.id, hex(2))).toEqual([]);
      expect(await count()).toEqual({ uploads: 2, reportParts: 3, sources: 2, builds: 0 });
      scene.setTime(T0 + 23 * HOUR);
      expect(await store.sweep()).toEqual({ uploads: 0, reportParts: 0, sources: 0, builds: 0 });
      expect(await store.sweep()).toBeUndefined();
      scene.setTime(T0 + 25 * HOUR);
      expect(await store.sweep()).toEqual({ uploads: 1, reportParts: 1, sources: 1, builds: 0 });
      scene.setTime(T0 + 50 * HOUR);
      expect(await store.sweep()).toEqual({ uploads: 0, reportParts: 0, sources: 0, builds: 0 });
      expect(await store.jobs.reports([kept.job.id])).toHaveLength(1);
      expect(await store.builds.report(kept.build.id)).toEqual(bytes(`merged ${kept.build.id}`));
      expect(await store.jobs.source(repo.id, source.digest)).toEqual(source);
    });

    it('leaves a build that the next job begins, or that is removed', async () => {
      const { store } = scene;
      const repo = await putRepo(store);
      let cut = 0;
      scene.beforeEach((collection, operation) => {
        // The first write opens the build, the second would begin it.
        if (collection !== 'builds' || operation !== 'updateOne') return;
        cut += 1;
        if (cut % 2 === 0) throw new MongoNetworkError('cut off');
      });
      await expect(store.jobs.accept(upload(repo.id))).rejects.toMatchObject({ code: 'unavailable' });
      await expect(store.jobs.accept(upload(repo.id, { serviceNumber: '72' }))).rejects.toMatchObject({
        code: 'unavailable',
      });
      scene.beforeEach(undefined);
      expect(await count()).toMatchObject({ builds: 2 });
      expect(await store.builds.list({ repoId: repo.id, branch: undefined, offset: 0, limit: 5 })).toEqual({
        total: 0,
        builds: [],
      });
      // A call on the way is given up after a moment; the build is as new as the job that begins it.
      scene.setTime(T0 + MINUTE);
      const between = await accept(store, repo.id, { serviceNumber: '9', commit: hex(9) });
      const { build } = await accept(store, repo.id);
      expect(build).toMatchObject({ jobs: 1 });
      expect(build.sequence).toBeGreaterThan(between.build.sequence);
      scene.setTime(T0 + 25 * HOUR);
      expect(await store.sweep()).toMatchObject({ uploads: 2, builds: 1 });
      expect(await store.jobs.ofBuild(build.id)).toHaveLength(1);
    });

    it('is written again when it lay for more than ten minutes before it was accepted', async () => {
      const { store } = scene;
      const repo = await putRepo(store);
      await accept(store, repo.id);
      let delayed = 0;
      scene.beforeEach((collection, operation) => {
        // The upload says when it is written; its build names it later.
        if (collection !== 'jobs' || !operation.startsWith('insert') || delayed > 0) return;
        delayed += 1;
        scene.setTime(T0 + 11 * MINUTE);
      });
      const { job } = await accept(store, repo.id, {}, { report: bytes('late'), sources: [source] });
      expect(delayed).toBe(1);
      const written = await scene.collections.jobs.findOne({ jobId: job.id });
      expect(written?.writtenAt).toEqual(new Date(T0 + 11 * MINUTE));
      expect((await scene.collections.parts.findOne({ 'owner.id': job.id }))?.writtenAt).toEqual(
        new Date(T0 + 11 * MINUTE),
      );
      expect(await store.jobs.ofBuild(job.buildId)).toHaveLength(2);
    });

    it('keeps the sources of a job that was accepted right before', async () => {
      const { store } = scene;
      const repo = await putRepo(store);
      cutOffBefore('sources', 'updateMany');
      await accept(store, repo.id, {}, { sources: [source] });
      scene.beforeEach(undefined);
      scene.setTime(T0 + 25 * HOUR);
      expect(await store.sweep()).toMatchObject({ sources: 0 });
      expect(await store.jobs.source(repo.id, source.digest)).toEqual(source);
      scene.setTime(T0 + 99 * HOUR);
      expect(await store.sweep()).toMatchObject({ sources: 0 });
    });
  });

  describe('a close that was written', () => {
    it('is announced by the next worker, once', async () => {
      const { store } = scene;
      const repo = await putRepo(store);
      const { build } = await accept(store, repo.id, { pullRequest: 5 });
      cutOffBefore('deliveries', 'insertOne');
      const messages = [say(status('success')), comment('Hello', 5)];
      const closed = await close(store, build, { target: SHA, messages });
      expect(closed.state).toBe('closed');
      expect(await store.outbox.ofBuild(closed)).toEqual([]);
      expect(await store.outbox.claim({ at: T0, lease: MINUTE, limit: 9 })).toEqual([]);
      scene.beforeEach(undefined);
      expect(await store.outbox.nextDueAt()).toBe(T0 + 10_000);
      scene.setTime(T0 + 10_000);
      const claimed = await store.outbox.claim({ at: T0, lease: MINUTE, limit: 9 });
      expect(claimed.map(({ wanted }) => wanted.content)).toEqual(messages.map(({ content }) => content));
      expect(await store.outbox.claim({ at: T0, lease: MINUTE, limit: 9 })).toEqual([]);
      expect((await scene.collections.builds.findOne({ _id: build.id }))?.owed).toBeUndefined();
    });

    it('never puts its words over those of a later close, however often they are brought', async () => {
      const { store, collections } = scene;
      const repo = await putRepo(store);
      const { build } = await accept(store, repo.id);
      cutOffBefore('deliveries', 'insertOne');
      await close(store, build, { target: SHA, messages: [say(status('success', 'first'))] });
      scene.beforeEach(undefined);
      const effects = (await collections.builds.findOne({ _id: build.id }))?.owed ?? [];
      expect(effects).toHaveLength(1);
      const { build: late } = await accept(store, repo.id);
      await close(store, late, { target: SHA, messages: [say(status('failure', 'second'))] });
      // A slow instance still has the first order in its hands.
      await collections.builds.updateOne({ _id: build.id }, { $set: { owed: [...effects], owedSince: new Date(T0) } });
      const [record] = await store.outbox.claim({ at: T0, lease: MINUTE, limit: 9 });
      expect(record?.wanted).toEqual({ version: 2, content: status('failure', 'second') });
    });

    it('keeps its ledger for the next worker, once, and never over a later one', async () => {
      const { store, collections } = scene;
      const { id: repoId } = await putRepo(store);
      await closeWith(store, repoId);
      cutOffBefore('flip_ledgers', 'updateOne');
      const { id } = await closeWith(store, repoId, { ledger: aLedger(3), after: 2 });
      scene.beforeEach(undefined);
      expect(await store.flipLedgers.find(repoId, 'main')).toEqual(aLedger(2));
      const { owed } = (await collections.builds.findOne({ _id: id })) ?? {};
      expect(await store.flipLedgers.find(repoId, 'main', id)).toEqual(aLedger(3));
      const again = { $set: { owed: owed ?? [], owedSince: new Date(T0) } };
      await collections.builds.updateOne({ _id: id }, again);
      expect(await store.flipLedgers.find(repoId, 'main', id)).toEqual(aLedger(3));
      // A slow instance still has the order in its hands when the next build is closed.
      await collections.builds.updateOne({ _id: id }, again);
      await closeWith(store, repoId, { ledger: aLedger(4), after: 3 });
      expect(await store.flipLedgers.find(repoId, 'main', id)).toEqual(aLedger(4));
      expect((await collections.builds.findOne({ _id: id }))?.owed).toBeUndefined();
    });

    it('cut off before its one write leaves the ledger as it was', async () => {
      const { store } = scene;
      const { id: repoId } = await putRepo(store);
      await closeWith(store, repoId);
      const { build } = await accept(store, repoId);
      cutOffBefore('builds', 'updateOne');
      const ledger = { branch: 'main', ledger: aLedger(3), after: 2, defaultBranches: [] };
      await expect(close(store, build, { ledger })).rejects.toMatchObject({ code: 'unavailable' });
      scene.beforeEach(undefined);
      expect(await store.builds.find(build.id)).toMatchObject({ state: build.state });
      expect(await store.flipLedgers.find(repoId, 'main', build.id)).toEqual(aLedger(2));
    });

    it('removes the report of the close before', async () => {
      const { store } = scene;
      const repo = await putRepo(store);
      const { build } = await accept(store, repo.id);
      await close(store, build, { report: bytes('first') });
      const { build: late } = await accept(store, repo.id);
      await close(store, late, { report: bytes('second') });
      expect(await store.builds.report(build.id)).toEqual(bytes('second'));
      expect(await scene.collections.parts.countDocuments({ 'owner.kind': 'build' })).toBe(1);
    });
  });

  describe('a removal', () => {
    it('is finished by the sweep: nothing is left, and open contexts are ended', async () => {
      const { store, collections } = scene;
      const repo = await putRepo(store);
      const { build } = await accept(store, repo.id, {}, { sources: [source] });
      await close(store, build, { target: SHA, messages: [say(status('pending'))] });
      cutOffBefore('deliveries', 'find');
      const removal = { repoId: repo.id, description: 'repo was removed', at: T0 };
      expect(await store.repos.remove(removal)).toBe(true);
      scene.beforeEach(undefined);
      expect(await store.repos.find(repo.id)).toBeUndefined();
      expect(await putRepo(store)).toMatchObject({ name: repo.name });
      await store.sweep();
      expect(await count()).toEqual({ uploads: 0, reportParts: 0, sources: 0, builds: 0 });
      const [record] = await store.outbox.claim({ at: T0, lease: MINUTE, limit: 9 });
      expect(record?.wanted.content).toMatchObject({ state: 'error', description: 'repo was removed' });
      expect(await collections.repos.countDocuments({ _id: repo.id })).toBe(1);
      scene.setTime(T0 + 2 * HOUR);
      await store.sweep();
      expect(await collections.repos.countDocuments({ _id: repo.id })).toBe(0);
    });

    it('takes what was accepted in its very moment', async () => {
      const { store } = scene;
      const repo = await putRepo(store);
      const accepting = store.jobs.accept(upload(repo.id));
      await store.repos.remove({ repoId: repo.id, description: 'repo was removed', at: T0 });
      await accepting;
      await store.sweep();
      expect(await count()).toEqual({ uploads: 0, reportParts: 0, sources: 0, builds: 0 });
      expect(await scene.collections.builds.countDocuments()).toBe(0);
    });
  });

  it('stores reports beyond the 16 MB of a document, of jobs and of builds', async () => {
    const { store } = scene;
    const repo = await putRepo(store);
    const large = Uint8Array.from({ length: 40_000_001 }, (_, n) => (n * 31 + (n >> 9)) % 256);
    const { build, job } = await accept(
      store,
      repo.id,
      {},
      { report: large, sources: [{ digest: hex(9, 64), bytes: large }] },
    );
    const [read] = await store.jobs.reports([job.id]);
    expect(Buffer.compare(read ?? new Uint8Array(), large)).toBe(0);
    await close(store, build, { report: large });
    expect(Buffer.compare((await store.builds.report(build.id)) ?? new Uint8Array(), large)).toBe(0);
    expect(Buffer.compare((await store.jobs.source(repo.id, hex(9, 64)))?.bytes ?? new Uint8Array(), large)).toBe(0);
  });
});
