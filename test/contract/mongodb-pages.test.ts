import type { Document } from 'mongodb';
import { expect, it } from 'vitest';
import { connect } from '../../server/src/storage/mongo/connect.ts';
import { createMongoStore } from '../../server/src/storage/mongo/open-mongo.ts';
import type { Store } from '../../server/src/storage/store.ts';
import { describeWithMongodb } from '../support/mongod/mongodb-server.ts';
import { accept, bytes, close, hex, putClosed, putRepo, T0 } from './records.ts';

describeWithMongodb('what pages ask MongoDB for', (server) => {
  /** Two servers of one database, and the commands that the first of them sends. */
  const open = async (): Promise<{ store: Store; elsewhere: Store; sent: () => readonly string[] }> => {
    const url = server.databaseUrl();
    const connection = await connect({ url, client: { monitorCommands: true } });
    const commands: string[] = [];
    connection.onCommand((command: Document) => {
      const [[verb, collection] = []] = Object.entries(command);
      commands.push(`${verb} ${collection}`);
    });
    const [store, elsewhere] = [createMongoStore(connection), createMongoStore(await connect({ url }))];
    return { store, elsewhere, sent: () => commands.splice(0) };
  };

  it('is a merged report once, and another or none as soon as any server replaces or removes it', async () => {
    const { store, elsewhere, sent } = await open();
    const repo = await putRepo(store);
    const put = async (number: string) => {
      const { build } = await accept(store, repo.id, { serviceNumber: number, commit: hex(Number(number)) });
      return close(store, build, { report: bytes(`report ${number}`) });
    };
    const [first, second, third] = [await put('1'), await put('2'), await put('3')];
    const read = async ({ id }: { readonly id: number }) => {
      sent();
      const report = await store.builds.report(id);
      return [report && new TextDecoder().decode(report), sent().includes('find report_parts')];
    };
    expect(await read(first)).toEqual(['report 1', true]);
    expect(await read(first)).toEqual(['report 1', false]);
    (await store.builds.report(first.id))?.fill(0);
    expect(await read(first)).toEqual(['report 1', false]);

    await close(elsewhere, first, { report: bytes('of another close') });
    expect(await read(first)).toEqual(['of another close', true]);
    await read(second);
    expect(await elsewhere.builds.remove(second.id)).toBe(true);
    expect(await read(second)).toEqual([undefined, false]);
    await read(third);
    expect(await store.builds.remove(third.id)).toBe(true);
    expect(await read(third)).toEqual([undefined, false]);
    await elsewhere.repos.remove({ repoId: repo.id, description: 'removed', at: T0 });
    expect(await read(first)).toEqual([undefined, false]);
    await store.close();
    await elsewhere.close();
  });

  it('are the texts of its files in one command, and the builds of a commit in another', async () => {
    const { store, elsewhere, sent } = await open();
    const repo = await putRepo(store);
    const sources = Array.from({ length: 5 }, (_, n) => ({ digest: hex(n, 64), bytes: bytes(`text ${n}`) }));
    const { build } = await accept(store, repo.id, {}, { sources });
    sent();
    const digests = [...sources.map(({ digest }) => digest), hex(9, 64)];
    const found = await Promise.all(digests.map((digest) => store.jobs.source(repo.id, digest)));
    expect(found).toEqual([...sources, undefined]);
    expect(await store.jobs.source(repo.id, hex(1, 64))).toEqual(sources[1]);
    expect(sent()).toEqual(['find sources', 'find sources']);

    await putClosed(store, repo.id, { serviceNumber: '2', commit: build.commit, trust: 'run' });
    sent();
    const listed = await store.builds.ofCommit(repo.id, build.commit ?? '');
    expect(listed.map(({ trust }) => trust)).toEqual(['run', 'secret']);
    expect(sent()).toEqual(['find builds']);
    await store.close();
    await elsewhere.close();
  });
});
