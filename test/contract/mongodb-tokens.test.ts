import type { Document } from 'mongodb';
import { afterEach, expect, it, vi } from 'vitest';
import { connect } from '../../server/src/storage/mongo/connect.ts';
import { createMongoStore } from '../../server/src/storage/mongo/open-mongo.ts';
import { describeWithMongodb } from '../support/mongod/mongodb-server.ts';
import { MINUTE, newRepo, putRepo, T0 } from './records.ts';

const UPLOAD = { mayRemember: true };
const token = (name: string) => ({ lookup: `lookup ${name}`, sealed: `sealed ${name}`, expiresAt: undefined });

describeWithMongodb('the token of an upload on MongoDB', (server) => {
  afterEach(() => void vi.useRealTimers());

  it('is looked up once for uploads that come within a moment, and each time for all else', async () => {
    const connection = await connect({ url: server.databaseUrl(), client: { monitorCommands: true } });
    const store = createMongoStore(connection);
    const repo = await putRepo(store, { token: token('one') });
    let asked = 0;
    connection.onCommand((command: Document) => {
      if (command.find === 'repos') asked += 1;
    });
    const look = (options?: typeof UPLOAD) => store.repos.findByToken(['none', 'lookup one'], T0, options);
    vi.useFakeTimers({ toFake: ['performance'] });
    expect([await look(UPLOAD), await look(UPLOAD), asked]).toEqual([repo, repo, 1]);
    vi.advanceTimersByTime(250);
    expect([await look(UPLOAD), asked]).toEqual([repo, 2]);
    expect([await look(), asked]).toEqual([repo, 3]);
    await store.close();
  });

  it('counts on no server once its replacement is confirmed, or the removal of its repo', async () => {
    const url = server.databaseUrl();
    const [store, elsewhere] = [createMongoStore(await connect({ url })), createMongoStore(await connect({ url }))];
    const repo = await putRepo(store, { token: token('old') });
    const look = (name: string) => elsewhere.repos.findByToken([`lookup ${name}`], T0, UPLOAD);
    const until = async (name: string, change: Promise<boolean>): Promise<void> => {
      // Uploads to the other server go on all the time.
      let isDone = false;
      const confirmed = change.finally(() => {
        isDone = true;
      });
      while (!isDone) await look(name);
      expect(await confirmed).toBe(true);
    };
    expect(await look('old')).toEqual(repo);
    const replaced = { repoId: repo.id, token: token('new'), oldUntil: undefined, at: T0 };
    await until('old', store.repos.replaceToken(replaced));
    expect([await look('old'), await look('new')]).toEqual([undefined, repo]);
    await until('new', store.repos.remove({ repoId: repo.id, description: 'Gone.', at: T0 }));
    expect(await look('new')).toBeUndefined();
    await store.close();
    await elsewhere.close();
  });

  it('is one in its grace period after a change with one, and names the repo as this server changed it', async () => {
    const store = createMongoStore(await connect({ url: server.databaseUrl() }));
    const repo = await putRepo(store, newRepo({ token: token('kept') }));
    const look = (at: number) => store.repos.findByToken(['lookup kept'], at, UPLOAD);
    expect(await look(T0)).toEqual(repo);
    await store.repos.follow({ repoId: repo.id, suspended: 'Its name is another’s.', at: T0 });
    expect(await look(T0)).toMatchObject({ suspended: 'Its name is another’s.' });
    const oldUntil = T0 + MINUTE;
    await store.repos.replaceToken({ repoId: repo.id, token: token('next'), oldUntil, at: T0 });
    expect(await look(oldUntil - 1)).toMatchObject({ id: repo.id });
    await store.close();
  });
});
