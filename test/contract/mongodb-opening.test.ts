import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { MongoClient } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { readMongoUrl } from '../../server/src/storage/mongo/url.ts';
import { openStore } from '../../server/src/storage/open/open-store.ts';
import { describeWithMongodb } from '../support/mongod/mongodb-server.ts';
import { putRepo } from './records.ts';

const refusal = (message: RegExp) =>
  expect.objectContaining({ name: 'Failure', code: 'unavailable', message: expect.stringMatching(message) });

describe('a MongoDB URL', () => {
  it.each([
    ['mongodb://db/coverage?w=1', /asks for the write concern w=1; .* leave w out/],
    ['mongodb://db/coverage?w=0', /asks for the write concern w=0/],
    ['mongodb://db/coverage?journal=false', /asks for journal=false; .* leave journal out/],
    ['mongodb://db/coverage?readConcernLevel=local', /asks for the read concern "local"/],
    ['mongodb://db/coverage?readPreference=secondaryPreferred', /asks for readPreference=secondaryPreferred/],
    ['mongodb://db/coverage?tls=true&tlsInsecure=true', /asks for certificates not to be checked .* tlsCAFile/],
    ['mongodb://db/coverage?tls=true&tlsAllowInvalidCertificates=true', /asks for certificates not to be checked/],
    ['mongodb+srv://db/coverage?tlsAllowInvalidHostnames=true', /asks for certificates not to be checked/],
    ['mongodb://db', /names no database; put one after the hosts/],
    ['mongodb://db/?retryWrites=true', /names no database/],
    ['mongodb://me:hush@/coverage', /not a MongoDB URL that the driver understands/],
    ['mongodb://me:hush@db/coverage?nonsense=1', /not a MongoDB URL that the driver understands/],
  ])('%s is refused with the reason', async (url, message) => {
    await expect(openStore({ url })).rejects.toEqual(refusal(message));
    await expect(openStore({ url })).rejects.not.toEqual(refusal(/hush/));
  });

  it('has its options honored, and limits where it states none', async () => {
    const stated = readMongoUrl(
      'mongodb://a,b/coverage?replicaSet=rs&serverSelectionTimeoutMS=123&maxPoolSize=7&w=majority',
    );
    expect(stated.database).toBe('coverage');
    expect(stated.client.options).toMatchObject({ replicaSet: 'rs', serverSelectionTimeoutMS: 123, maxPoolSize: 7 });
    expect(readMongoUrl('mongodb://a/coverage?appName=mine&wtimeoutMS=99')).toMatchObject({
      client: { options: { appName: 'mine' } },
      concerns: { writeConcern: { w: 'majority', journal: true, wtimeoutMS: 99 } },
    });
    expect(readMongoUrl('mongodb://a/coverage').client.options).toMatchObject({ serverSelectionTimeoutMS: 8_000 });
  });
});

describe('a MongoDB that cannot be reached', () => {
  it.each([
    [
      'mongodb+srv://nowhere.invalid/coverage',
      /Cannot use the database coverage of DATABASE_URL: E[A-Z]+: check the hosts/,
    ],
    [
      'mongodb://db/coverage?tls=true&tlsCAFile=/nowhere.pem',
      /Cannot use the database coverage of DATABASE_URL: ENOENT: check/,
    ],
  ])('by what %s names: a sentence', async (url, message) => {
    await expect(openStore({ url })).rejects.toEqual(refusal(message));
  });

  it('makes the start fail in time, with a sentence', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const url = (at: number): string => `mongodb://me:hush@127.0.0.1:${at}/coverage?serverSelectionTimeoutMS=400`;
    for (const at of [port, 1]) {
      await expect(openStore({ url: url(at) })).rejects.toEqual(
        refusal(/^Cannot use the database coverage of DATABASE_URL: MongoDB does not answer in time/),
      );
    }
    silent.close();
  });
});

describeWithMongodb('a database of MongoDB', (server) => {
  const change = async (url: string, work: (client: MongoClient) => Promise<unknown>): Promise<void> => {
    const client = new MongoClient(url);
    await work(client);
    await client.close();
  };

  it('is made when it is missing, and opened again', async () => {
    const url = server.databaseUrl();
    const store = await openStore({ url });
    const repo = await putRepo(store);
    await store.close();
    const again = await openStore({ url });
    expect(await again.repos.find(repo.id)).toEqual(repo);
    await again.close();
  });

  it('of another program is refused and stays as it is', async () => {
    const url = server.databaseUrl();
    await change(url, (client) => client.db().collection('bookmarks').insertOne({ url: 'x' }));
    await expect(openStore({ url })).rejects.toEqual(refusal(/holds collections of another program/));
    await change(url, async (client) => {
      expect((await client.db().collections()).map(({ collectionName }) => collectionName)).toEqual(['bookmarks']);
    });
  });

  it('into which a copy is not finished is refused', async () => {
    const url = server.databaseUrl();
    await (await openStore({ url })).close();
    await change(url, (client) => client.db().collection<{ _id: string }>('notes').insertOne({ _id: 'copy' }));
    await expect(openStore({ url })).rejects.toEqual(
      refusal(/a copy into it is not finished; run npm run copy-store again/),
    );
  });
});
