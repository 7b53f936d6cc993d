import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../server/src/storage/open/open-store.ts';
import { verifyBackup } from '../../server/src/storage/sqlite/backup.ts';
import { MIGRATIONS } from '../../server/src/storage/sqlite/schema.ts';
import type { UpgradeBackup } from '../../server/src/storage/sqlite/upgrade-backup.ts';

const earlier = gunzipSync(readFileSync(new URL('../fixtures/databases/0.1.0/records.db.gz', import.meta.url)));

function fileOfAnEarlierVersion() {
  const folder = mkdtempSync(join(tmpdir(), 'upgrade-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'coverage.db');
  writeFileSync(path, earlier);
  const backups = (): readonly string[] => readdirSync(folder).filter((name) => name.includes('.before-'));
  return { folder, path, url: `sqlite:${path}`, backups };
}

function look(path: string): { readonly version: number; readonly builds: number } {
  const db = new DatabaseSync(path, { readOnly: true });
  const { user_version: version } = db.prepare('PRAGMA user_version').get() as { user_version: number };
  const { builds } = db.prepare('SELECT count(*) AS builds FROM builds').get() as { builds: number };
  db.close();
  return { version, builds };
}

test('a file of an older schema is backed up before it is brought up to date, once', async () => {
  const { url, path, folder, backups } = fileOfAnEarlierVersion();
  const before = look(path);
  expect(before.version).toBeLessThan(MIGRATIONS.length);
  expect(before.builds).toBeGreaterThan(0);
  const made: UpgradeBackup[] = [];
  const upgrade = { keep: 2, report: (one: UpgradeBackup) => made.push(one) };

  await (await openStore({ url, upgrade })).close();
  expect(look(path).version).toBe(MIGRATIONS.length);
  expect(backups()).toEqual([expect.stringMatching(/^coverage\.db\.before-upgrade-\d+-\d{8}T\d{9}Z$/)]);
  const backup = join(folder, backups()[0] as string);
  expect(made).toEqual([{ backup, from: before.version, to: MIGRATIONS.length }]);
  expect(look(backup)).toEqual(before);
  expect(verifyBackup(backup).length).toBeGreaterThan(5);

  await (await openStore({ url, upgrade })).close();
  expect(made).toHaveLength(1);
});

test('the newest two are kept, and none is made of a new file, or where none is wanted', async () => {
  const { url, path, folder, backups } = fileOfAnEarlierVersion();
  const old = ['9-20250101T000000000Z', '10-20250201T000000000Z'].map((one) => `coverage.db.before-upgrade-${one}`);
  for (const name of [...old, 'coverage.db.before-20250101T000000000Z']) writeFileSync(join(folder, name), '');
  await (await openStore({ url })).close();
  expect(backups()).toHaveLength(3);
  expect(backups()).toEqual(expect.arrayContaining([old[1], 'coverage.db.before-20250101T000000000Z']));

  await (await openStore({ url: `sqlite:${join(folder, 'new.db')}` })).close();
  expect(backups().filter((name) => name.startsWith('new'))).toEqual([]);
  writeFileSync(path, earlier);
  rmSync(`${path}-wal`, { force: true });
  await (await openStore({ url, upgrade: { keep: 0, report: () => undefined } })).close();
  expect(backups()).toHaveLength(3);
});

test('where there is no room for it, nothing is changed', async () => {
  const { url, path, backups } = fileOfAnEarlierVersion();
  const before = readFileSync(path);
  const upgrade = { keep: 2, report: () => undefined, readFree: () => before.length - 1 };
  await expect(openStore({ url, upgrade })).rejects.toThrow(/needs \d+ MiB, but only \d+ MiB are free: make room/);
  expect(backups()).toEqual([]);
  expect(readFileSync(path).equals(before)).toBe(true);
});
