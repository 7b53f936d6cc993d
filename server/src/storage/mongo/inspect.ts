import { Failure } from '../../core/failure.ts';
import * as say from '../../messages/stores.ts';
import { wrapClient } from './connection.ts';
import { readProblem } from './errors.ts';
import { refuseMissing } from './migrate.ts';
import { MIGRATIONS } from './schema.ts';
import { SERVER_TIME } from './server-time.ts';
import { readMongoUrl } from './url.ts';

/** Reads which schema a database has, without changing it. Throws a Failure where it cannot be used. */
export async function inspectMongo(url: string): Promise<{ readonly version: number; readonly latest: number }> {
  const { client, database, concerns } = readMongoUrl(url);
  try {
    const connection = wrapClient(client, client.db(database, concerns), SERVER_TIME);
    await connection.run(() => client.connect());
    await refuseMissing(connection);
    const note = await connection.run(() => connection.collections.notes.findOne({ _id: 'schema' }));
    return { version: note?.version ?? 0, latest: MIGRATIONS.length };
  } catch (error) {
    const reason = error instanceof Failure ? error.message : readProblem(error);
    if (reason === undefined) throw error;
    throw new Failure('unavailable', say.cannotUse(database, reason), { cause: error });
  } finally {
    await client.close();
  }
}
