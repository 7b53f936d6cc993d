import { MongoClient } from 'mongodb';

/** Drops the database that a URL names, on a server that stays. */
export async function dropDatabase(url: string): Promise<void> {
  const client = new MongoClient(url);
  try {
    await client.db().dropDatabase();
  } finally {
    await client.close();
  }
}
