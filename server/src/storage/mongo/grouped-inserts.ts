import type { Collection, Document, OptionalUnlessRequiredId } from 'mongodb';
import { Failure } from '../../core/failure.ts';
import type { Connection } from './connection.ts';
import { isDuplicate, toFailure } from './errors.ts';
import { createGroupedWrites, type Outcomes } from './grouped-writes.ts';

/** Inserts a new document, whose `_id` nobody else has; those that come together go in one command. */
export type GroupedInsert<T> = (document: T) => Promise<void>;

/** Each insert ends within `limit` ms, its wait included. */
export function createGroupedInserts<T extends Document>(
  { run }: Pick<Connection, 'run'>,
  collection: Collection<T>,
  { weigh, limit }: { readonly weigh: (document: T) => number; readonly limit: number },
): GroupedInsert<T> {
  const insert = createGroupedWrites<T, true>({
    weigh,
    send: (documents) => run(() => insertAll(collection, documents), limit),
  });
  return async (document) => {
    await run(() => insert(document), limit);
  };
}

async function insertAll<T extends Document>(
  collection: Collection<T>,
  documents: readonly T[],
): Promise<Outcomes<true>> {
  const all = documents as readonly OptionalUnlessRequiredId<T>[];
  const [first] = all;
  if (first !== undefined && all.length === 1) {
    await collection.insertOne(first);
    return [{ done: true }];
  }
  try {
    await collection.insertMany(all, { ordered: false });
    return all.map(() => ({ done: true }));
  } catch (error) {
    // What time fixes says nothing of any of them. Else one of them is refused: the others are not.
    if (toFailure(error) instanceof Failure) throw error;
    return Promise.all(
      documents.map((one) =>
        insertMissing(collection, one).then(
          () => ({ done: true }) as const,
          (reason: unknown) => ({ error: reason }),
        ),
      ),
    );
  }
}

/** Inserts a document that may be there already, as it is. */
export async function insertMissing<T extends Document>(collection: Collection<T>, document: T): Promise<void> {
  try {
    await collection.insertOne(document as OptionalUnlessRequiredId<T>);
  } catch (error) {
    if (!isDuplicate(error)) throw error;
  }
}
