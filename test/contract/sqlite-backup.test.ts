import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../../server/src/storage/open/open-store.ts';
import { verifyBackup, writeBackup } from '../../server/src/storage/sqlite/backup.ts';
import { restoreBackup } from '../../server/src/storage/sqlite/restore.ts';
import { askStore, fillStore, goOn } from './copy-scene.ts';
import { accept, bytes, putRepo, T0 } from './records.ts';

let directory = '';
let files = 0;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'coverage-backup-'));
});
afterAll(() => rm(directory, { recursive: true }));

function newPath(): string {
  files += 1;
  return join(directory, `${files}.db`);
}

const refusal = (message: RegExp) =>
  expect.objectContaining({ name: 'Failure', message: expect.stringMatching(message) });

async function ask<T>(
  path: string,
  question: (store: Awaited<ReturnType<typeof openStore>>) => Promise<T>,
): Promise<T> {
  const store = await openStore({ url: `sqlite:${path}` });
  return question(store).finally(() => store.close());
}

/** A backup of a store with one job, whose report is `report`. */
async function putBackup(report = bytes('the report of the backup')): Promise<string> {
  const [path, to] = [newPath(), newPath()];
  await ask(path, async (store) => accept(store, (await putRepo(store)).id, {}, { report }));
  writeBackup(path, to);
  return to;
}

describe('a backup of an SQLite file', () => {
  it('is of one moment of a store in use, for its owner only; restored it answers the same and continues', async () => {
    const [path, to, restored] = [newPath(), newPath(), newPath()];
    const store = await openStore({ url: `sqlite:${path}`, serverWait: 0 });
    await fillStore(store);
    const before = await askStore(store);
    const contents = writeBackup(path, to);
    expect(contents.find(({ table }) => table === 'repos')?.rows).toBeGreaterThan(1);
    await putRepo(store, { name: 'octo/later' });
    await store.check();
    await store.close();
    expect((await stat(to)).mode & 0o777).toBe(0o600);
    expect(existsSync(`${to}-wal`)).toBe(false);

    expect(await restoreBackup({ from: to, to: restored, at: T0 })).toEqual({ contents, aside: undefined });
    expect((await stat(restored)).mode & 0o777).toBe(0o600);
    expect(await ask(restored, askStore)).toEqual(before);
    expect(await ask(restored, (one) => goOn(one, 1))).toMatchObject({ repeated: [true, true] });
    expect(verifyBackup(to)).toEqual(contents);
  });

  it('is never written over a file, and none is left where it fails', async () => {
    const [path, to] = [newPath(), newPath()];
    await ask(path, (store) => putRepo(store));
    await writeFile(to, 'mine');
    expect(() => writeBackup(path, to)).toThrow(
      refusal(/Cannot create the file .* it is there already; name a new file\./),
    );
    expect(await readFile(to, 'utf8')).toBe('mine');
    const foreign = newPath();
    expect(() => writeBackup(join(directory, 'nothing.db'), foreign)).toThrow(
      refusal(/nothing\.db: .*cannot be opened/),
    );
    expect(() => writeBackup(to, foreign)).toThrow(refusal(/is not an SQLite database/));
    expect(existsSync(foreign)).toBe(false);
  });
});

describe('a restore', () => {
  it('moves what was there aside, an old log too, and puts a whole database in its place', async () => {
    const backup = await putBackup();
    const [path, other] = [newPath(), newPath()];
    await ask(path, (store) => putRepo(store, { name: 'octo/before' }));
    const store = await openStore({ url: `sqlite:${other}` });
    await putRepo(store, { name: 'octo/other' });
    // A log that does not belong to the database, as a careless copy leaves it.
    await copyFile(`${other}-wal`, `${path}-wal`);
    await store.close();
    const { aside } = await restoreBackup({ from: backup, to: path, at: T0 });
    expect(aside).toBe(`${path}.before-20270101T000000000Z`);
    expect(existsSync(`${path}-wal`)).toBe(false);
    expect(existsSync(`${aside}-wal`)).toBe(true);
    await rm(`${aside}-wal`);
    const name = async (file: string) => ask(file, async (one) => (await one.repos.find(1))?.name);
    expect(await name(path)).toBe('octo/parser');
    expect(await name(aside ?? '')).toBe('octo/before');
    expect(await ask(path, (one) => one.jobs.reports([1]))).toEqual([bytes('the report of the backup')]);
  });

  it('is refused while a server runs, which continues', async () => {
    const backup = await putBackup();
    const path = newPath();
    const server = await openStore({ url: `sqlite:${path}`, serverWait: 0 });
    const restore = () => restoreBackup({ from: backup, to: path, at: T0 });
    await expect(restore()).rejects.toEqual(refusal(/is in use by another server: stop that one first/));
    await putRepo(server, { name: 'octo/running' });
    await server.close();
    expect((await restore()).aside).toBeDefined();
  });

  it.each<[string, RegExp, (path: string) => Promise<unknown> | unknown]>([
    ['whose report was changed by one byte', /is damaged/, flipReport],
    [
      'that was cut off',
      /is damaged|malformed|not an SQLite/,
      async (path) => writeFile(path, (await readFile(path)).subarray(0, -16_384)),
    ],
    ['without digests', /is not a backup, or an incomplete one/, (path) => change(path, 'DROP TABLE backup_digests')],
    ['with a row too many', /is damaged/, (path) => change(path, "INSERT INTO counters VALUES ('x', 1)")],
    ['of a newer version', /newer version of this program/, (path) => change(path, 'PRAGMA user_version = 99')],
    ['of another program', /of another program/, (path) => change(path, 'PRAGMA application_id = 1')],
    ['that is a text', /is not an SQLite database/, (path) => writeFile(path, 'x'.repeat(20_000))],
    ['that is not there', /There is no file/, (path) => rm(path)],
  ])('is refused of a backup %s, and changes nothing', async (_, message, spoil) => {
    const backup = await putBackup();
    const path = newPath();
    await ask(path, (store) => putRepo(store, { name: 'octo/before' }));
    await spoil(backup);
    await expect(restoreBackup({ from: backup, to: path, at: T0 })).rejects.toEqual(refusal(message));
    expect(await ask(path, async (store) => (await store.repos.find(1))?.name)).toBe('octo/before');
  });

  it('that was cut off keeps servers from starting until it is run again', async () => {
    const backup = await putBackup();
    const path = newPath();
    await ask(path, (store) => putRepo(store, { name: 'octo/before' }));
    // After the database was moved aside, before the restored one took its place.
    await copyFile(backup, `${path}.restored`);
    await rename(path, `${path}.before`);
    for (const serverWait of [undefined, 0]) {
      const opened = openStore({ url: `sqlite:${path}`, ...(serverWait !== undefined && { serverWait }) });
      await expect(opened).rejects.toEqual(refusal(/a restore into .* is not finished; run npm run restore again/));
    }
    expect((await restoreBackup({ from: backup, to: path, at: T0 })).aside).toBeUndefined();
    expect(await ask(path, async (store) => (await store.repos.find(1))?.name)).toBe('octo/parser');
  });
});

async function flipReport(path: string): Promise<void> {
  const content = await readFile(path);
  const at = content.indexOf('the report of the backup');
  expect(at).toBeGreaterThan(0);
  content.set([content[at + 4] === 0x52 ? 0x72 : 0x52], at + 4);
  await writeFile(path, content);
}

function change(path: string, sql: string): void {
  const db = new DatabaseSync(path);
  db.exec(sql);
  db.close();
}
