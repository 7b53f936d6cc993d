import type { Document } from 'mongodb';
import { expect, it } from 'vitest';
import { connect } from '../../server/src/storage/mongo/connect.ts';
import { createMongoStore } from '../../server/src/storage/mongo/open-mongo.ts';
import { describeWithMongodb } from '../support/mongod/mongodb-server.ts';
import { accept, bytes, hex, putRepo, SHA } from './records.ts';

const COMMIT = hex(1);

describeWithMongodb('an accept on MongoDB', (server) => {
  it('takes eleven commands for a build’s first job and three for the next, and knows a repeat', async () => {
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
    expect(commands.splice(0).sort()).toEqual(['insert jobs', 'insert report_parts', 'update builds']);

    expect((await accept(store, repo.id, job('2'), same)).repeated).toBe(true);
    expect(commands.splice(0).filter((one) => one === 'update builds')).toHaveLength(1);
    await store.close();
  });

  it('does not ask again where the reports are that are merged after it', async () => {
    const url = server.databaseUrl();
    const connection = await connect({ url, client: { monitorCommands: true } });
    const [store, elsewhere] = [createMongoStore(connection), createMongoStore(await connect({ url }))];
    const repo = await putRepo(store);
    const jobs: number[] = [];
    const reports = ['one', 'two'].map(bytes);
    for (const [n, report] of reports.entries()) {
      const facts = { serviceNumber: '7', parallel: true, serviceJobId: String(n) };
      jobs.push((await accept(store, repo.id, facts, { report })).job.id);
    }
    const [{ id: buildId = 0 } = {}] = await store.builds.ofCommit(repo.id, SHA);
    const commands: string[] = [];
    connection.onCommand((command: Document) => commands.push(Object.entries(command)[0]?.join(' ') ?? ''));
    expect(await store.jobs.reports(jobs)).toEqual(reports);
    expect(commands.splice(0)).toEqual(['find report_parts']);
    expect(await elsewhere.jobs.reports(jobs)).toEqual(reports);

    const put = (merged: readonly number[]) =>
      store.mergedReports.put({ buildId, flag: undefined, jobs: merged, report: bytes('merged') });
    await put(jobs);
    commands.splice(0);
    await put(jobs.slice(1));
    expect(commands.splice(0)).toEqual(['update merged_reports', 'find builds']);
    await elsewhere.builds.remove(buildId);
    await put(jobs);
    expect(await connection.collections.mergedReports.countDocuments({ buildId })).toBe(0);
    await expect(store.jobs.reports(jobs)).rejects.toMatchObject({ code: 'not-found' });
    await store.close();
    await elsewhere.close();
  });

  it('asks for a build that two servers write by number and commit alone, and for all if it is gone', async () => {
    const url = server.databaseUrl();
    const connection = await connect({ url, client: { monitorCommands: true } });
    const store = createMongoStore(connection);
    const elsewhere = createMongoStore(await connect({ url }));
    const repo = await putRepo(store);
    const asked: string[][] = [];
    connection.onCommand((command: Document) => {
      if (command.find === 'builds' && command.filter.repoId === repo.id) asked.push(Object.keys(command.filter));
    });
    const job = (serviceJobId: string) => ({ serviceNumber: '7', commit: COMMIT, parallel: true, serviceJobId });
    for (const [n, one] of [store, store, elsewhere, store].entries())
      expect((await accept(one, repo.id, job(String(n)))).build.jobs).toBe(n + 1);
    asked.splice(0);
    const { build } = await accept(store, repo.id, job('4'));
    expect([build.jobs, asked.splice(0)]).toEqual([5, [['repoId', 'commits', 'record.serviceNumber']]]);

    expect(await elsewhere.builds.remove(build.id)).toBe(true);
    const next = await accept(store, repo.id, job('5'));
    expect([next.build.jobs, next.build.id === build.id]).toEqual([1, false]);
    await store.close();
    await elsewhere.close();
  });

  it('opens another build if the one that it wrote last is gone, and answers repeats as the build is now', async () => {
    const url = server.databaseUrl();
    const [store, elsewhere] = [createMongoStore(await connect({ url })), createMongoStore(await connect({ url }))];
    const repo = await putRepo(store);
    const job = (serviceJobId: string) => ({ serviceNumber: '7', commit: COMMIT, parallel: true, serviceJobId });
    const same = { contentDigest: hex(2, 64) };
    await accept(store, repo.id, job('1'), same);
    await accept(elsewhere, repo.id, job('2'));
    const repeated = await accept(store, repo.id, job('1'), same);
    expect([repeated.repeated, repeated.job.number, repeated.build.jobs]).toEqual([true, 1, 2]);

    const leg = (name: string) => ({ ...job('test'), serviceNumber: '9', serviceJobNumber: name });
    await accept(store, repo.id, leg('a'), same);
    await accept(elsewhere, repo.id, { ...leg('b'), expectedJobs: 3 });
    const again = await accept(store, repo.id, { ...leg('a'), serviceAttempt: 2 }, same);
    expect([again.repeated, again.build.expectedJobs]).toEqual([true, { jobs: 3, arrived: 2 }]);

    const next = (n: string) => accept(store, repo.id, { ...job(n), serviceNumber: '8' });
    const gone = await next('1');
    expect(await elsewhere.builds.remove(gone.build.id)).toBe(true);
    const opened = await next('2');
    expect([opened.build.jobs, opened.build.id === gone.build.id]).toEqual([1, false]);
    await store.close();
    await elsewhere.close();
  });
});
