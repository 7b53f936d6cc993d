import { type ChildProcess, spawn } from 'node:child_process';
import type { GitStart } from '../git/run-text.ts';

/** One run of git whose output is read piece by piece; the caller bounds its time. */
export interface GitRun {
  readonly start: GitStart;
  readonly args: readonly string[];
  /** Ends the run. */
  readonly signal: AbortSignal;
  /** Takes standard output piece by piece; false: enough was read, and git is ended. */
  readonly onOutput: (piece: Buffer) => boolean;
}

/** How a run ended: by itself with success, because enough was read, or in any other way. */
export type GitEnding = 'done' | 'enough' | 'failed';

/** Git removes its lock files on SIGTERM; what has not ended after this, in milliseconds, is killed. */
const GRACE_MS = 1_000;

/** Runs git without a shell. Never rejects; once the signal is aborted it answers at once, whatever git does. */
export function runGit({ start, args, signal, onOutput }: GitRun): Promise<GitEnding> {
  if (signal.aborted) return Promise.resolve('failed');
  const { promise, resolve } = Promise.withResolvers<GitEnding>();
  const isWindows = process.platform === 'win32';
  const child = spawn(start.command, args, {
    stdio: ['ignore', 'pipe', 'ignore'],
    cwd: start.folder,
    env: start.env,
    windowsHide: true,
    // A process group, since git leaves the network to programs of its own. It has no terminal to ask on either.
    detached: !isWindows,
  });
  const end = (ending: GitEnding): void => {
    signal.removeEventListener('abort', onAbort);
    child.stdout.destroy();
    if (child.exitCode === null && child.signalCode === null) stop(child, isWindows);
    resolve(ending);
  };
  const onAbort = (): void => end('failed');
  signal.addEventListener('abort', onAbort, { once: true });
  child.stdout.on('data', (piece: Buffer) => {
    if (!onOutput(piece)) end('enough');
  });
  child.once('error', () => end('failed'));
  child.once('close', (code) => end(code === 0 ? 'done' : 'failed'));
  return promise;
}

/**
 * Windows has no SIGTERM, and git leaves lock files in the clone when it is killed: there it is left to end by itself.
 */
function stop(child: ChildProcess, isWindows: boolean): void {
  const { pid } = child;
  if (isWindows || pid === undefined) {
    child.unref();
    return;
  }
  const kill = (name: NodeJS.Signals): void => {
    try {
      process.kill(-pid, name);
    } catch {
      // It has ended already.
    }
  };
  kill('SIGTERM');
  const timer = setTimeout(() => kill('SIGKILL'), GRACE_MS);
  child.once('exit', () => clearTimeout(timer));
}
