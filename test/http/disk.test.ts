import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { findStoreWarnings, openStore } from '../../server/src/storage/open/open-store.ts';
import { startHttpApp } from '../support/http-app.ts';

const folder = mkdtempSync(join(tmpdir(), 'coverage-disk-'));
afterAll(() => rmSync(folder, { recursive: true }));

const MIB = 2 ** 20;
const EXT4 = 0xef53;

test('a server on a disk that is too full is not ready, says why, and is ready again when there is room', async () => {
  const disk = { free: 100 * MIB, asked: new Set<string>() };
  const statfs = async (path: string) => {
    disk.asked.add(path);
    return { type: EXT4, bavail: disk.free / 4_096, bsize: 4_096 };
  };
  const path = join(folder, 'coverage.db');
  const store = await openStore({ url: `sqlite:${path}`, serverWait: 0, disk: { min: 100 * MIB, statfs } });
  const time = { now: 0 };
  const app = await startHttpApp({ checkStore: store.check, now: () => time.now });
  const ready = async () => {
    time.now += 1_000;
    const answer = await app.fetch('/readyz');
    return { status: answer.status, body: await answer.json() };
  };
  expect(await ready()).toEqual({ status: 200, body: { status: 'ok' } });
  disk.free -= 4_096;
  const message =
    'The disk that holds the database is too full to accept uploads: 99 MiB are free, less than MIN_FREE_DISK (100 ' +
    'MiB). Make room.';
  expect(await ready()).toEqual({ status: 503, body: { message, error: true } });
  expect((await app.fetch('/healthz')).status).toBe(200);
  disk.free += 4_096;
  expect(await ready()).toEqual({ status: 200, body: { status: 'ok' } });
  expect([...disk.asked]).toEqual([path]);
  await app.stop();
  await store.close();
});

test.each([
  ['in memory', 'sqlite::memory:', 100],
  ['whose bound is off', `sqlite:${join(folder, 'unbounded.db')}`, 0],
])('a store %s has no disk to be full', async (_, url, min) => {
  const statfs = () => Promise.reject(new Error('nobody asks'));
  const store = await openStore({ url, serverWait: 0, disk: { min, statfs } });
  await store.check();
  await store.close();
});

test.each<[number, RegExp | undefined]>([
  [0x6969, /NFS/],
  [0xff534d42, /CIFS/],
  [0xff534d42 - 2 ** 32, /CIFS/],
  [0xfe534d42, /SMB/],
  [0x01021997, /9P/],
  [0x65735546, /FUSE, such as sshfs/],
  [EXT4, undefined],
  [0x58465342, undefined],
  [0x01021994, undefined],
])('of a database on a file system of type %i the log says %s', async (type, named) => {
  const asked: string[] = [];
  const statfs = async (path: string) => {
    asked.push(path);
    return { type, bavail: 1, bsize: 1 };
  };
  const warnings = await findStoreWarnings('sqlite:/srv/data/coverage.db', statfs);
  expect(asked).toEqual(['/srv/data/coverage.db']);
  if (named === undefined) return expect(warnings).toEqual([]);
  expect(warnings).toEqual([expect.stringMatching(/^\/srv\/data\/coverage\.db is on a network file system \(.*\): /)]);
  expect(warnings[0]).toMatch(named);
});

test('nothing is said of other stores, nor where the system does not tell', async () => {
  const statfs = () => Promise.reject(new Error('no such call'));
  for (const url of ['sqlite:/srv/coverage.db', 'sqlite::memory:', 'mongodb://db/coverage'])
    expect(await findStoreWarnings(url, statfs)).toEqual([]);
});
