import { MongoClient } from 'mongodb';
import { expect, it } from 'vitest';
import { MIGRATIONS } from '../../server/src/storage/mongo/schema.ts';
import { inspectStore } from '../../server/src/storage/open/inspect-store.ts';
import { openStore } from '../../server/src/storage/open/open-store.ts';
import { describeWithMongodb } from '../support/mongod/mongodb-server.ts';

const LATEST = MIGRATIONS.length;

describeWithMongodb('what npm run doctor sees of a database of MongoDB', (server) => {
  const withClient = async <T>(url: string, work: (client: MongoClient) => Promise<T>): Promise<T> => {
    const client = new MongoClient(url);
    try {
      return await work(client);
    } finally {
      await client.close();
    }
  };
  const notesOf = (client: MongoClient) => client.db().collection<{ _id: string; version?: number }>('notes');
  const everything = (url: string) =>
    withClient(url, async (client) => {
      const names = (await client.db().collections()).map(({ collectionName }) => collectionName);
      return { names: names.toSorted(), notes: await notesOf(client).find().toArray() };
    });

  it('is its schema, with nothing known of other servers', async () => {
    const url = server.databaseUrl();
    await (await openStore({ url })).close();
    const before = await everything(url);
    const { name, ...seen } = await inspectStore(url);
    const unknown = { isWhole: undefined, isServed: undefined, problem: undefined };
    expect(seen).toEqual({ version: LATEST, latest: LATEST, ...unknown });
    expect(name).toContain(new URL(url).pathname.slice(1));
    expect(await everything(url)).toEqual(before);
  });

  it.each([
    ['older', LATEST - 1],
    ['newer', LATEST + 1],
  ])('is a schema that is %s, and left so', async (_, version) => {
    const url = server.databaseUrl();
    await (await openStore({ url })).close();
    await withClient(url, (client) => notesOf(client).updateOne({ _id: 'schema' }, { $set: { version } }));
    const before = await everything(url);
    expect(await inspectStore(url)).toMatchObject({ version, latest: LATEST, problem: undefined });
    expect(await everything(url)).toEqual(before);
  });

  it('is that nothing is stored there: in none, and in one of another program, which stay so', async () => {
    const [missing, foreign] = [server.databaseUrl(), server.databaseUrl()];
    await withClient(foreign, (client) => client.db().collection('bookmarks').insertOne({ url: 'x' }));
    for (const [url, names] of [
      [missing, []],
      [foreign, ['bookmarks']],
    ] as const) {
      const { version, problem } = await inspectStore(url);
      expect([version, problem]).toEqual([undefined, expect.stringMatching(/^Cannot use the database /)]);
      expect(await everything(url)).toEqual({ names, notes: [] });
    }
  });

  it('is why it cannot be asked, without its password', async () => {
    const wrong = new URL(server.databaseUrl());
    wrong.username = 'me';
    wrong.password = 'hush';
    wrong.searchParams.set('authSource', 'admin');
    for (const url of [wrong.href, 'mongodb://me:hush@127.0.0.1:1/coverage?serverSelectionTimeoutMS=400']) {
      const { name, version, problem } = await inspectStore(url);
      expect([version, problem]).toEqual([undefined, expect.stringMatching(/^Cannot use the database /)]);
      expect(`${name} ${problem}`).not.toContain('hush');
    }
  });
});
