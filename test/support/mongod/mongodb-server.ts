import { MongoClient } from 'mongodb';
import { afterAll, describe, inject } from 'vitest';
import { databaseUrl, randomDatabaseName } from './database-url.ts';

/** The run's MongoDB server, as one suite sees it. */
export interface MongodbServer {
  /** For the deployment, without a database. Only while tests run. */
  readonly url: string;
  /** A database that nobody else has; dropped when the suite is done. */
  readonly databaseUrl: () => string;
}

/**
 * A `describe` that gets a server, or that is skipped when there is none (with REQUIRE_MONGODB=1 the run failed
 * before).
 */
export function describeWithMongodb(name: string, suite: (server: MongodbServer) => void): void {
  const provided = inject('mongodb');
  if ('missing' in provided) {
    describe.skip(name, () => suite(absentServer));
    return;
  }
  const { url } = provided;
  describe(name, () => {
    const names: string[] = [];
    // Registered before the suite's own hooks, so that it runs after them: their stores are closed by then.
    afterAll(() => dropDatabases(url, names));
    suite({
      url,
      databaseUrl: () => {
        const database = randomDatabaseName();
        names.push(database);
        return databaseUrl(url, database);
      },
    });
  });
}

/** The body of a skipped suite runs too, to learn its tests; none of them does. */
const absentServer: MongodbServer = {
  get url(): string {
    throw new Error('Ask for the URL inside a test or hook: this suite may be skipped');
  },
  databaseUrl: () => {
    throw new Error('Ask for a database inside a test or hook: this suite may be skipped');
  },
};

/** A server that was there already must be left as it was found. */
async function dropDatabases(url: string, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const client = new MongoClient(url);
  try {
    for (const name of names) await client.db(name).dropDatabase();
  } finally {
    await client.close();
  }
}
