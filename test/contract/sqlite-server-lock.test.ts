import { mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStore } from '../../server/src/storage/open/open-store.ts';
import { lockForServer } from '../../server/src/storage/sqlite/server-lock.ts';

let directory = '';
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'coverage-lock-'));
});
afterAll(() => rm(directory, { recursive: true }));

const LONG = 60_000;
const inUse = expect.objectContaining({
  name: 'Failure',
  code: 'unavailable',
  message: expect.stringMatching(/coverage\.db is in use by another server: stop that one first\./),
});

test('a file takes one server, by whatever path, and others beside it', async () => {
  const path = join(directory, 'one', 'coverage.db');
  const server = await openStore({ url: `sqlite:${path}`, serverWait: 0 });
  const link = join(directory, 'link-to-coverage.db');
  await symlink(path, link);
  for (const one of [path, link]) {
    await expect(openStore({ url: `sqlite:${one}`, serverWait: 0 })).rejects.toEqual(inUse);
    const command = await openStore({ url: `sqlite:${one}` });
    await command.check();
    await command.close();
  }
  await server.check();
  expect((await stat(`${path}.lock`)).mode & 0o777).toBe(0o600);
  await server.close();
  await server.close();
  const next = await openStore({ url: `sqlite:${link}`, serverWait: 0 });
  await next.close();
});

test('a second server waits for one that stops', async () => {
  const path = join(directory, 'coverage.db');
  const lock = await lockForServer(path, 0);
  let isOpen = false;
  const next = openStore({ url: `sqlite:${path}`, serverWait: LONG }).then((store) => {
    isOpen = true;
    return store;
  });
  await expect(lockForServer(path, 300)).rejects.toEqual(inUse);
  expect(isOpen).toBe(false);
  lock.release();
  await (await next).close();
});

test('a server that cannot open its database leaves no lock, and memory takes any number', async () => {
  const path = join(directory, 'no-database.db');
  await writeFile(path, 'x'.repeat(10_000));
  const open = () => openStore({ url: `sqlite:${path}`, serverWait: 0 });
  for (const _ of [1, 2]) await expect(open()).rejects.toThrow(/is not an SQLite database/);
  const inMemory = () => openStore({ url: 'sqlite::memory:', serverWait: 0 });
  for (const store of await Promise.all([inMemory(), inMemory()])) await store.close();
});
