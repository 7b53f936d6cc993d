import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStore } from '../../server/src/storage/open/open-store.ts';
import type { Store } from '../../server/src/storage/store.ts';

const COMMAND = fileURLToPath(new URL('../../server/src/cli/token.ts', import.meta.url));
let folder: string;
let url: string;
/** Open all the time, as the server is. */
let store: Store;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'token-command-'));
  url = `sqlite:${folder}/coverage.db`;
  store = await openStore({ url, serverWait: 0 });
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

const opened = () => `The database is sqlite:${folder}/coverage.db.\n`;

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function run(args: readonly string[], env: Record<string, string> = { DATABASE_URL: url }): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(process.execPath, ['--conditions=source', COMMAND, ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
    });
  });
}

test('a token is made, listed and revoked while the server runs', async () => {
  const made = await run(['create', '--user', 'Alice', '--role', 'administrator']);
  expect(made).toMatchObject({
    code: 0,
    stderr: `${opened()}Token 1 of alice (administrator). It is shown only now: keep it.\n`,
  });
  const token = made.stdout.trimEnd();
  expect(token).toMatch(/^cvp_[\w-]{43}$/);

  const [stored] = await store.tokens.list();
  expect(stored).toMatchObject({ id: 1, user: 'alice', role: 'administrator', ending: token.slice(-4) });
  expect(await store.tokens.findByHash(stored?.hash ?? '')).toMatchObject({ id: 1 });
  expect(stored?.hash).not.toContain(token.slice(4, 20));

  const listed = await run(['list']);
  expect(listed.stdout.split('\n')[1]).toMatch(
    /^1 {3}alice {2}administrator {2}….{4} {3}\d{4}-\d\d-\d\dT[\d:]{8}Z {2}-$/,
  );
  expect(listed.stdout).not.toContain(token);

  expect(await run(['revoke', '1'])).toEqual({ code: 0, stdout: 'Token 1 is revoked.\n', stderr: opened() });
  expect(await store.tokens.findByHash(stored?.hash ?? '')).toBeUndefined();
});

test.each([
  [['revoke', '99'], 1, 'There is no token 99'],
  [['create', '--user', 'a b'], 1, 'A user name is 1 to 100 letters'],
  [[], 2, 'Say what to do: create, list or revoke.'],
  [['create'], 2, 'Name the user the token is for: --user <name>.'],
  [['create', '--user', 'x', '--role', 'god'], 2, '--role is user or administrator, not "god".'],
  [['revoke', 'x'], 2, 'by its id'],
  [['revoke', `cvp_${'x'.repeat(43)}`], 2, '"[secret]"'],
  [['list', '--user', 'x'], 2, '--user and --role belong to create.'],
  [['list', '--color'], 2, "Unknown option '--color'"],
  [['remove', '1'], 2, 'Unknown arguments: remove 1'],
] as const)('%j exits with %d and says why', async (args, code, sentence) => {
  const outcome = await run(args);
  expect(outcome).toMatchObject({ code, stdout: '' });
  expect(outcome.stderr).toContain(sentence);
  expect(outcome.stderr.includes('npm run token -- create')).toBe(code === 2);
});

test('settings that are wrong are named', async () => {
  const outcome = await run(['list'], { DATABASE_URL: 'postgres://me:hush@x/', PORT: 'x' });
  expect(outcome).toMatchObject({ code: 1, stdout: '' });
  expect(outcome.stderr).toContain('- PORT is "x"');
  expect(outcome.stderr).not.toContain('hush');
});

test('help goes to stdout', async () => {
  expect(await run(['--help'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('npm run token -- revoke <id>'),
    stderr: '',
  });
});

test('where there is no database none is made, unless that is asked for', async () => {
  const env = { DATABASE_URL: `sqlite:${folder}/misspelt.db` };
  const refused = await run(['create', '--user', 'bob'], env);
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toMatch(/There is no database .*misspelt\.db\..* --make-database creates it now\./);
  expect(existsSync(`${folder}/misspelt.db`)).toBe(false);
  const made = await run(['create', '--user', 'bob', '--make-database'], env);
  expect(made).toMatchObject({ code: 0, stderr: expect.stringContaining('misspelt.db.\n') });
  expect((await run(['list'], env)).stdout).toContain('bob');
});
