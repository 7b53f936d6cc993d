import { chmod, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../../server/src/storage/open/open-store.ts';
import { connect } from '../../server/src/storage/sqlite/connection.ts';
import { APPLICATION_ID } from '../../server/src/storage/sqlite/migrate.ts';
import { MIGRATIONS } from '../../server/src/storage/sqlite/schema.ts';
import { makeDataFolder } from '../support/data-folder.ts';
import { putRepo } from './records.ts';

let directory = '';

beforeAll(async () => {
  directory = await makeDataFolder('coverage-files-');
});
afterAll(() => rm(directory, { recursive: true }));

const at = (name: string) => ({ path: join(directory, name), url: `sqlite:${join(directory, name)}` });
const refusal = (message: RegExp) =>
  expect.objectContaining({ name: 'Failure', code: 'unavailable', message: expect.stringMatching(message) });

describe('opening a store by URL', () => {
  it('refuses a scheme that it does not know, without repeating a password', async () => {
    const url = 'postgres://admin:s3cret@db/coverage';
    await expect(openStore({ url })).rejects.toEqual(
      refusal(/the scheme "postgres:".*use sqlite:\.\/data\/coverage\.db/),
    );
    await expect(openStore({ url })).rejects.not.toEqual(refusal(/s3cret/));
    await expect(openStore({ url: './coverage.db' })).rejects.toEqual(refusal(/no scheme/));
    await expect(openStore({ url: 'sqlite' })).rejects.toEqual(refusal(/no scheme/));
    await expect(openStore({ url: 'sqlite:' })).rejects.toEqual(refusal(/names no file/));
  });

  it('makes directory and file readable by their owner only', async () => {
    const { url, path } = at('new/deep/coverage.db');
    const store = await openStore({ url });
    await putRepo(store);
    expect((await stat(join(directory, 'new'))).mode & 0o777).toBe(0o700);
    for (const suffix of ['', '-wal', '-shm']) expect((await stat(path + suffix)).mode & 0o777).toBe(0o600);
    await store.close();
  });

  it('says which file cannot be opened', async () => {
    await writeFile(at('plain').path, 'text');
    await expect(openStore({ url: at('plain/coverage.db').url })).rejects.toEqual(
      refusal(/Cannot open or create .*plain\/coverage\.db/),
    );
    await expect(openStore({ url: `sqlite:${directory}` })).rejects.toEqual(refusal(/Cannot open or create/));
  });
});

describe('an SQLite file', () => {
  it('is durable, checked and paged as decided', async () => {
    const { url, path } = at('pragmas.db');
    await (await openStore({ url })).close();
    const connection = connect({ path, busyTimeout: 100 });
    const pragma = (name: string) => Object.values(connection.prepare(`PRAGMA ${name}`).get() ?? {})[0];
    expect(pragma('journal_mode')).toBe('wal');
    expect(pragma('synchronous')).toBe(2);
    expect(pragma('foreign_keys')).toBe(1);
    expect(pragma('page_size')).toBe(8_192);
    expect(pragma('busy_timeout')).toBe(100);
    expect(pragma('application_id')).toBe(APPLICATION_ID);
    expect(pragma('user_version')).toBe(MIGRATIONS.length);
    expect(pragma('integrity_check')).toBe('ok');
    await connection.close();
  });

  it('of a newer version is refused and stays as it is', async () => {
    const { url, path } = at('newer.db');
    await (await openStore({ url })).close();
    change(path, `PRAGMA user_version = ${MIGRATIONS.length + 1}`);
    const before = await readFile(path);
    await expect(openStore({ url })).rejects.toEqual(
      refusal(/newer\.db was written by a newer version .* start that version/),
    );
    expect(await readFile(path)).toEqual(before);
  });

  it('of another program is refused and stays as it is', async () => {
    const { url, path } = at('foreign.db');
    change(path, 'CREATE TABLE bookmarks (url TEXT)');
    const before = await readFile(path);
    await expect(openStore({ url })).rejects.toEqual(refusal(/foreign\.db is an SQLite database of another program/));
    expect(await readFile(path)).toEqual(before);
    change(path, 'PRAGMA application_id = 77');
    await expect(openStore({ url })).rejects.toEqual(refusal(/another program/));
  });

  it('that is none is refused and stays as it is', async () => {
    const { url, path } = at('notes.txt');
    const text = 'not a database, but longer than a header. '.repeat(500);
    await writeFile(path, text);
    await expect(openStore({ url })).rejects.toEqual(
      refusal(/notes\.txt: The database file is not an SQLite database/),
    );
    expect(await readFile(path, 'utf8')).toBe(text);
  });

  it('that is damaged makes the store unavailable', async () => {
    const { url, path } = at('damaged.db');
    const store = await openStore({ url });
    await putRepo(store);
    await store.close();
    const bytes = await readFile(path);
    await writeFile(path, bytes.fill(0xa5, 16_384));
    await expect(openStore({ url }).then(putRepo)).rejects.toEqual(refusal(/damaged|malformed/));
  });

  it('is left at its old version by a migration that fails', async () => {
    const { url, path } = at('half.db');
    // A table of the first step's name in a file that is marked ours: its CREATE TABLE fails half way through.
    change(path, `CREATE TABLE jobs (x); PRAGMA application_id = ${APPLICATION_ID}`);
    await expect(openStore({ url })).rejects.toThrow(/table jobs already exists/);
    const db = new DatabaseSync(path);
    expect(db.prepare('SELECT name FROM sqlite_schema').all()).toEqual([{ name: 'jobs' }]);
    expect(db.prepare('PRAGMA user_version').get()).toEqual({ user_version: 0 });
    db.close();
  });

  it.skipIf(process.getuid?.() === 0)('that may not be written is refused', async () => {
    const { url, path } = at('read-only.db');
    await (await openStore({ url })).close();
    await chmod(path, 0o400);
    await expect(openStore({ url })).rejects.toEqual(refusal(/read-only\.db/));
  });
});

function change(path: string, sql: string): void {
  const db = new DatabaseSync(path);
  db.exec(sql);
  db.close();
}
