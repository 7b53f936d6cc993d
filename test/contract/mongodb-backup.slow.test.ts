import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import { openMongoWriter } from '../../server/src/storage/mongo/mongo-archive.ts';
import { backUpStore } from '../../server/src/storage/open/back-up-store.ts';
import { openStore } from '../../server/src/storage/open/open-store.ts';
import { restoreStore } from '../../server/src/storage/open/restore-store.ts';
import { verifyBackup } from '../../server/src/storage/sqlite/backup.ts';
import { describeWithMongodb } from '../support/mongod/mongodb-server.ts';
import { askStore, goOn } from './copy-scene.ts';
import { ask, copyFiles, putStore } from './copying.ts';
import { accept, bytes, close, hex, MINUTE, putRepo, SHA, say, status, T0 } from './records.ts';

const files = copyFiles();
const newPath = (): string => files.next().slice('sqlite:'.length);
const refusal = (message: RegExp) =>
  expect.objectContaining({ name: 'Failure', message: expect.stringMatching(message) });

const source = (text: string) => ({ digest: hex(text.charCodeAt(0), 64), bytes: bytes(text) });

describeWithMongodb('a backup of a lone server of MongoDB', (server) => {
  /** A database with builds, closed and open, a message and a source. */
  async function putDatabase(): Promise<string> {
    const url = server.databaseUrl();
    const store = await openStore({ url });
    const { id } = await putRepo(store);
    const { build } = await accept(store, id, {}, { report: bytes('first'), sources: ['a', 'b'].map(source) });
    await close(store, build, { target: SHA, messages: [say(status('success'))] });
    await accept(
      store,
      id,
      { serviceNumber: '72', flag: 'unit' },
      { contentDigest: hex(2, 64), sources: [source('a')] },
    );
    await store.close();
    return url;
  }

  it('is for its owner only; restored to MongoDB and to a file it answers the same and continues', async () => {
    const [url, to] = [await putDatabase(), newPath()];
    const contents = await backUpStore({ url, to });
    expect(contents).toContainEqual({ table: 'jobs', rows: 2 });
    expect((await stat(to)).mode & 0o777).toBe(0o600);
    expect(verifyBackup(to)).toEqual(contents);
    const answers = await ask(url, T0, askStore);
    for (const restored of [server.databaseUrl(), files.next()]) {
      expect(await restoreStore({ from: to, url: restored, at: T0 })).toEqual({ contents, aside: undefined });
      expect(await ask(restored, T0, askStore)).toEqual(answers);
      expect(await ask(restored, T0, (store) => goOn(store, 1))).toMatchObject({ joined: [1, 2] });
    }
    expect(verifyBackup(to)).toEqual(contents);
    expect(readdirSync(dirname(to)).filter((name) => /restoring|\d-(wal|shm)$/.test(name))).toEqual([]);
  });

  it('of an SQLite file is restored to MongoDB', async () => {
    const [url, to, restored] = [await putStore(files.next()), newPath(), server.databaseUrl()];
    await backUpStore({ url, to });
    await restoreStore({ from: to, url: restored, at: T0 });
    expect(await ask(restored, T0, askStore)).toEqual(await ask(url, T0, askStore));
  });

  it('is refused while a server works, and where there is nothing, and leaves no file', async () => {
    const [url, to] = [await putDatabase(), newPath()];
    const store = await openStore({ url });
    await accept(store, 1, { serviceNumber: '73', parallel: false }, { at: 1 });
    expect(await store.builds.claimDue({ at: Date.now(), lease: MINUTE, limit: 9 })).not.toEqual([]);
    await expect(backUpStore({ url, to })).rejects.toEqual(refusal(/A server is using the database/));
    await store.close();
    await expect(backUpStore({ url: server.databaseUrl(), to })).rejects.toEqual(
      refusal(/of DATABASE_URL: no server has ever stored anything in it/),
    );
    expect(existsSync(to)).toBe(false);
  });

  it('that was half restored keeps servers from starting until the restore is run again', async () => {
    const [url, to, restored] = [await putDatabase(), newPath(), server.databaseUrl()];
    await backUpStore({ url, to });
    const target = await openMongoWriter({ url: restored, name: 'it' });
    await target.begin(`backup:${realpathSync(to)}`);
    await target.close();
    await expect(openStore({ url: restored })).rejects.toEqual(
      refusal(/a restore into it is not finished; run npm run restore again with the same --from/),
    );
    await restoreStore({ from: to, url: restored, at: T0 });
    expect(await ask(restored, T0, askStore)).toEqual(await ask(url, T0, askStore));
  });

  it('is restored to a new database only, and only whole', async () => {
    const [url, to] = [await putStore(server.databaseUrl()), newPath()];
    await backUpStore({ url, to });
    await expect(restoreStore({ from: to, url, at: T0 })).rejects.toEqual(
      refusal(/is not empty: it holds repos \(1\).*; set DATABASE_URL to a new database\./),
    );
    await rm(to);
    await expect(restoreStore({ from: to, url: server.databaseUrl(), at: T0 })).rejects.toEqual(
      refusal(/There is no file .* to restore/),
    );
  });
});
