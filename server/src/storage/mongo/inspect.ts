import { Failure } from '../../core/failure.ts';
import { cannotUse } from '../sentences.ts';
import { type Connection, wrapClient } from './connection.ts';
import { readProblem } from './errors.ts';
import { refuseMissing } from './migrate.ts';
import { MIGRATIONS } from './schema.ts';
import { SERVER_TIME } from './server-time.ts';
import { readMongoUrl } from './url.ts';

/** Reads which schema a database has, without changing it. Throws a Failure if it cannot be used. */
export function inspectMongo(url: string): Promise<{ readonly version: number; readonly latest: number }> {
  return look(url, async (connection) => {
    await refuseMissing(connection);
    const note = await connection.run(() => connection.collections.notes.findOne({ _id: 'schema' }));
    return { version: note?.version ?? 0, latest: MIGRATIONS.length };
  });
}

/** Whether this program has ever written there. */
export function hasNotes(url: string): Promise<boolean> {
  return look(url, async ({ collections, run }) => (await run(() => collections.notes.findOne({}))) !== null);
}

async function look<T>(url: string, work: (connection: Connection) => Promise<T>): Promise<T> {
  const { client, database, concerns } = readMongoUrl(url);
  try {
    const connection = wrapClient(client, client.db(database, concerns), { serverTime: SERVER_TIME });
    await connection.run(() => client.connect());
    return await work(connection);
  } catch (error) {
    const reason = error instanceof Failure ? error.message : readProblem(error);
    if (reason === undefined) throw error;
    throw new Failure('unavailable', cannotUse(database, reason), { cause: error });
  } finally {
    await client.close();
  }
}
