import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { inheritedEnvironment } from '../support/child-process.ts';
import { createCrashScene } from '../support/crash-scene.ts';
import { waitFor } from '../support/wait-for.ts';

const { start, end } = createCrashScene();
afterEach(end);

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `npm run doctor`, as built. */
function run(args: readonly string[], settings: Readonly<Record<string, string>>): Promise<Outcome> {
  const script = fileURLToPath(new URL('../../server/dist/cli/doctor.js', import.meta.url));
  const env = { ...inheritedEnvironment(), ...settings };
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
    });
  });
}

function statesOf({ stdout }: Outcome): Readonly<Record<string, string>> {
  const { checks } = JSON.parse(stdout) as { checks: readonly { name: string; state: string }[] };
  return Object.fromEntries(checks.map(({ name, state }) => [name, state]));
}

test('checks the database whether a server runs or not, and changes nothing', async () => {
  const { server, github } = await start();
  const file = join(server.directory, 'coverage.db');
  const settings = {
    DATABASE_URL: `sqlite:${file}`,
    BASE_URL: server.url,
    GITHUB_API_URL: github.url,
    GITHUB_TOKEN: github.token,
    MIN_FREE_DISK: '1',
  };
  const beside = await run(['--json'], settings);
  expect(beside).toMatchObject({ code: 0, stderr: '' });
  const usual = { database: 'ok', integrity: 'ok', disk: 'ok', 'secret-key': 'ok', 'github-sign-in': 'ok' };
  // It is this server, at an address of this machine alone.
  expect(statesOf(beside)).toMatchObject({ ...usual, 'base-url': 'warning' });
  expect(beside.stdout).toContain('which only this machine can reach');

  await server.stop();
  const alone = await run([], settings);
  expect(alone.code).toBe(0);
  expect(alone.stdout).toMatch(
    /^ok {7}database +sqlite:\S+coverage\.db, version \d+ of the schema; it accepts writes\.$/m,
  );
  expect(alone.stdout).toMatch(
    /^warning +base-url +Nothing answers at .*\(ECONNREFUSED\)\.\n +to do: Start the server/m,
  );
  expect(alone.stdout).toMatch(/\n\n0 failed, \d+ warnings?\.\n$/);

  const db = new DatabaseSync(file);
  db.exec('PRAGMA user_version = 3');
  const old = await run(['--json'], settings);
  expect(old.code).toBe(1);
  expect(statesOf(old)).toMatchObject({ database: 'failed', integrity: 'ok', disk: 'skipped', 'github-sign-in': 'ok' });
  expect(db.prepare('PRAGMA user_version').get()).toEqual({ user_version: 3 });
  db.close();

  const missing = join(server.directory, 'missing.db');
  const none = await run([], { ...settings, DATABASE_URL: `sqlite:${missing}` });
  expect(none.code).toBe(1);
  expect(none.stdout).toMatch(/^failed +database +There is no database \S+missing\.db\./m);
  expect([existsSync(missing), existsSync(`${missing}.key`)]).toEqual([false, false]);
});

test('prints its usage', async () => {
  expect(await run(['--loud'], {})).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('npm run doctor [-- --json]'),
  });
});

test('a server says at its start what it found, and what to do if its credential is refused', async () => {
  const { server, github } = await start();
  const found = () =>
    server
      .output()
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as { level: string; check?: string; msg: string })
      .filter(({ check }) => check !== undefined);
  const signIn = () => found().filter(({ check }) => check === 'github-sign-in');
  await waitFor(() => signIn()[0], { what: 'the line on the credential' });
  expect(found().filter(({ check }) => check === 'database')).toEqual([
    expect.objectContaining({ level: 'info', msg: expect.stringContaining('it accepts writes') }),
  ]);
  await server.restart({ GITHUB_TOKEN: 'ghp_revoked-long-ago-0123456789', GITHUB_API_URL: github.url });
  await waitFor(() => signIn()[1], { what: 'the line of the second start' });
  expect(signIn()[0]?.level).not.toBe('error');
  expect(signIn()[1]).toMatchObject({ level: 'error', msg: expect.stringMatching(/^github-sign-in: .* to do: /) });
});
