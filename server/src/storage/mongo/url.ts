import {
  type DbOptions,
  MongoClient,
  type MongoClientOptions,
  type MongoOptions,
  MongoParseError,
  ReadConcern,
} from 'mongodb';
import { Failure, quoteValue } from '../../core/failure.ts';

/** How long an operation waits for a primary, in ms: an election takes less, and a request still gets its answer. */
const SELECTION_LIMIT = 8_000;
/** A connection that says nothing for this long is given up, in ms. */
const SOCKET_LIMIT = 60_000;
/** How long a write waits for a majority, in ms. */
const MAJORITY_LIMIT = 8_000;

const EXAMPLE = 'mongodb://user:password@db1,db2,db3/coverage?replicaSet=rs0';

/** A client for a URL, not connected yet, and the database that the URL names. */
export interface MongoTarget {
  readonly client: MongoClient;
  readonly database: string;
  /** For every operation: acknowledged by a majority, in its journals. */
  readonly concerns: DbOptions;
}

/**
 * Reads a URL `mongodb://` or `mongodb+srv://`. Its options are honored; refused is one that would lose accepted jobs
 * (a weaker write or read concern, reads from secondaries) or believe any certificate. Throws a Failure; never repeats
 * the URL, which may hold a password.
 */
export function readMongoUrl(url: string, more: MongoClientOptions = {}): MongoTarget {
  const options: MongoClientOptions = {
    ...defaultOf(url, 'appName', 'coverage'),
    ignoreUndefined: true,
    ...defaultOf(url, 'serverSelectionTimeoutMS', SELECTION_LIMIT),
    ...defaultOf(url, 'socketTimeoutMS', SOCKET_LIMIT),
    ...more,
  };
  const client = openClient(url, options);
  const refusal = findRefusal(client.options, url);
  if (refusal !== undefined) throw new Failure('unavailable', `DATABASE_URL ${refusal}.`);
  const wtimeoutMS = client.options.writeConcern?.wtimeoutMS ?? MAJORITY_LIMIT;
  return {
    client,
    database: client.options.dbName,
    concerns: {
      writeConcern: { w: 'majority', journal: true, wtimeoutMS },
      readConcern: new ReadConcern('majority'),
      readPreference: 'primary',
    },
  };
}

function openClient(url: string, options: MongoClientOptions): MongoClient {
  try {
    return new MongoClient(url, options);
  } catch (error) {
    // The driver's sentences about a URL name an option, never a value that could be the password.
    const reason = error instanceof MongoParseError ? error.message.split('\n', 1)[0] : 'it cannot be read';
    throw new Failure(
      'unavailable',
      `DATABASE_URL is not a MongoDB URL that the driver understands (${reason}); give one such as ${EXAMPLE}.`,
      {
        cause: error,
      },
    );
  }
}

function findRefusal(options: MongoOptions, url: string): string | undefined {
  const concern = options.writeConcern;
  if (!statesDatabase(url)) return `names no database; put one after the hosts, such as ${EXAMPLE}`;
  if (concern?.w !== undefined && concern.w !== 'majority') {
    return (
      `asks for the write concern w=${quoteValue(concern.w)}; ` +
      'a job that is answered 200 must survive the loss of a server, which only w=majority promises: leave w out'
    );
  }
  if (concern?.journal === false || concern?.j === false) {
    return 'asks for journal=false; a job that is answered 200 must survive a crash: leave journal out';
  }
  const level = options.readConcern?.level;
  if (level !== undefined && level !== 'majority') {
    return (
      `asks for the read concern ${quoteValue(level)}; what is read must not be rolled back: ` +
      'leave readConcernLevel out'
    );
  }
  if (options.readPreference.mode !== 'primary') {
    return (
      `asks for readPreference=${options.readPreference.mode}; ` +
      'a secondary lags behind, and a job would not find its build: leave it out'
    );
  }
  // As the driver reads tlsInsecure, tlsAllowInvalidCertificates and tlsAllowInvalidHostnames.
  if (options.rejectUnauthorized === false || options.checkServerIdentity !== undefined)
    return (
      'asks for certificates not to be checked (tlsInsecure, tlsAllowInvalidCertificates or ' +
      'tlsAllowInvalidHostnames); leave that out, and let tlsCAFile name the authority that issued them'
    );
  return undefined;
}

/** The driver fills in `test` where a URL names no database. */
function statesDatabase(url: string): boolean {
  return /^mongodb(?:\+srv)?:\/\/[^/?]+\/[^/?]+/i.test(url);
}

/** Unless the URL says otherwise. */
function defaultOf(url: string, option: string, value: number | string): Record<string, number | string> {
  const text = url.toLowerCase();
  const isStated = ['?', '&'].some((before) => text.includes(`${before}${option.toLowerCase()}=`));
  return isStated ? {} : { [option]: value };
}
