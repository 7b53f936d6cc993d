import type { Document } from 'mongodb';
import { expect, it } from 'vitest';
import { connect } from '../../server/src/storage/mongo/connect.ts';
import { createMongoStore } from '../../server/src/storage/mongo/open-mongo.ts';
import { describeWithMongodb } from '../support/mongod/mongodb-server.ts';
import { accept, hex, putRepo } from './records.ts';

const COMMIT = hex(1);

describeWithMongodb('an accept on MongoDB', (server) => {
  it('takes eleven commands for a build’s first job and four for the next, and knows a repeat', async () => {
    const connection = await connect({ url: server.databaseUrl(), client: { monitorCommands: true } });
    const store = createMongoStore(connection);
    const repo = await putRepo(store);
    const commands: string[] = [];
    connection.onCommand((command: Document) => {
      const [[verb, collection] = []] = Object.entries(command);
      commands.push(`${verb} ${collection}`);
    });
    const job = (serviceJobId: string) => ({ serviceNumber: '7', commit: COMMIT, parallel: true, serviceJobId });

    await accept(store, repo.id, job('1'));
    expect(commands.splice(0).filter((one) => !one.endsWith('counters'))).toHaveLength(11);

    const same = { contentDigest: hex(2, 64) };
    expect((await accept(store, repo.id, job('2'), same)).repeated).toBe(false);
    expect(commands.splice(0).sort()).toEqual(['find builds', 'insert jobs', 'insert report_parts', 'update builds']);

    expect((await accept(store, repo.id, job('2'), same)).repeated).toBe(true);
    expect(commands.splice(0).filter((one) => one === 'update builds')).toHaveLength(1);
    await store.close();
  });

  it('asks for the build of its number and commit alone once it was found, and for all if that is gone', async () => {
    const connection = await connect({ url: server.databaseUrl(), client: { monitorCommands: true } });
    const store = createMongoStore(connection);
    const repo = await putRepo(store);
    const asked: string[][] = [];
    connection.onCommand((command: Document) => {
      if (command.find === 'builds') asked.push(Object.keys(command.filter));
    });
    const job = (serviceJobId: string) => ({ serviceNumber: '7', commit: COMMIT, parallel: true, serviceJobId });
    for (const id of ['1', '2']) await accept(store, repo.id, job(id));
    asked.splice(0);
    const { build } = await accept(store, repo.id, job('3'));
    expect([build.jobs, asked.splice(0)]).toEqual([3, [['repoId', 'commits', 'record.serviceNumber']]]);

    expect(await store.builds.remove(build.id)).toBe(true);
    const next = await accept(store, repo.id, job('4'));
    expect([next.build.jobs, next.build.id === build.id]).toEqual([1, false]);
    await store.close();
  });
});
