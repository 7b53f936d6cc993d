import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { copyFile, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../../server/src/storage/open/open-store.ts';
import { writeBackup } from '../../server/src/storage/sqlite/backup.ts';
import { restoreBackup } from '../../server/src/storage/sqlite/restore.ts';
import type { Store } from '../../server/src/storage/store.ts';
import { makeDataFolder } from '../support/data-folder.ts';
import { askStore } from './copy-scene.ts';
import { accept, bytes, hex, putRepo, T0 } from './records.ts';

let directory = '';
let files = 0;
beforeAll(async () => {
  directory = await makeDataFolder('coverage-log-');
});
afterAll(() => rm(directory, { recursive: true }));

function newPath(): string {
  files += 1;
  return join(directory, `${files}.db`);
}

const open = (path: string): Promise<Store> => openStore({ url: `sqlite:${path}`, serverWait: 0 });

/** What a process leaves that is killed now. */
async function crashOf(path: string): Promise<string> {
  const to = newPath();
  for (const part of ['', '-wal']) await copyFile(path + part, to + part);
  return to;
}

/** Another program moves the log into the file: the next write begins the log again. */
function checkpoint(path: string): void {
  const db = new DatabaseSync(path);
  const [done] = db.prepare('PRAGMA wal_checkpoint(PASSIVE)').all();
  expect(done?.checkpointed).toBe(done?.log);
  db.close();
}

/** Two logs' worth of history in a store that stays open: `early` is a copy of the file between them. */
async function putHistory(): Promise<{ readonly path: string; readonly store: Store; readonly early: string }> {
  const [path, early] = [newPath(), newPath()];
  const store = await open(path);
  const repo = await putRepo(store);
  await accept(store, repo.id, {}, { report: bytes('early') });
  checkpoint(path);
  await copyFile(path, early);
  await accept(store, repo.id, { flag: 'a' }, { contentDigest: hex(2, 64) });
  checkpoint(path);
  await accept(store, repo.id, { flag: 'b' }, { contentDigest: hex(3, 64) });
  return { path, store, early };
}

const foreign = expect.objectContaining({
  name: 'Failure',
  message: expect.stringMatching(/\.db-wal do not belong together: .* Nothing was changed\. Run npm run restore -- /),
});

describe('a log that does not belong to its file', () => {
  it.each<[string, (scene: { readonly path: string; readonly early: string }) => Promise<string> | string]>([
    ['an older copy of the file', ({ early }) => early],
    ['a copy by npm run backup, of the time of this log', ({ path }) => backupOf(path)],
    ['an older copy, compacted', ({ early }) => compact(early)],
    ['an older copy that SQLite made', ({ early }) => copyBySqlite(early)],
    ['the database of another server', () => putOther()],
    ['a database of version 0.1.0, which had no marks', () => putEarlier()],
  ])('is refused beside %s, and nothing is changed', async (_, put) => {
    const { store, ...scene } = await putHistory();
    const there = await put(scene);
    await accept(store, 1, { flag: 'c' }, { contentDigest: hex(4, 64) });
    const crashed = await crashOf(scene.path);
    await store.close();
    await copyFile(there, crashed);
    const before = await digestsOf(crashed);
    await expect(open(crashed)).rejects.toEqual(foreign);
    await expect(openStore({ url: `sqlite:${crashed}` })).rejects.toEqual(foreign);
    expect(() => writeBackup(crashed, newPath())).toThrow(foreign);
    expect(await digestsOf(crashed)).toEqual(before);
  });

  it('is refused where it is older than the file', async () => {
    const { path, store } = await putHistory();
    const crashed = await crashOf(path);
    for (const flag of ['c', 'd']) {
      checkpoint(path);
      await accept(store, 1, { flag }, { contentDigest: hex(flag.charCodeAt(0), 64) });
    }
    checkpoint(path);
    await copyFile(path, crashed);
    await store.close();
    await expect(open(crashed)).rejects.toEqual(foreign);
  });

  it('is moved aside by a restore, and the server starts', async () => {
    const { path, store, early } = await putHistory();
    const from = backupOf(path);
    const answers = await askStore(store);
    const crashed = await crashOf(path);
    await store.close();
    await copyFile(early, crashed);
    await expect(open(crashed)).rejects.toEqual(foreign);
    await restoreBackup({ from, to: crashed, at: T0 });
    const restored = await open(crashed);
    expect(await askStore(restored)).toEqual(answers);
    await restored.close();
  });
});

describe('a log that belongs to its file', () => {
  it('is taken after a kill at any moment, no matter who wrote and what reached the file', async () => {
    const path = newPath();
    let store = await open(path);
    const { id } = await putRepo(store);
    let jobs = 0;
    const write = async (by = store): Promise<void> => {
      jobs += 1;
      await accept(by, id, { flag: `f${jobs}` }, { contentDigest: hex(jobs, 64) });
    };
    let endReader = (): void => {};
    const steps: readonly (() => Promise<void> | void)[] = [
      () => write(),
      () => checkpoint(path),
      () => write(),
      () => {
        endReader = readAlong(path);
      },
      () => write(),
      () => checkpointInPart(path),
      () => write(),
      () => endReader(),
      () => checkpoint(path),
      () => writeByAnother(path, write),
      () => checkpoint(path),
      () => writeByAnother(path, write),
      () => write(),
      () => compactInPlace(path),
      () => write(),
      () => checkpoint(path),
      async () => {
        await store.close();
        store = await open(path);
        await write();
      },
      () => write(),
    ];
    for (const step of steps) {
      await step();
      const crashed = await open(await crashOf(path));
      expect(await crashed.jobs.ofBuild(1)).toHaveLength(jobs);
      await crashed.close();
    }
    await store.close();
  });

  it('is taken beside a database that was just upgraded', async () => {
    const path = putEarlier();
    const store = await open(path);
    for (const name of ['octo/one', 'octo/two']) {
      await putRepo(store, { name });
      const crashed = await open(await crashOf(path));
      expect(await crashed.repos.findByName('github', name)).toBeDefined();
      await crashed.close();
      checkpoint(path);
    }
    await store.close();
  });

  it('is taken beside a backup that was copied into its place alone, once a server wrote to it', async () => {
    const { path, store } = await putHistory();
    const copied = newPath();
    await copyFile(backupOf(path), copied);
    await store.close();
    for (const flag of ['x', 'y']) {
      const next = await open(copied);
      await accept(next, 1, { flag }, { contentDigest: hex(flag.charCodeAt(0), 64) });
      await (await open(await crashOf(copied))).close();
      await next.close();
    }
  });
});

function backupOf(path: string): string {
  const to = newPath();
  writeBackup(path, to);
  return to;
}

async function digestsOf(path: string): Promise<readonly string[]> {
  const contents = await Promise.all(['', '-wal'].map((part) => readFile(path + part)));
  return contents.map((content) => createHash('sha256').update(content).digest('hex'));
}

async function putOther(): Promise<string> {
  const path = newPath();
  const store = await open(path);
  await putRepo(store);
  await store.close();
  return path;
}

function putEarlier(): string {
  const path = newPath();
  const packed = readFileSync(new URL('../fixtures/databases/0.1.0/records.db.gz', import.meta.url));
  writeFileSync(path, gunzipSync(packed));
  return path;
}

function compact(path: string): string {
  const to = newPath();
  const db = new DatabaseSync(path);
  db.prepare('VACUUM INTO ?').run(to);
  db.close();
  return to;
}

function compactInPlace(path: string): void {
  const db = new DatabaseSync(path);
  db.exec('VACUUM');
  db.close();
}

async function copyBySqlite(path: string): Promise<string> {
  const to = newPath();
  const db = new DatabaseSync(path);
  await backup(db, to);
  db.close();
  return to;
}

/** A reader whose moment keeps a checkpoint from going further. */
function readAlong(path: string): () => void {
  const db = new DatabaseSync(path, { readOnly: true });
  db.exec('BEGIN; SELECT count(*) FROM jobs');
  return () => db.close();
}

function checkpointInPart(path: string): void {
  const db = new DatabaseSync(path);
  const [done] = db.prepare('PRAGMA wal_checkpoint(PASSIVE)').all();
  expect(Number(done?.checkpointed)).toBeLessThan(Number(done?.log));
  db.close();
}

/** A command beside the server. */
async function writeByAnother(path: string, write: (by: Store) => Promise<void>): Promise<void> {
  const store = await openStore({ url: `sqlite:${path}` });
  await write(store);
  await store.close();
}
