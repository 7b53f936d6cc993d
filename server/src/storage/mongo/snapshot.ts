import { type ClientSession, type Collection, type Db, type Document, ReadConcern } from 'mongodb';

/** Reads of one moment of a database. */
export interface Snapshot {
  /** The database as of that moment; only `find` and `findOne` of its collections may be called. */
  readonly db: Pick<Db, 'collection'>;
  end(): Promise<void>;
}

/**
 * Opens the moment of the first read. The database keeps it for `minSnapshotHistoryWindowInSeconds` (five minutes by
 * default). Undefined: a lone server has no snapshots.
 */
export async function openSnapshot({ client, databaseName }: Db): Promise<Snapshot | undefined> {
  const db = client.db(databaseName, { readConcern: new ReadConcern('snapshot'), readPreference: 'primary' });
  const { setName, msg } = await db.command({ hello: 1 });
  if (setName === undefined && msg !== 'isdbgrid') return undefined;
  const session = client.startSession({ snapshot: true });
  return {
    db: { collection: (name: string) => inSession(db.collection(name), session) } as Pick<Db, 'collection'>,
    end: () => session.endSession(),
  };
}

function inSession(collection: Collection<Document>, session: ClientSession): Pick<Collection, 'find' | 'findOne'> {
  return {
    find: (filter: object = {}, options: object = {}) => collection.find(filter, { ...options, session }),
    findOne: (filter: object = {}, options: object = {}) => collection.findOne(filter, { ...options, session }),
  } as Pick<Collection, 'find' | 'findOne'>;
}
