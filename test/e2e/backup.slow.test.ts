import { execFile } from 'node:child_process';
import { copyFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { inheritedEnvironment } from '../support/child-process.ts';
import { job, sourceFile } from '../support/coverage-api.ts';
import { createCrashScene } from '../support/crash-scene.ts';

const { start, end } = createCrashScene();
afterEach(end);

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `npm run backup` or `npm run restore`, as built. */
function run(
  command: 'backup' | 'restore',
  args: readonly string[],
  databaseUrl: string,
  SECRET_KEY = '',
): Promise<Outcome> {
  const script = fileURLToPath(new URL(`../../server/dist/cli/${command}.js`, import.meta.url));
  const env = { ...inheritedEnvironment(), DATABASE_URL: databaseUrl, SECRET_KEY };
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
    });
  });
}

test('a backup of a running server is restored once the server stopped, and the server answers as it did', async () => {
  const { server, api, token } = await start();
  const url = `sqlite:${join(server.directory, 'coverage.db')}`;
  const backup = join(server.directory, 'backup.db');
  await api.uploadJob(job({ repo_token: token, parallel: true }));
  const { json: close } = await api.closeBuild({ repo_token: token, build_num: '71' });
  const before = await api.buildJson(close.url);
  expect(before.json).toMatchObject({ state: 'closed' });

  expect(await run('backup', ['--to', backup], url)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^TABLE +ROWS\n(.*\n)*jobs +1\n/),
    stderr: expect.stringMatching(/is a verified backup/),
  });
  expect((await stat(backup)).mode & 0o777).toBe(0o600);
  await api.uploadJob(job({ repo_token: token, parallel: true, source_files: [sourceFile('src/late.ts', [0, 0])] }));
  expect(await run('restore', ['--from', backup], url)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/is in use by another server: stop that one first\./),
  });

  await server.stop();
  expect(await run('restore', ['--from', backup], url)).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(
      /What was there before is now .*\.before-.*;.*\n.* is restored; you can start the server\.\n$/,
    ),
  });
  const names = await readdir(server.directory);
  expect(names.filter((name) => name.includes('.before-'))).toHaveLength(1);
  await server.restart();
  expect((await api.buildJson(close.url)).text).toBe(before.text);
  const again = await api.uploadJob(job({ repo_token: token, parallel: true, flag_name: 'late' }));
  expect(again.status).toBe(200);
});

test('a backup that was copied over the database of a killed server is refused, and a restore fixes it', async () => {
  const { server, api, token } = await start();
  const path = join(server.directory, 'coverage.db');
  const backup = join(server.directory, 'backup.db');
  const { json: first } = await api.uploadJob(job({ repo_token: token, parallel: true }));
  expect(await run('backup', ['--to', backup], `sqlite:${path}`)).toMatchObject({ code: 0 });
  const late = job({ repo_token: token, parallel: true, source_files: [sourceFile('src/late.ts', [0])] });
  const { json: second } = await api.uploadJob(late);
  await server.kill();
  await copyFile(backup, path);
  await expect(server.restart()).rejects.toThrow(
    /ended with code 1 .*\n.*coverage\.db-wal do not belong together: .* Run npm run restore -- --from <backup>/,
  );
  expect(await run('restore', ['--from', backup], `sqlite:${path}`)).toMatchObject({ code: 0 });
  await server.restart();
  const shown = ({ url }: { readonly url: string }) => api.jobJson(url.slice(url.lastIndexOf('/') + 1));
  expect((await shown(first)).status).toBe(200);
  expect((await shown(second)).status).toBe(404);
});

/** At a terminal of its own, in which `answer` is typed. */
function runAtTerminal(args: readonly string[], databaseUrl: string, answer: string): Promise<Outcome> {
  const script = fileURLToPath(new URL('../../server/dist/cli/restore.js', import.meta.url));
  const env = { ...inheritedEnvironment(), DATABASE_URL: databaseUrl };
  const line = [process.execPath, script, ...args].map((one) => `'${one}'`).join(' ');
  return new Promise((resolve) => {
    const child = execFile('script', ['-qec', line, '/dev/null'], { env }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
    });
    child.stdin?.write(`${answer}\n`);
  });
}

test('a restore asks before it makes a database where none is', async () => {
  const { server } = await start();
  const backup = join(server.directory, 'backup.db');
  const missing = join(server.directory, 'mistyped.db');
  const url = `sqlite:${missing}`;
  await server.stop();
  expect(await run('backup', ['--to', backup], `sqlite:${join(server.directory, 'coverage.db')}`)).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^The database is sqlite:\S+coverage\.db\.\n/),
  });
  expect(await run('restore', ['--from', backup], url)).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(
      /^The database is \S+mistyped\.db\.\nThere is no database .* confirm with --make-database/,
    ),
  });
  expect(await runAtTerminal(['--from', backup], url, 'no')).toMatchObject({ code: 1 });
  expect(await readdir(server.directory)).not.toContain('mistyped.db');
  expect(await runAtTerminal(['--from', backup], url, 'yes')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('is restored; you can start the server'),
  });
  const another = `sqlite:${join(server.directory, 'another.db')}`;
  expect(await run('restore', ['--from', backup, '--make-database'], another)).toMatchObject({ code: 0 });
});

test('a restore without the key of the time names the repos whose tokens are lost', async () => {
  const { server } = await start();
  const url = `sqlite:${join(server.directory, 'coverage.db')}`;
  const backup = join(server.directory, 'backup.db');
  await server.stop();
  expect(await run('backup', ['--to', backup], url)).toMatchObject({ code: 0 });
  const restored = await run('restore', ['--from', backup], url, 'ab'.repeat(32));
  expect(restored).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(
      /^None of the configured keys can decrypt the tokens of 1 repo: \w+\/\S+\. Bring back the SECRET_KEY/m,
    ),
  });
  expect((await run('restore', ['--from', backup], url)).stderr).not.toContain('No key');
});

test.each([
  ['backup', [], 2, /^Name the file to write: --to <file>\.\n\nWrites everything/],
  ['restore', [], 2, /^Name the backup to restore: --from <file>\.\n\nCreates the database/],
  ['backup', ['--too', 'x'], 2, /^Unknown option '--too'/],
  [
    'backup',
    ['--to', '/nowhere/x.db'],
    1,
    /^The database is \S+\.\nCannot create the file \/nowhere\/x\.db: ENOENT\.\n$/,
  ],
  [
    'restore',
    ['--from', '/nowhere/x.db'],
    1,
    /^The database is \S+\.\nThere is no file \/nowhere\/x\.db to restore: .* --from\.\n$/,
  ],
] as const)('%s %j exits with %d and a sentence', async (command, args, code, sentence) => {
  const outcome = await run(command, args, 'sqlite:/nowhere/coverage.db');
  expect(outcome).toEqual({ code, stdout: '', stderr: expect.stringMatching(sentence) });
});

test.each([
  ['backup', '--to', /^DATABASE_URL is sqlite::memory:, which no other process can read or write/],
  ['restore', '--from', /^(DATABASE_URL is sqlite::memory:|There is no file x\.db)/],
] as const)('%s explains itself, and repeats no password', async (command, option, sentence) => {
  expect(await run(command, ['--help'], '')).toMatchObject({ code: 0, stdout: expect.stringMatching(/npm run/) });
  const inMemory = await run(command, [option, 'x.db'], 'sqlite::memory:');
  expect(inMemory).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(sentence) });
  const nameless = await run(command, [option, 'x.db'], 'mongodb://me:hush@db', 'ab'.repeat(32));
  const noDatabase = expect.stringMatching(/^(?!.*hush)DATABASE_URL names no MongoDB database/);
  expect(nameless).toEqual({ code: 1, stdout: '', stderr: noDatabase });
});
