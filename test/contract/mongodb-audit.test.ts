import { expect, it } from 'vitest';
import { describeWithMongodb } from '../support/mongod/mongodb-server.ts';
import { openMongodbScene } from './mongodb-scene.ts';
import { putRepo, T0 } from './records.ts';

const ENTRY = { by: { kind: 'admin-token' }, action: 'settings.changed', at: T0 } as const;

describeWithMongodb('the audit log on MongoDB', (server) => {
  /** A change of settings whose operations on one collection fail, from the `from`th on. */
  async function changeWithout(collection: string, from = 1) {
    const { store, beforeEach } = await openMongodbScene(server.databaseUrl());
    const repo = await putRepo(store);
    let count = 0;
    beforeEach((name) => {
      if (name === collection && ++count >= from) throw new Error('the connection is lost');
    });
    const change = { repoId: repo.id, settings: { minimum: 80 }, at: T0 };
    const outcome = await store.repos.update(change, ENTRY).then(
      () => 'done',
      () => 'failed',
    );
    beforeEach(undefined);
    const [entry] = await store.audit.list({ newestFirst: true, limit: 9 });
    const after = await store.repos.find(repo.id);
    await store.close();
    return { outcome, minimum: after?.settings.minimum, entry: entry && { unconfirmed: entry.unconfirmed } };
  }

  it('is written before the change: without an entry nothing is changed', async () => {
    expect(await changeWithout('audit')).toEqual({ outcome: 'failed', minimum: null, entry: undefined });
  });

  it('keeps the entry of a change that was cut off, and says that it is not confirmed', async () => {
    expect(await changeWithout('repos')).toEqual({ outcome: 'failed', minimum: null, entry: { unconfirmed: true } });
  });

  it('does not undo a change whose confirmation was cut off', async () => {
    expect(await changeWithout('audit', 2)).toEqual({ outcome: 'done', minimum: 80, entry: { unconfirmed: true } });
  });
});
