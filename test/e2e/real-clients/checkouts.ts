import { cp, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runWell } from './run-tool.ts';

/** A program in a git repository of its own, for a client to read. */
export interface Checkout {
  readonly directory: string;
  readonly sha: string;
  dispose(): Promise<void>;
}

/** A password that remotes hold, as they do on many machines: it must never be seen again. */
export const REMOTE_PASSWORD = 'hunter2';

/** Free of the user's settings; clients call git too. */
export const gitEnvironment: Readonly<Record<string, string>> = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
};

/** Copies a program into a new repository: one commit, with this message, on `main`. */
export async function createCheckout(program: string, message: string): Promise<Checkout> {
  // Real, since git answers real paths and some systems' /tmp is a link.
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'client-')));
  await cp(program, directory, { recursive: true });
  const person = ['-c', 'user.name=Mona Lisa', '-c', 'user.email=mona@example.com'];
  const git = async (...args: readonly string[]): Promise<string> =>
    (await runWell('git', [...person, ...args], { cwd: directory, env: gitEnvironment })).stdout.trim();
  await git('init', '-q');
  await git('symbolic-ref', 'HEAD', 'refs/heads/main');
  await git('add', '--all');
  await git('commit', '-q', '-m', message);
  await git('remote', 'add', 'origin', `https://mona:${REMOTE_PASSWORD}@git.example/acme/shop.git`);
  const sha = await git('rev-parse', 'HEAD');
  return { directory, sha, dispose: () => rm(directory, { recursive: true, force: true }) };
}
