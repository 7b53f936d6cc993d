import { type Db, MongoClient } from 'mongodb';
import { expect } from 'vitest';
import type { Timestamp } from '../../server/src/core/time.ts';
import { wrapClient } from '../../server/src/storage/mongo/connection.ts';
import { createMongoStore, openMongoStore } from '../../server/src/storage/mongo/open-mongo.ts';
import { readMongoUrl } from '../../server/src/storage/mongo/url.ts';
import { T0 } from './records.ts';
import { watchShards } from './shard-keys.ts';
import type { OpenedStore } from './store-contract.ts';

/** A database that each test finds as if it were new, and one client for all: they would take most of a test's time. */
export interface EmptiedDatabase {
  open(): Promise<Required<OpenedStore>>;
  /** Fails if the store asked every shard for what is not known to. */
  close(): Promise<void>;
}

/** Makes collections and indexes, once for all tests. */
export async function emptiedDatabase(url: string): Promise<EmptiedDatabase> {
  await (await openMongoStore({ url })).close();
  const { client, database, concerns } = readMongoUrl(url, { monitorCommands: true });
  const unexpected = watchShards((listen) => client.on('commandStarted', ({ command }) => listen(command)));
  const emptying = new MongoClient(url);
  const db = client.db(database, concerns);
  return {
    async open() {
      await empty(emptying.db(database));
      let now: Timestamp = T0;
      const serverTime = () => ({ $literal: new Date(now) });
      const lent = { on: client.on.bind(client), close: async () => {} };
      const connection = wrapClient(lent, db, { serverTime });
      await connection.readClock();
      const store = createMongoStore(connection);
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
    },
    async close() {
      await Promise.all([client.close(), emptying.close()]);
      expect(unexpected()).toEqual([]);
    },
  };
}

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
