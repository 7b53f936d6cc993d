import { execFile } from 'node:child_process';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { openStore } from '../../server/src/storage/open/open-store.ts';
import { inheritedEnvironment } from '../support/child-process.ts';
import { coverageApi, job } from '../support/coverage-api.ts';
import { describeWithMongodb } from '../support/mongod/mongodb-server.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';
import { waitFor } from '../support/wait-for.ts';

const servers: ServerProcess[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.dispose();
});

async function start(env: Readonly<Record<string, string>> = {}) {
  const server = await startServer({ env });
  servers.push(server);
  return { server, api: coverageApi(server.url, server.adminToken) };
}

/** Runs `npm run rotate`, as built. */
function rotate(env: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const script = fileURLToPath(new URL('../../server/dist/cli/rotate.js', import.meta.url));
  return new Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }>((resolve) => {
    const options = { env: { ...inheritedEnvironment(), ...env } };
    execFile(process.execPath, [script, ...args], options, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    );
  });
}

const tokensIn = (stdout: string): Readonly<Record<string, string>> =>
  Object.fromEntries([...stdout.matchAll(/^(\S+) (cvr_\S+)$/gm)].map(([, repo = '', token = '']) => [repo, token]));

test('where the key file is lost for good, new tokens for all repos are one command', async () => {
  const { server, api } = await start();
  const old = await api.createRepo({ service: 'manual', name: 'acme/shop' });
  await api.createRepo({ service: 'manual', name: 'acme/till' });
  await server.stop();
  const url = `sqlite:${server.directory}/coverage.db`;
  const store = await openStore({ url });
  await store.repos.setHostToken({ repoId: old.id, token: { sealed: 'A'.repeat(80), at: 1 } });
  await store.close();
  const key = join(server.directory, 'coverage.db.key');
  await rm(key);
  await server.restart();
  expect(server.output().join('\n')).toContain(
    `The key file ${key} is missing, and 2 stored repo tokens need it. No new one was made`,
  );
  expect((await api.uploadJob(job({ repo_token: old.token }))).status).toBe(503);

  const env = { DATABASE_URL: url };
  expect(await rotate(env)).toMatchObject({ code: 2, stderr: expect.stringContaining('Say for which repos') });
  expect(await rotate(env, '--repo', 'acme/shop')).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('The key file beside the database is missing'),
  });
  expect(await rotate(env, '--lost')).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(
      /New tokens for 2 repos\. Uploads with an old token fail [\s\S]* changed: confirm with --yes/,
    ),
  });
  const rotated = await rotate(env, '--lost', '--yes');
  expect(rotated.stderr).toContain(
    'The git host tokens of some repos cannot be decrypted either. Set new ones for manual/acme/shop.',
  );
  expect(rotated).toMatchObject({ code: 0, stderr: expect.stringContaining(`Made ${key}: back it up`) });
  const tokens = tokensIn(rotated.stdout);
  expect(Object.keys(tokens).sort()).toEqual(['manual/acme/shop', 'manual/acme/till']);

  await server.restart();
  const token = tokens['manual/acme/shop'] ?? '';
  expect((await api.uploadJob(job({ repo_token: token }))).status).toBe(200);
  expect((await api.uploadJob(job({ repo_token: old.token }))).status).toBe(422);
  expect(await rotate(env, '--lost')).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('Nothing was changed'),
  });

  // For one repo, and for all, beside the server that runs.
  const one = tokensIn((await rotate(env, '--repo', 'acme/shop')).stdout);
  expect((await api.uploadJob(job({ repo_token: token }))).status).toBe(422);
  expect((await api.uploadJob(job({ repo_token: one['manual/acme/shop'] ?? '' }))).status).toBe(200);
  const all = tokensIn((await rotate(env, '--all', '--yes')).stdout);
  expect(Object.keys(all).sort()).toEqual(['manual/acme/shop', 'manual/acme/till']);
  expect((await api.uploadJob(job({ repo_token: all['manual/acme/shop'] ?? '' }))).status).toBe(200);
});

test('a key that opens nothing of what is stored ends the start, by SECRET_KEY or by a file', async () => {
  const { server, api } = await start();
  await server.restart({ SECRET_KEY: 'cd'.repeat(32) });
  const { token } = await api.createRepo({ service: 'manual', name: 'acme/shop' });
  await server.stop();
  const sentence = /coverage\.db\.key cannot decrypt any of the stored repo tokens \(1\)/;
  // The file that was made before there was a SECRET_KEY.
  await expect(server.restart({ SECRET_KEY: '' })).rejects.toThrow(sentence);
  await rename(join(server.directory, 'coverage.db.key'), join(server.directory, 'other.key'));
  await expect(server.restart({ SECRET_KEY: 'ab'.repeat(32) })).rejects.toThrow(/SECRET_KEY cannot decrypt any of the/);
  await server.restart({ SECRET_KEY: 'ab'.repeat(32), SECRET_KEY_PREVIOUS: 'cd'.repeat(32) });
  await server.restart({ SECRET_KEY: 'ab'.repeat(32), SECRET_KEY_PREVIOUS: '' });
  expect((await api.uploadJob(job({ repo_token: token }))).status).toBe(200);
});

test('a key that opens no App of /setup ends the start too, where no repo is; --lost gives the App up', async () => {
  const { server } = await start();
  await server.stop();
  const url = `sqlite:${server.directory}/coverage.db`;
  const store = await openStore({ url });
  await store.hostApps.put({ service: 'github', revision: 1, sealed: 'A'.repeat(80), at: 1 });
  await store.close();
  await expect(server.restart()).rejects.toThrow(
    /coverage\.db\.key cannot decrypt any of the stored Apps of \/setup \(1\): .* give them up: npm run rotate -- --/,
  );
  const key = join(server.directory, 'coverage.db.key');
  await rm(key);
  await server.restart();
  expect(server.output().join('\n')).toContain(`${key} is missing, and 1 App of /setup needs it`);
  await server.stop();
  const env = { DATABASE_URL: url };
  expect((await rotate(env, '--lost')).stderr).toMatch(
    /\nNo key can decrypt the App that was created at \/setup[\s\S]* changed: confirm with --yes/,
  );
  expect(await rotate(env, '--lost', '--yes')).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(`Made ${key}: back it up, and start the server again.\n`),
  });
  await server.restart();
  expect(await rotate(env, '--lost')).toMatchObject({ stderr: expect.stringContaining('Nothing was changed') });
});

describeWithMongodb('a cluster', (mongodb) => {
  test('takes no server of another SECRET_KEY', async () => {
    const DATABASE_URL = mongodb.databaseUrl();
    const { api } = await start({ DATABASE_URL, SECRET_KEY: 'ab'.repeat(32) });
    await api.createRepo({ service: 'manual', name: 'acme/shop' });
    await expect(start({ DATABASE_URL, SECRET_KEY: 'cd'.repeat(32) })).rejects.toThrow(
      /ended with code 1 [\s\S]*in a cluster all servers have the same SECRET_KEY/,
    );
    await start({ DATABASE_URL, SECRET_KEY: 'ab'.repeat(32) });
  });

  test('that begins with two keys sends nothing to the server of the other one', async () => {
    const DATABASE_URL = mongodb.databaseUrl();
    const [first, other] = await Promise.all(
      ['ab', 'cd'].map((byte) => start({ DATABASE_URL, SECRET_KEY: byte.repeat(32) })),
    );
    const ready = async () => Promise.all([first, other].map(async (one) => (await one?.api.send('/readyz'))?.status));
    expect(await ready()).toEqual([200, 200]);
    await first?.api.createRepo({ service: 'manual', name: 'acme/shop' });
    await waitFor(async () => (await ready()).join() === '200,503', { what: 'the other server not to be ready' });
    expect((await other?.api.send('/readyz'))?.text).toContain(
      'SECRET_KEY cannot decrypt any of the stored repo tokens (1): another server of this database has another key.',
    );
  });
});
