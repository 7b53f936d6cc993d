import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { inheritedEnvironment } from '../support/child-process.ts';
import { coverageApi } from '../support/coverage-api.ts';
import { createGitRepo } from '../support/git-repo.ts';
import { run, startListening } from '../support/packages/archive.ts';
import { runCommand } from '../support/run-command.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';

const servers: ServerProcess[] = [];
const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
  for (const server of servers.splice(0)) await server.dispose();
});

async function start(env: Record<string, string>): Promise<ServerProcess> {
  const server = await startServer({ env });
  servers.push(server);
  return server;
}

interface Line {
  readonly level: string;
  readonly msg: string;
  readonly client?: string;
}
const linesOf = (server: ServerProcess) => server.output().map((line) => JSON.parse(line) as Line);

test('every line of the log is JSON, at the least level too, and a mistyped setting is told in it', async () => {
  const server = await start({ RETENTON_DAYS: '3', LOG_LEVEL: 'warn' });
  const told = expect.stringContaining('RETENTON_DAYS is set, but is not a setting of this server: did you mean');
  expect(linesOf(server)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ level: 'warn', msg: told }),
      expect.objectContaining({ level: 'info', msg: `listening on ${server.url}` }),
    ]),
  );
  const verbose = await fetch(`${server.url}/readyz?verbose`, {
    headers: { authorization: `token ${server.adminToken}` },
  });
  const { checks } = (await verbose.json()) as { readonly checks: readonly object[] };
  expect(checks[0]).toMatchObject({ name: 'settings', state: 'warning', seen: told });
  await server.stop();
  expect(linesOf(server).filter(({ msg }) => msg.includes('RETENTON_DAYS'))).toHaveLength(1);
});

test('the command says who it is', async () => {
  const server = await start({});
  const { token } = await coverageApi(server.url, server.adminToken).createRepo({
    service: 'manual',
    name: 'acme/shop',
  });
  const repo = createGitRepo();
  repo.commit('Add a file', { 'a.js': 'one();\n', 'lcov.info': 'SF:a.js\nDA:1,1\nend_of_record\n' });
  const env = { COVERAGE_ENDPOINT: server.url, COVERALLS_REPO_TOKEN: token };
  const reported = await runCommand(['report'], { folder: repo.directory, env });
  expect(reported).toMatchObject({ code: 0, stderr: expect.stringContaining('Using the repo token.') });
  repo.remove();
  const [upload] = linesOf(server).filter(({ msg }) => msg === 'upload accepted');
  expect(upload?.client).toMatch(/^coverage-service-command\/\d+\.\d+\.\d+$/);
});

const built = (name: string): string => fileURLToPath(new URL(`../../server/dist/${name}.js`, import.meta.url));

/** A folder with a file of settings, and what runs a command of the server somewhere else. */
async function settingsIn(text: string) {
  const folder = await mkdtemp(join(tmpdir(), 'settings-'));
  folders.push(folder);
  const file = join(folder, 'environment');
  await writeFile(file, text.replaceAll('FOLDER', folder));
  const elsewhere = await mkdtemp(join(tmpdir(), 'elsewhere-'));
  folders.push(elsewhere);
  const call = (name: string, args: readonly string[], env: Record<string, string> = {}) =>
    run({
      program: process.execPath,
      args: [built(`cli/${name}`), ...args, '--environment', file],
      cwd: elsewhere,
      env: { ...inheritedEnvironment(), ...env },
    });
  return { folder, file, elsewhere, call };
}

const SETTINGS = `# The settings of a server
DATABASE_URL="sqlite:FOLDER/coverage.db"

; another comment
ADMIN_TOKEN='${'a'.repeat(40)}'
PORT=0
`;

test('server and commands take the settings of a file, and each command says which database it works on', async () => {
  const { folder, file, elsewhere, call } = await settingsIn(SETTINGS);
  const program = process.execPath;
  const env = inheritedEnvironment();
  const args = [built('coverage-service'), 'serve', '--environment', file];
  const { url, child } = await startListening({ program, args, cwd: elsewhere, env });
  expect((await fetch(`${url}/readyz?verbose`, { headers: { authorization: `token ${'a'.repeat(40)}` } })).status).toBe(
    200,
  );
  const named = `The database is sqlite:${folder}/coverage.db, by the settings in ${file}.\n`;
  expect(await call('token', ['list'])).toMatchObject({ code: 0, stderr: named });
  expect((await call('backup', ['--to', join(folder, 'one.db')])).stderr).toContain(named);
  child.signal('SIGTERM');
  await child.end;
  expect((await call('restore', ['--from', join(folder, 'one.db')])).stderr).toContain(named);
  // What is set besides wins, and nothing was made where the commands ran.
  const other = await call('token', ['list'], { DATABASE_URL: 'sqlite:./none.db' });
  expect(other).toMatchObject({ code: 1, stderr: expect.stringMatching(/^There is no database \.\/none\.db\./) });
  expect(await readdir(elsewhere)).toEqual([]);
});

test.each([
  ['PORT=0\n', /\/environment sets no DATABASE_URL: put the one of the server there/],
  ['DATABASE_URL=sqlite:./data/coverage.db\n', /DATABASE_URL in \S+ names a file by a relative path/],
  ['DATABASE_URL=sqlite:/x/c.db\nexport PORT=0\n', /Line 2 of \S+\/environment is not NAME=value/],
  ['DATABASE_URL=sqlite:/x/c.db\nOIDC_NAME="never ended\n', /Line 2 of \S+\/environment is not NAME=value/],
  ['DATABASE_URL=sqlite:/x/c.db\nOIDC_NAME=two \\\nlines\n', /Line 2 of \S+\/environment is not NAME=value/],
])('a file of settings that is not right ends a command: %j', async (text, sentence) => {
  const { elsewhere, call, file } = await settingsIn(text);
  expect(await call('gc', ['--dry-run'])).toMatchObject({ code: 1, stderr: expect.stringMatching(sentence) });
  expect(await readdir(elsewhere)).toEqual([]);
  await rm(file);
  expect((await call('gc', ['--dry-run'])).stderr).toMatch(/environment cannot be read \(ENOENT\): check the path/);
});

test('the doctor asks the server that runs, and looks itself where none of its key does', async () => {
  const server = await start({ RETENTON_DAYS: '3' });
  const key = { SECRET_KEY: 'ab'.repeat(32) };
  const { call } = await settingsIn(`DATABASE_URL=sqlite:${server.directory}/coverage.db\nPORT=${server.port}\n`);
  const asked = await call('doctor', ['--json']);
  expect(asked.stderr).toBe(`This is what the server at ${server.url} finds about itself.\n`);
  const { checks } = JSON.parse(asked.stdout) as { readonly checks: readonly { name: string; seen: string }[] };
  const seen = Object.fromEntries(checks.map((one) => [one.name, one.seen]));
  expect(seen.settings).toContain('RETENTON_DAYS');
  expect(seen.integrity).toContain('Every page of the file can be read');

  const another = await call('doctor', ['--json'], key);
  expect(another.stderr).toBe('');
  expect(another.stdout).not.toContain('RETENTON_DAYS');
  await server.stop();
  expect(await call('doctor', ['--json'])).toMatchObject({ code: 0, stderr: '' });
});
