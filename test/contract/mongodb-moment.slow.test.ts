import { MongoNetworkError } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyStore } from '../../server/src/storage/copy/copy-store.ts';
import { openMongoMoment } from '../../server/src/storage/mongo/mongo-archive.ts';
import { backUpStore } from '../../server/src/storage/open/back-up-store.ts';
import { openStore } from '../../server/src/storage/open/open-store.ts';
import { restoreStore } from '../../server/src/storage/open/restore-store.ts';
import { openSqliteWriter } from '../../server/src/storage/sqlite/sqlite-archive.ts';
import type { Store } from '../../server/src/storage/store.ts';
import { randomDatabaseName } from '../support/mongod/database-url.ts';
import { findMongod } from '../support/mongod/find-mongod.ts';
import { type RunningMongod, startMongod } from '../support/mongod/start-mongod.ts';
import { waitFor } from '../support/wait-for.ts';
import { askStore } from './copy-scene.ts';
import { ask, copyFiles } from './copying.ts';
import { openMongodbScene } from './mongodb-scene.ts';
import { accept, bytes, close, hex, putRepo, SHA, say, status, T0 } from './records.ts';

const found = await findMongod({ ownProcesses: true });
const files = copyFiles();
const newPath = (): string => files.next().slice('sqlite:'.length);

describe.skipIf(found.kind === 'none')('a backup of a replica set whose servers run', () => {
  let set: RunningMongod | undefined;
  beforeAll(async () => {
    if (found.kind !== 'none') set = await startMongod({ replicaSet: 1, found });
  });
  afterAll(() => set?.stop());
  const newDatabase = (): string => set?.databaseUrl(randomDatabaseName()) ?? '';

  it('holds one moment, whatever is written between its first and its last read', async () => {
    const url = newDatabase();
    const store = await openStore({ url });
    const repo = await putRepo(store);
    const removed = await putRepo(store, { name: 'octo/removed' });
    for (const { id } of [repo, removed]) await putBuild(store, id);
    const before = await askStore(store);
    const path = newPath();
    const { reader, isOneMoment } = await openMongoMoment({ url, name: 'it' });
    expect(isOneMoment).toBe(true);
    await accept(store, repo.id, { flag: 'later' }, { contentDigest: hex(8, 64), sources: [source('z')] });
    await putBuild(store, repo.id, '72');
    await store.repos.remove({ repoId: removed.id, description: 'gone', at: T0 });
    const writer = openSqliteWriter({ path, name: path });
    const compared = await copyStore({ from: reader, to: writer, isOneMoment });
    expect(compared.filter(({ isEqual }) => !isEqual)).toEqual([]);
    await Promise.all([writer.close(), reader.close()]);
    expect(await ask(`sqlite:${path}`, T0, askStore)).toEqual(before);
    expect(await askStore(store)).not.toEqual(before);
    await store.close();
  });

  it('holds what a process that died had still to announce, and the sources that it had still to keep', async () => {
    const url = newDatabase();
    const scene = await openMongodbScene(url);
    const cutOff = (isHere: (where: string, what: string) => boolean): void =>
      scene.beforeEach((where, what) => {
        if (isHere(where, what)) throw new MongoNetworkError('cut off');
      });
    const repo = await putRepo(scene.store);
    cutOff((where, what) => (where === 'sources' && what === 'updateMany') || where === 'deliveries');
    await putBuild(scene.store, repo.id);
    scene.beforeEach(undefined);
    await scene.store.close();
    const to = newPath();
    await backUpStore({ url, to });
    const restored = files.next();
    await restoreStore({ from: to, url: restored, at: T0 });
    await ask(restored, T0, async (store) => {
      expect(await store.jobs.source(repo.id, source('a').digest)).toEqual(source('a'));
      expect(await store.outbox.ofBuild({ repoId: repo.id, target: SHA, pullRequest: undefined })).toHaveLength(1);
    });
  });

  it('is made while jobs and closes go on, and is whole', async () => {
    const url = newDatabase();
    const store = await openStore({ url });
    const { id } = await putRepo(store);
    let isOver = false;
    let made = 0;
    const writing = (async () => {
      for (; !isOver; made += 1) await putBuild(store, id, String(made + 1));
    })();
    const [first, second] = [newPath(), newPath()];
    await backUpStore({ url, to: first });
    const before = made;
    await waitFor(() => made > before + 1, { what: 'two more builds' });
    await backUpStore({ url, to: second });
    isOver = true;
    await writing;
    await store.close();
    const counts: number[] = [];
    for (const from of [first, second]) {
      const restored = newDatabase();
      await restoreStore({ from, url: restored, at: T0 });
      counts.push(await ask(restored, T0, (one) => countWhole(one, id)));
    }
    expect(counts[1]).toBeGreaterThan(counts[0] ?? 0);
  });
});

const source = (text: string) => ({ digest: hex(text.charCodeAt(0), 64), bytes: bytes(text) });

/** A closed build whose message is to be delivered. */
async function putBuild(store: Store, repoId: number, serviceNumber = '71'): Promise<void> {
  const { build } = await accept(store, repoId, { serviceNumber }, { sources: [source('a')] });
  await close(store, build, { report: bytes('merged'), target: SHA, messages: [say(status('success'))] });
}

/** How many builds a repo has; each has all that belongs to it, except for the last one's close. */
async function countWhole({ builds, jobs }: Store, repoId: number): Promise<number> {
  const { builds: found, total } = await builds.list({ repoId, branch: undefined, offset: 0, limit: 10_000 });
  for (const build of found) {
    const [job] = await jobs.ofBuild(build.id);
    expect(await jobs.reports([job?.id ?? 0])).toHaveLength(1);
    expect(await jobs.source(repoId, source('a').digest)).toBeDefined();
    if (build.state === 'closed') expect(await builds.report(build.id)).toEqual(bytes('merged'));
    else expect(build.id).toBe(found[0]?.id);
  }
  return total;
}
