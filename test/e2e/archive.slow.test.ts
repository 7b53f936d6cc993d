import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFile,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inheritedEnvironment } from '../support/child-process.ts';
import { type Archive, makeArchive, run, startListening, unpackArchive } from '../support/packages/archive.ts';
import { releaseJobs } from '../support/repo-checks/own-workflows.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const COMMANDS = [
  ...['serve', 'token', 'user', 'rotate', 'repos', 'audit', 'gc', 'backup', 'restore', 'doctor', 'copy-store'],
  ...['export', 'import'],
];
const ALLOWED_LICENSES = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'ISC', 'MIT'];
const SECRETS = { ADMIN_TOKEN: 'a'.repeat(40), SECRET_KEY: 'ab'.repeat(32) };
let archive: Archive;
beforeAll(async () => {
  archive = await unpackArchive();
}, 300_000);
afterAll(() => archive.dispose());

/** From an empty folder, with no PATH and only these variables. */
const program = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  run({ program: archive.program, args, cwd: archive.empty, env });

const digest = async (file: string): Promise<string> =>
  createHash('sha256')
    .update(await readFile(file))
    .digest('hex');

test('the same commit gives the same bytes, and the digest beside the archive is theirs', async () => {
  const again = await mkdtemp(join(tmpdir(), 'archive-again-'));
  try {
    const [first, second] = await Promise.all([digest(archive.file), makeArchive(again).then(digest)]);
    expect(second).toBe(first);
    expect((await readFile(`${archive.file}.sha256`, 'utf8')).split(' ')[0]).toBe(first);
    execFileSync('sha256sum', ['-c', `${basename(archive.file)}.sha256`], { cwd: dirname(archive.file) });
  } finally {
    await rm(again, { recursive: true });
  }
}, 300_000);

test('every command says how it is used, by the name that it has in an archive', async () => {
  for (const command of COMMANDS) {
    const { code, stdout, stderr } = await program([command, '--help']);
    expect([command, code, stderr]).toEqual([command, 0, '']);
    expect(stdout).toContain(command === 'serve' ? 'coverage-service serve' : `coverage-service ${command}`);
    expect(stdout).not.toContain('npm run');
  }
  const { stdout } = await program(['--help']);
  expect(COMMANDS.filter((command) => !stdout.includes(`\n  ${command} `))).toEqual([]);
});

test('says what it is, through a link too; what it does not know is exit code 2', async () => {
  const link = join(archive.empty, '..', 'link');
  await symlink(archive.program, link);
  const said = {
    code: 0,
    stdout: expect.stringMatching(/^coverage-service \d+\.\d+\.\d+ \(commit [0-9a-f]{40}.*\)\n$/),
  };
  expect(await program(['--version'])).toMatchObject(said);
  expect(await run({ program: link, args: ['--version'], cwd: archive.empty })).toMatchObject(said);
  expect(await program(['serve', 'now'])).toMatchObject({ code: 2, stderr: expect.stringContaining('takes no "now"') });
  expect(await program(['--bogus'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('no command "--bogus"'),
  });
});

test('serves from an empty folder, and the commands work on what it made', async () => {
  const env = { ...SECRETS, PORT: '0' };
  const { url, child } = await startListening({ program: archive.program, cwd: archive.empty, env });
  expect(await (await fetch(`${url}/readyz`)).json()).toEqual({ status: 'ok' });
  expect(await readdir(join(archive.empty, 'data'))).toContain('coverage.db');
  expect(await (await fetch(`${url}/sign-in`)).text()).toContain('<code>coverage-service user create</code>');
  const made = await program(['token', 'create', '--user', 'alice'], env);
  expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\S{20,}\n$/) });
  expect(await program(['token', 'list'], env)).toMatchObject({ code: 0, stdout: expect.stringContaining('alice') });
  expect(await program(['backup', '--to', 'one.db'], env)).toMatchObject({ code: 0 });
  expect(await program(['gc', '--dry-run'], env)).toMatchObject({ code: 0 });
  expect((await program(['doctor', '--json'], env)).stdout).toContain('"database"');
  child.signal('SIGTERM');
  expect(await child.end).toEqual({ code: 0, signal: null });
  expect(await program(['restore', '--from', 'one.db'], env)).toMatchObject({ code: 0 });
  expect(await program(['token', 'list'], env)).toMatchObject({ stdout: expect.stringContaining('alice') });
});

test('commands of the server read the settings beside the program, and the command for CI never does', async () => {
  const file = join(archive.folder, 'environment');
  const database = join(archive.empty, '..', 'kept', 'coverage.db');
  await writeFile(file, `DATABASE_URL=sqlite:${database}\n`);
  const made = await program(['token', 'create', '--user', 'bob', '--make-database']);
  expect(made).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(`The database is sqlite:${database}, by the settings in ${file}.`),
  });
  await writeFile(file, 'no settings\n');
  expect(await program(['token', 'list'])).toMatchObject({ code: 1, stderr: expect.stringContaining('Line 1 of') });
  for (const ofClient of [['formats'], ['repos', '--help']])
    expect((await program(ofClient)).stderr).not.toContain('Line 1 of');
  await rm(file);
});

test("a release's checksums and cli.mjs check what a server of that version hands out", async () => {
  const release = await mkdtemp(join(tmpdir(), 'release-'));
  const shell = (script: string, cwd: string) =>
    spawnSync('bash', ['-e', '-c', script], { cwd, encoding: 'utf8', env: inheritedEnvironment() });
  const { url, child } = await startListening({ program: archive.program, cwd: archive.empty, env: { PORT: '0' } });
  try {
    const assets = join(release, 'release');
    await mkdir(assets);
    for (const name of ['cli.mjs', basename(archive.file)])
      await copyFile(join(dirname(archive.file), name), join(assets, name));
    const checksums = releaseJobs().publish?.steps.find(({ name }) => name === 'Checksums');
    expect(checksums?.['working-directory']).toBe('release');
    expect(shell(checksums?.run ?? 'false', assets).status).toBe(0);

    const page = await (await fetch(`${url}/docs/backup`)).text();
    expect(page).toContain('<h1 id="backups-keys-and-retention">');
    const served = Buffer.from(await (await fetch(`${url}/cli.mjs`)).arrayBuffer());
    await writeFile(join(release, 'cli.mjs'), served);
    await copyFile(join(assets, 'SHA256SUMS'), join(release, 'SHA256SUMS'));
    const check = 'sha256sum --check --ignore-missing SHA256SUMS';
    expect(shell(check, release)).toMatchObject({ status: 0, stdout: 'cli.mjs: OK\n' });
    await appendFile(join(release, 'cli.mjs'), ' ');
    expect(shell(check, release).status).toBe(1);
  } finally {
    child.signal('SIGTERM');
    await child.end;
    await rm(release, { recursive: true });
  }
});

test('the bill of materials and the notices name every module that npm would install, with its license', async () => {
  const options = ['ls', '--omit=dev', '--all', '--parseable', '--long', '--workspace', 'server'];
  const listed = execFileSync('npm', options, { cwd: root, env: inheritedEnvironment(), encoding: 'utf8' });
  // piscina runs without its optional one, which is another file on each platform.
  const expected = [...listed.matchAll(/^[^:]*node_modules[^:]*:([^:\n]+)/gm)]
    .map(([, name = '']) => name)
    .filter((name) => !/^@(?:coverage|napi-rs)\//.test(name));
  expect(expected.length).toBeGreaterThan(80);

  const bill = JSON.parse(await readFile(join(archive.folder, 'sbom.cdx.json'), 'utf8'));
  const named = bill.components.map((one: { name: string; version: string }) => `${one.name}@${one.version}`);
  expect(named[0]).toMatch(/^node@\d+\.\d+\.\d+$/);
  expect(new Set(named.slice(1))).toEqual(new Set(expected));
});

test('of the modules it holds those alone that the built server does not have in it', async () => {
  const { components } = JSON.parse(await readFile(join(archive.folder, 'sbom.cdx.json'), 'utf8'));
  const held = await readdir(join(archive.folder, 'lib/node_modules'));
  expect(held).toEqual(expect.arrayContaining(['mongodb', 'pino-pretty', 'piscina', 'shiki']));
  expect(held.filter((name) => /^(?:koa|zod|jose|@octokit|pino|undici)$/.test(name))).toEqual([]);
  expect(held.length).toBeLessThan(components.length / 2);
  expect(await readdir(join(archive.folder, 'lib/server'))).toEqual(['assets', 'dist', 'package.json']);
});

test('everything that it contains may be passed on, and says so', async () => {
  const { components } = JSON.parse(await readFile(join(archive.folder, 'sbom.cdx.json'), 'utf8'));
  const [node, ...modules] = components as readonly {
    name: string;
    version: string;
    licenses: { license: { id: string } }[];
  }[];
  const notices = await readFile(join(archive.folder, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
  expect(modules.filter(({ licenses: [one] }) => !ALLOWED_LICENSES.includes(one?.license.id ?? ''))).toEqual([]);
  expect(modules.filter(({ name, version }) => !notices.includes(`\n${name} ${version} (`))).toEqual([]);
  expect(notices).toContain(`\nNode.js ${node?.version}\n`);
  expect((await stat(join(archive.folder, 'LICENSE'))).isFile()).toBe(true);
});
