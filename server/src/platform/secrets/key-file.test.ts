import { createSecretKey, randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadOrCreateKeyFile } from './key-file.ts';
import { findKey } from './open-secrets.ts';
import { looksTyped, parseSecretKey } from './secret-key.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'key-file-'));
  path = join(folder, 'coverage.db.key');
});
afterEach(() => rm(folder, { recursive: true }));

describe('loadOrCreateKeyFile', () => {
  test('makes one key for its owner alone, and nothing else', async () => {
    const made = await loadOrCreateKeyFile(path, { randomBytes });
    expect(made).toMatchObject({ created: true, warning: undefined });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readFile(path, 'utf8')).toBe(`${made.key.export().toString('hex')}\n`);
    expect(await readdir(folder)).toEqual(['coverage.db.key']);
  });

  test('makes the folder too', async () => {
    await loadOrCreateKeyFile(join(folder, 'data', 'x.key'), { randomBytes });
    expect((await stat(join(folder, 'data'))).mode & 0o777).toBe(0o700);
  });

  test('reads it again', async () => {
    const made = await loadOrCreateKeyFile(path, { randomBytes });
    const read = await loadOrCreateKeyFile(path, { randomBytes });
    expect(read.created).toBe(false);
    expect(read.key.equals(made.key)).toBe(true);
  });

  test('gives one key to all who start at once', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => loadOrCreateKeyFile(path, { randomBytes })));
    expect(new Set(all.map(({ key }) => key.export().toString('hex'))).size).toBe(1);
    expect(all.filter(({ created }) => created)).toHaveLength(1);
    expect(await readdir(folder)).toEqual(['coverage.db.key']);
  });

  test.each([
    ['empty', ''],
    ['short', 'abcdef\n'],
    ['two keys', `${'ab'.repeat(32)}\n${'cd'.repeat(32)}\n`],
  ])('refuses a file that is %s, and leaves it as it is', async (_, content) => {
    await writeFile(path, content, { mode: 0o600 });
    await expect(loadOrCreateKeyFile(path, { randomBytes })).rejects.toThrow(
      `${path} does not contain one key: it has ${content.length} bytes`,
    );
    expect(await readFile(path, 'utf8')).toBe(content);
  });

  test('warns when others may read it', async () => {
    await loadOrCreateKeyFile(path, { randomBytes });
    await chmod(path, 0o644);
    expect((await loadOrCreateKeyFile(path, { randomBytes })).warning).toBe(
      `The key file ${path} may be read by others (mode 644); run: chmod 600 ${path}`,
    );
  });
});

describe('findKey', () => {
  test('takes SECRET_KEY first', async () => {
    const secretKey = createSecretKey(randomBytes(32));
    expect(await findKey({ randomBytes }, { secretKey, databaseUrl: `sqlite:${folder}/a.db` })).toEqual({
      key: secretKey,
      warnings: [],
    });
    expect(await readdir(folder)).toEqual([]);
  });

  test('makes the key file beside the database and says so', async () => {
    const found = await findKey({ randomBytes }, { secretKey: undefined, databaseUrl: `sqlite:${folder}/a.db` });
    expect(found.warnings).toEqual([expect.stringContaining(`Made ${folder}/a.db.key`)]);
    const again = await findKey({ randomBytes }, { secretKey: undefined, databaseUrl: `sqlite:${folder}/a.db` });
    expect(again.warnings).toEqual([]);
    expect(again.key.equals(found.key)).toBe(true);
  });

  test('writes nothing for a store in memory', async () => {
    const { key, warnings } = await findKey({ randomBytes }, { secretKey: undefined, databaseUrl: 'sqlite::memory:' });
    expect(key.symmetricKeySize).toBe(32);
    expect(warnings).toEqual([]);
  });
});

describe('parseSecretKey', () => {
  const bytes = randomBytes(32);

  test.each([bytes.toString('hex'), bytes.toString('hex').toUpperCase(), bytes.toString('base64')])(
    'reads %s',
    (text) => {
      expect(parseSecretKey(text)?.export()).toEqual(bytes);
    },
  );

  test.each([
    '',
    'secret',
    bytes.toString('hex').slice(1),
    `${bytes.toString('hex')}0`,
    bytes.toString('base64').slice(1),
    'g'.repeat(64),
  ])('refuses %j', (text) => {
    expect(parseSecretKey(text)).toBeUndefined();
  });

  test('distinguishes a typed key from a random one', () => {
    expect(looksTyped(createSecretKey(Buffer.alloc(32)))).toBe(true);
    expect(looksTyped(createSecretKey(Buffer.from('0123456789abcdef0123456789abcdef')))).toBe(false);
    expect(looksTyped(createSecretKey(Buffer.from('aaaabbbbccccddddaaaabbbbccccdddd')))).toBe(true);
    expect(looksTyped(createSecretKey(bytes))).toBe(false);
  });
});
