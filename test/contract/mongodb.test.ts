import { afterAll, beforeAll } from 'vitest';
import { describeWithMongodb } from '../support/mongod/mongodb-server.ts';
import { type EmptiedDatabase, emptiedDatabase } from './emptied-database.ts';
import { describeReopening, describeStore } from './store-contract.ts';

describeWithMongodb('MongoDB', (server) => {
  let database: EmptiedDatabase;
  beforeAll(async () => {
    database = await emptiedDatabase(server.databaseUrl());
  });
  afterAll(() => database?.close());
  describeStore('a store', () => database.open());
  describeReopening('a store, opened again', () => database.open());
});
