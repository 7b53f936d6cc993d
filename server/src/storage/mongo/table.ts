import type { Collection, Document, Filter, FindOptions, UpdateFilter, WithId } from 'mongodb';
import type { Connection } from './connection.ts';
import type { Collections } from './documents.ts';

/** A collection's operations, each within the time limit and with the errors of `Connection.run`. */
export interface Table<T extends Document> {
  one(filter: Filter<T>, options?: FindOptions): Promise<WithId<T> | undefined>;
  /** In the options: projection, sort, skip and limit. */
  list(filter: Filter<T>, options?: FindOptions): Promise<readonly WithId<T>[]>;
  /** Whether a document matched. */
  update(
    filter: Filter<T>,
    update: Update<T>,
    options?: { readonly upsert?: true; readonly hint?: Document },
  ): Promise<boolean>;
  updateAll(filter: Filter<T>, update: Update<T>): Promise<void>;
  /** Answers the document as it is then. */
  change(
    filter: Filter<T>,
    update: Update<T>,
    options?: { readonly upsert?: true; readonly projection?: Document; readonly sort?: Document },
  ): Promise<WithId<T> | undefined>;
  /** How many there were. */
  remove(filter: Filter<T>, limit?: number): Promise<number>;
}

type Update<T> = UpdateFilter<T> | object[];

type Tables = {
  readonly [K in keyof Collections]: Collections[K] extends Collection<infer T extends Document> ? Table<T> : never;
};

/** The tables of a connection. */
export function tablesOf({ collections, run }: Pick<Connection, 'collections' | 'run'>): Tables {
  const tables = Object.entries(collections).map(([name, collection]) => [name, openTable(run, collection as never)]);
  return Object.fromEntries(tables) as Tables;
}

/** The operations of one collection. */
export function openTable<T extends Document>(run: Connection['run'], collection: Collection<T>): Table<T> {
  return {
    one: async (filter, options) => (await run(() => collection.findOne(filter, options))) ?? undefined,
    list: (filter, options) => run(() => collection.find(filter, options).toArray()),
    update: async (filter, update, options) =>
      (await run(() => collection.updateOne(filter, update as UpdateFilter<T>, options))).matchedCount === 1,
    updateAll: async (filter, update) => {
      await run(() => collection.updateMany(filter, update as UpdateFilter<T>));
    },
    change: async (filter, update, options) => {
      const after = { returnDocument: 'after', ...options } as const;
      return (await run(() => collection.findOneAndUpdate(filter, update as UpdateFilter<T>, after))) ?? undefined;
    },
    remove: async (filter, limit) => (await run(() => collection.deleteMany(filter), limit)).deletedCount,
  };
}
