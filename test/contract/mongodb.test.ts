import type { Db, MongoClient } from 'mongodb';
import { afterAll, beforeAll } from 'vitest';
import type { Timestamp } from '../../server/src/core/time.ts';
import { wrapClient } from '../../server/src/storage/mongo/connection.ts';
import { createMongoStore, openMongoStore } from '../../server/src/storage/mongo/open-mongo.ts';
import { readMongoUrl } from '../../server/src/storage/mongo/url.ts';
import { describeWithMongodb } from '../support/mongod/mongodb-server.ts';
import { T0 } from './records.ts';
import { describeReopening, describeStore, type OpenedStore } from './store-contract.ts';

describeWithMongodb('MongoDB', (server) => {
  let url = '';
  let client: MongoClient;
  let db: Db;
  beforeAll(async () => {
    url = server.databaseUrl();
    // Makes collections and indexes, once for all tests.
    await (await openMongoStore({ url })).close();
    const named = readMongoUrl(url);
    client = named.client;
    db = client.db(named.database, named.concerns);
  });
  afterAll(() => client?.close());

  /** A database as if new, by one client: connecting and making indexes would take most of a test's time. */
  const openEmpty = async (): Promise<Required<OpenedStore>> => {
    await empty(db);
    let now: Timestamp = T0;
    const serverTime = () => ({ $literal: new Date(now) });
    const lent = { on: client.on.bind(client), close: async () => {} };
    const store = createMongoStore(wrapClient(lent, db, serverTime));
    return {
      store,
      setTime: (at) => {
        now = at;
      },
      reopen: async () => {
        await store.close();
        return openMongoStore({ url, serverTime });
      },
    };
  };
  describeStore('a store', openEmpty);
  describeReopening('a store, opened again', openEmpty);
});

/** One question tells what the last test wrote: emptying each collection would take most of a test's time. */
async function empty(db: Db): Promise<void> {
  const names = (await db.collections()).map(({ collectionName }) => collectionName).filter((name) => name !== 'notes');
  const first = (name: string) => [{ $limit: 1 }, { $project: { _id: { $literal: name } } }];
  const [name = '', ...others] = names;
  const unions = others.map((coll) => ({ $unionWith: { coll, pipeline: first(coll) } }));
  const written = await db
    .collection(name)
    .aggregate<{ _id: string }>([...first(name), ...unions])
    .toArray();
  await Promise.all(written.map(({ _id }) => db.collection(_id).deleteMany({})));
}
