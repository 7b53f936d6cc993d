import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { inheritedEnvironment } from '../support/child-process.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';

const TOKEN_COMMAND = fileURLToPath(new URL('../../server/dist/cli/token.js', import.meta.url));
const running: ServerProcess[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) await server.dispose();
});

async function start(env: Readonly<Record<string, string>> = {}): Promise<ServerProcess> {
  const server = await startServer({ env });
  running.push(server);
  return server;
}

test('a database file has one server: a second one ends with a sentence, the token command may run', async () => {
  const first = await start();
  const env = { DATABASE_URL: `sqlite:${first.directory}/coverage.db` };
  const second = start(env);
  const made = promisify(execFile)(process.execPath, [TOKEN_COMMAND, 'create', '--user', 'alice'], {
    env: { ...inheritedEnvironment(), ...env },
  });
  expect((await made).stdout).toMatch(/^cvp_/);
  await expect(second).rejects.toThrow(
    /ended with code 1 .*\n.*coverage\.db is in use by another server: stop that one first\./,
  );
  expect((await fetch(`${first.url}/readyz`)).status).toBe(200);
});

test('a server may start at once after one that was killed, and while one stops', async () => {
  const first = await start();
  const env = { DATABASE_URL: `sqlite:${first.directory}/coverage.db` };
  await first.kill();
  const second = await start(env);
  const [third] = await Promise.all([start(env), second.stop()]);
  expect((await fetch(`${third.url}/readyz`)).status).toBe(200);
});
