import type { MongoClientOptions } from 'mongodb';
import { Failure } from '../../core/failure.ts';
import { cannotUse } from '../sentences.ts';
import type { OnUpgrade } from '../store-inspection.ts';
import type { OnWarning } from './bulk-writes.ts';
import { type Connection, wrapClient } from './connection.ts';
import { readProblem } from './errors.ts';
import { migrate, refuseHalfCopied, refuseMissing } from './migrate.ts';
import { SERVER_TIME, type ServerTime } from './server-time.ts';
import { readMongoUrl } from './url.ts';

export interface ConnectionOptions {
  readonly url: string;
  /** Tests own the time. */
  readonly serverTime?: ServerTime;
  /** Tests look at the commands. */
  readonly client?: MongoClientOptions;
  /** For copy-store: `from` makes no database; `to` may open a half-copied one to continue it. */
  readonly copies?: 'from' | 'to';
  /** No database is made. */
  readonly mustExist?: boolean;
  readonly onUpgrade?: OnUpgrade | undefined;
  readonly onWarning?: OnWarning | undefined;
}

/** Connects, and brings indexes and schema up to date. Throws a Failure that says what to do. */
export async function connect(options: ConnectionOptions): Promise<Connection> {
  const { url, serverTime = SERVER_TIME, copies, mustExist = copies === 'from', onUpgrade, onWarning } = options;
  const { client, database, concerns } = readMongoUrl(url, options.client);
  let connection: Connection | undefined;
  try {
    connection = wrapClient(client, client.db(database, concerns), {
      serverTime,
      ...(onWarning && { onWarning }),
    });
    await connection.run(() => client.connect());
    if (mustExist) await refuseMissing(connection);
    if (copies !== 'to') await refuseHalfCopied(connection);
    await migrate(connection, { onUpgrade });
    await connection.run(connection.readClock);
    return connection;
  } catch (error) {
    await (connection ?? client).close();
    const reason = error instanceof Failure ? error.message : readProblem(error);
    if (reason === undefined) throw error;
    throw new Failure('unavailable', cannotUse(database, reason), {
      cause: error,
    });
  }
}
