import type { Document } from 'mongodb';
import { expect, it } from 'vitest';
import { connect } from '../../server/src/storage/mongo/connect.ts';
import { createMongoStore } from '../../server/src/storage/mongo/open-mongo.ts';
import { describeWithMongodb } from '../support/mongod/mongodb-server.ts';
import { accept, putRepo } from './records.ts';

const MANY = 6_000;

describeWithMongodb('a repo with many builds on MongoDB', (server) => {
  it('is counted by its newest builds alone, also after one was removed elsewhere', async () => {
    const url = server.databaseUrl();
    const [one, other] = [await connect({ url, client: { monitorCommands: true } }), await connect({ url })];
    const [store, elsewhere] = [createMongoStore(one), createMongoStore(other)];
    const repo = await putRepo(store);
    const { build } = await accept(store, repo.id);
    const documents = Array.from({ length: MANY }, (_, n) => ({
      _id: 10_000 + n,
      repoId: repo.id,
      listed: true,
      sequence: build.sequence + 1 + n,
    }));
    await one.collections.builds.insertMany(documents as never);
    await one.collections.repos.updateOne({ _id: repo.id }, { $set: { lastSequence: build.sequence + MANY } });

    const counts: Document[] = [];
    one.onCommand((command) => {
      if (command.aggregate === 'builds') counts.push(command.pipeline[0].$match);
    });
    const total = async (): Promise<number> =>
      (await store.views.list({ repoId: repo.id, branch: undefined, offset: 0, limit: 1 })).total;
    const isOfAll = ({ sequence = {} }: Document): boolean => !('$gt' in sequence);

    expect(await total()).toBe(MANY + 1);
    expect(counts.splice(0).filter(isOfAll)).toHaveLength(1);
    expect(await total()).toBe(MANY + 1);
    expect(counts.splice(0).filter(isOfAll)).toEqual([]);
    await elsewhere.builds.remove(build.id);
    expect(await total()).toBe(MANY);
    await store.close();
    await elsewhere.close();
  });
});
