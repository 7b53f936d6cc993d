import { MongoClient } from 'mongodb';
import { beforeAll } from 'vitest';
import type { Timestamp } from '../../server/src/domain/time.ts';
import { openMongoStore } from '../../server/src/store/mongo/open-mongo.ts';
import { describeWithMongodb } from '../support/mongod/mongodb-server.ts';
import { T0 } from './records.ts';
import { describeReopening, describeStore, type OpenedStore } from './store-contract.ts';

describeWithMongodb('MongoDB', (server) => {
  let url = '';
  beforeAll(() => {
    url = server.databaseUrl();
  });

  /** A database as if new: making its indexes anew for each test would take most of the time. */
  const openEmpty = async (): Promise<Required<OpenedStore>> => {
    await empty(url);
    let now: Timestamp = T0;
    const serverTime = () => ({ $literal: new Date(now) });
    const store = await openMongoStore({ url, serverTime });
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

async function empty(url: string): Promise<void> {
  const client = new MongoClient(url);
  try {
    for (const { collectionName } of await client.db().collections()) {
      if (collectionName !== 'notes') await client.db().collection(collectionName).deleteMany({});
    }
  } finally {
    await client.close();
  }
}
