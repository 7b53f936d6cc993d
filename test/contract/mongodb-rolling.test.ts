import { MongoClient } from 'mongodb';
import { expect, onTestFinished, test } from 'vitest';
import { MIGRATIONS, READABLE_BY } from '../../server/src/storage/mongo/schema.ts';
import { openStore } from '../../server/src/storage/open/open-store.ts';
import { describeWithMongodb } from '../support/mongod/mongodb-server.ts';
import { putRepo } from './records.ts';

interface SchemaNote {
  readonly _id: string;
  readonly version: number;
  readonly readableBy?: number;
}

describeWithMongodb('an index that an earlier commit made by other keys', (server) => {
  test('gives way to the one of its name', async () => {
    const url = server.databaseUrl();
    await (await openStore({ url })).close();
    const client = await MongoClient.connect(url);
    onTestFinished(() => client.close());
    const ledgers = client.db().collection('flip_ledgers');
    const keys = async () =>
      Object.fromEntries((await ledgers.listIndexes().toArray()).map(({ name, key }) => [name, key]));
    const wanted = await keys();
    await ledgers.dropIndex('repo');
    await ledgers.createIndex({ repoId: 1 }, { name: 'repo' });
    await Promise.all([1, 2].map(async () => (await openStore({ url })).close()));
    expect(await keys()).toEqual(wanted);
  });
});

describeWithMongodb('a database that a newer version has brought up to date', (server) => {
  const NEWER = MIGRATIONS.length + 1;

  /** As the next release leaves it, which an instance of this one meets when it is started again. */
  async function upgraded(readableBy: number) {
    const url = server.databaseUrl();
    await (await openStore({ url })).close();
    const client = await MongoClient.connect(url);
    onTestFinished(() => client.close());
    const notes = client.db().collection<SchemaNote>('notes');
    expect(await notes.findOne({ _id: 'schema' })).toEqual({
      _id: 'schema',
      version: MIGRATIONS.length,
      readableBy: READABLE_BY,
    });
    await notes.updateOne({ _id: 'schema' }, { $set: { version: NEWER, readableBy } });
    return { url, note: () => notes.findOne({ _id: 'schema' }) };
  }

  test('is used by this one where it only added, and is left as it is', async () => {
    const { url, note } = await upgraded(MIGRATIONS.length);
    const store = await openStore({ url });
    onTestFinished(() => store.close());
    const { id } = await putRepo(store);
    expect(await store.repos.find(id)).toMatchObject({ id });
    expect(await note()).toMatchObject({ version: NEWER, readableBy: MIGRATIONS.length });
  });

  test('is refused where it took away what this one reads', async () => {
    const { url } = await upgraded(NEWER);
    await expect(openStore({ url })).rejects.toThrow(`newer version of this program (schema ${NEWER};`);
  });
});
