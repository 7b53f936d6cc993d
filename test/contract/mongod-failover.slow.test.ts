import { MongoClient } from 'mongodb';
import { expect, it } from 'vitest';
import { findMongod } from '../support/mongod/find-mongod.ts';
import { describeWithMongodb } from '../support/mongod/mongodb-server.ts';
import { startMongod } from '../support/mongod/start-mongod.ts';

describeWithMongodb('a replica set', () => {
  const durable = { writeConcern: { w: 'majority' as const, journal: true } };

  it('replaces a primary that was killed within 20 s, and takes it back with its data', async (context) => {
    const found = await findMongod({ ownProcesses: true });
    // Only where MONGODB_URL is all there is.
    if (found.kind === 'none') return context.skip(found.reasons.join('; '));
    const set = await startMongod({ replicaSet: 3, found });
    const client = new MongoClient(set.databaseUrl('failover'));
    try {
      const things = client.db().collection('things');
      await things.insertOne({ name: 'before' }, durable);
      const killed = await set.killPrimary?.();
      await things.insertOne({ name: 'without' }, { ...durable, timeoutMS: 20_000 });
      expect(await things.countDocuments()).toBe(2);
      await killed?.restart();
      // Only all three can acknowledge this one.
      await things.insertOne({ name: 'again' }, { writeConcern: { w: 3, wtimeoutMS: 20_000 } });
      expect(await things.distinct('name')).toEqual(['again', 'before', 'without']);
    } finally {
      await client.close();
      await set.stop();
    }
    await expect(new MongoClient(set.url, { serverSelectionTimeoutMS: 500 }).connect()).rejects.toThrow(/ECONNREFUSED/);
  }, 120_000);
});
