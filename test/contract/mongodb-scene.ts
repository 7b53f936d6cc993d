import type { MongoClientOptions } from 'mongodb';
import { expect } from 'vitest';
import type { Timestamp } from '../../server/src/core/time.ts';
import { connect } from '../../server/src/storage/mongo/connect.ts';
import type { Connection } from '../../server/src/storage/mongo/connection.ts';
import type { Collections } from '../../server/src/storage/mongo/documents.ts';
import { createMongoStore } from '../../server/src/storage/mongo/open-mongo.ts';
import type { Store } from '../../server/src/storage/store.ts';
import { T0 } from './records.ts';
import { watchShards } from './shard-keys.ts';

/**
 * A store on MongoDB; the test sets its time, and can make its operations fail. Its close fails if it asked every shard
 * for what is not known to.
 */
export interface MongodbScene {
  readonly store: Store;
  readonly collections: Collections;
  /** The server's time from now on. */
  setTime(at: Timestamp): void;
  /** Called before each operation on a collection; what it throws is the operation's outcome. */
  beforeEach(hook: ((collection: keyof Collections, operation: string) => void) | undefined): void;
}

export async function openMongodbScene(url: string, client?: MongoClientOptions): Promise<MongodbScene> {
  let now: Timestamp = T0;
  let hook: ((collection: keyof Collections, operation: string) => void) | undefined;
  const serverTime = () => ({ $literal: new Date(now) });
  const connection = await connect({ url, serverTime, client: { ...client, monitorCommands: true } });
  const unexpected = watchShards(connection.onCommand);
  const watched: Connection = {
    ...connection,
    collections: watch(connection.collections, (...what) => hook?.(...what)),
  };
  // What a test asks itself is not the store's.
  const looking = await connect({ url });
  const store = createMongoStore(watched);
  const close = async (): Promise<void> => {
    await Promise.all([store.close(), looking.close()]);
    expect(unexpected()).toEqual([]);
  };
  return {
    store: { ...store, close },
    collections: looking.collections,
    setTime: (at) => {
      now = at;
    },
    beforeEach: (next) => {
      hook = next;
    },
  };
}

function watch(
  collections: Collections,
  before: (collection: keyof Collections, operation: string) => void,
): Collections {
  const entries = Object.entries(collections).map(([name, collection]) => {
    const watched = new Proxy(collection as object, {
      get(target, operation) {
        const value: unknown = Reflect.get(target, operation);
        if (typeof value !== 'function') return value;
        return (...values: readonly unknown[]) => {
          before(name as keyof Collections, String(operation));
          return value.apply(target, values) as unknown;
        };
      },
    });
    return [name, watched];
  });
  return Object.fromEntries(entries) as unknown as Collections;
}
