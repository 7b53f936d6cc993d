import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { inheritedEnvironment } from '../support/child-process.ts';
import type { ServerProcess } from '../support/server-process.ts';
import type { DemoDatabase } from './database.ts';

const COMMAND = fileURLToPath(new URL('../../server/dist/cli/user.js', import.meta.url));
const VISITOR = 'visitor';

/**
 * The address of a button that signs in once, by the command that operators have.
 * `more`: of the command's environment, on top.
 */
export async function makeSignInLink(
  server: ServerProcess,
  database: DemoDatabase | undefined,
  more: Readonly<Record<string, string>> = {},
): Promise<string> {
  const env = {
    ...inheritedEnvironment(),
    ...more,
    DATABASE_URL: database?.url ?? `sqlite:${server.directory}/coverage.db`,
    // The command seals nothing.
    SECRET_KEY: randomBytes(32).toString('hex'),
    BASE_URL: server.url,
  };
  const run = (args: readonly string[]) => {
    const running = promisify(execFile)(process.execPath, [COMMAND, ...args], { env });
    running.child.stdin?.end(`${randomBytes(16).toString('hex')}\n`);
    return running;
  };
  // A database that was named may have the account of an earlier demo.
  await run(['create', '--user', VISITOR, '--role', 'administrator']).catch(() => undefined);
  return (await run(['sign-in-link', VISITOR])).stdout.trim();
}
