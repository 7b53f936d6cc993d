import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../free-port.ts';
import { waitFor } from '../wait-for.ts';
import type { RealHost } from './real-host.ts';

const run = promisify(execFile);

/** The header by which somebody is signed in at the host's pages: no form of theirs is filled in. */
export const SIGNED_IN_AS = 'X-WEBAUTH-USER';

/**
 * Gitea or Forgejo of one's own, on loopback and in a folder that is removed. A binary without its pages' templates
 * needs them beside it, or in a checkout of its sources (`files`).
 */
export async function startGitea(binary: string, files?: string): Promise<RealHost & { stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'real-host-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const config = join(folder, 'app.ini');
  await mkdir(join(folder, 'data'));
  await writeFile(config, settings({ folder, port, files: files ?? dirname(resolve(binary)) }));
  const call = (...args: readonly string[]) => run(binary, ['--config', config, '--work-path', folder, ...args]);
  await call('migrate');
  const admin = { name: 'root-admin', password: 'a-password-of-the-admin-1' };
  await call(
    ...['admin', 'user', 'create', '--admin', '--username', admin.name, '--password', admin.password],
    ...['--email', 'admin@example.test', '--must-change-password=false'],
  );
  const child = spawn(binary, ['--config', config, '--work-path', folder, 'web'], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  const isUp = async () => (await fetch(`${url}/api/v1/version`).catch(() => undefined))?.ok || undefined;
  const started = waitFor(isUp, { what: 'the host to answer', intervalMs: 200, timeoutMs: 60_000 });
  const failed = ended.then(() => {
    throw new Error(`${binary} ended at once. Has it the templates of its pages? Else name their folder: --files.`);
  });
  await Promise.race([started, failed]).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  failed.catch(() => undefined);
  return { url, admin, stop };
}

/** Hooks to loopback are refused otherwise; the list had another section before Gitea 1.27. */
function settings({ folder, port, files }: { folder: string; port: number; files: string }): string {
  return `RUN_MODE = prod
RUN_USER = ${process.env.USER ?? 'root'}
I_AM_BEING_UNSAFE_RUNNING_AS_ROOT = true
[server]
HTTP_ADDR = 127.0.0.1
HTTP_PORT = ${port}
ROOT_URL = http://127.0.0.1:${port}/
DISABLE_SSH = true
OFFLINE_MODE = true
STATIC_ROOT_PATH = ${files}
[database]
DB_TYPE = sqlite3
PATH = ${join(folder, 'data/host.db')}
[repository]
ROOT = ${join(folder, 'repos')}
[security]
INSTALL_LOCK = true
ALLOWED_HOST_LIST = loopback
REVERSE_PROXY_AUTHENTICATION_USER = ${SIGNED_IN_AS}
[webhook]
ALLOWED_HOST_LIST = loopback
[service]
DISABLE_REGISTRATION = true
ENABLE_REVERSE_PROXY_AUTHENTICATION = true
[actions]
ENABLED = true
[log]
LEVEL = Error
MODE = file
`;
}
