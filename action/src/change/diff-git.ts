import { type ChildProcess, spawn } from 'node:child_process';
import type { GitStart } from '../git/git-environment.ts';
import { type GitFolder, REMOTE } from '../git/git-folder.ts';
import { isSha } from '../git/git-places.ts';
import { HunkReader, type HunksByBlobs } from './hunk-reader.ts';
import { parseRawFiles, type RawFile } from './raw-files.ts';

/** Compares two commits of one checkout, within one time limit for all questions together. */
export interface DiffGit {
  /** Between two commits that the clone has. Undefined if its history does not show it. */
  mergeBase(one: string, other: string): Promise<string | undefined>;
  /** Gets one commit with its files from the checkout's remote, beside the checkout: nothing in it changes. */
  fetchCommit(commit: string): Promise<void>;
  /**
   * The files that differ; undefined if git fails. A partial clone fetches the texts of those that may be
   * renamed, all at once.
   */
  listFiles(base: string, head: string): Promise<{ readonly files: RawFile[]; readonly complete: boolean } | undefined>;
  /**
   * The lines that differ, at most `limit` hunks; undefined if git fails. A partial clone fetches the texts of both
   * sides, all at once.
   */
  readHunks(
    base: string,
    head: string,
    limit: number,
  ): Promise<{ readonly hunks: HunksByBlobs; readonly complete: boolean } | undefined>;
}

/** The text of some hundred thousand file names. */
const MAX_NAME_BYTES = 16 << 20;
/** Text of changed lines; anything larger was generated. */
const MAX_PATCH_BYTES = 256 << 20;
const FETCH = [
  'fetch',
  '--quiet',
  '--no-tags',
  '--depth=1',
  '--no-write-fetch-head',
  '--no-recurse-submodules',
  '--refmap=',
];
/** Plumbing reads few of the user's settings, and none that an option here sets. No helper program runs. */
const DIFF_TREE = [
  'diff-tree',
  '-r',
  '-M',
  '-l1000',
  '--inter-hunk-context=0',
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
];

/** Asks git about one checkout until the signal is aborted; from then on every answer is "no". */
export function createDiffGit(folder: GitFolder, signal: AbortSignal): DiffGit {
  const { reading, root } = folder;
  const ask = async (start: GitStart, ...args: string[]): Promise<string | undefined> => {
    const pieces: Buffer[] = [];
    const onOutput = (piece: Buffer): boolean => pieces.push(piece) < 100;
    const ending = await runGit({ start, args, signal, onOutput });
    return ending === 'done' ? Buffer.concat(pieces).toString('utf8').trim() : undefined;
  };
  /** What the checkout's attributes call binary is binary in a diff too. */
  const diff = async (args: readonly string[], onOutput: (piece: Buffer) => boolean) => {
    const start = folder.isPartial ? await folder.fetching(signal) : reading;
    const inCheckout = { ...start, env: { ...start.env, GIT_WORK_TREE: root } };
    return runGit({ start: inCheckout, args: ['-C', root, ...DIFF_TREE, ...args], signal, onOutput });
  };
  return {
    async mergeBase(one, other) {
      const found = isSha(one) && isSha(other) ? await ask(reading, 'merge-base', one, other) : undefined;
      return found !== undefined && isSha(found) ? found : undefined;
    },
    async fetchCommit(commit) {
      // Anything else could be taken for an option.
      if (isSha(commit)) await ask(await folder.fetching(signal), ...FETCH, REMOTE, commit);
    },
    async listFiles(base, head) {
      const pieces: Buffer[] = [];
      let size = 0;
      const ending = await diff(['--raw', '-z', '--no-abbrev', base, head], (piece) => {
        pieces.push(piece);
        size += piece.length;
        return size <= MAX_NAME_BYTES;
      });
      if (ending === 'failed') return undefined;
      return { files: parseRawFiles(Buffer.concat(pieces).toString('utf8')), complete: ending === 'done' };
    },
    async readHunks(base, head, limit) {
      const reader = new HunkReader(limit);
      let size = 0;
      const ending = await diff(['-p', '-U0', '--full-index', base, head], (piece) => {
        size += piece.length;
        return reader.read(piece) && size <= MAX_PATCH_BYTES;
      });
      if (ending === 'failed') return undefined;
      return { hunks: reader.finish(ending === 'done'), complete: ending === 'done' };
    },
  };
}

/** One run of git whose output is read piece by piece; the caller bounds its time. */
interface GitRun {
  readonly start: GitStart;
  readonly args: readonly string[];
  /** Ends the run. */
  readonly signal: AbortSignal;
  /** Takes standard output piece by piece; false: enough was read, and git is ended. */
  readonly onOutput: (piece: Buffer) => boolean;
}

/** How a run ended: by itself with success, because enough was read, or in any other way. */
type GitEnding = 'done' | 'enough' | 'failed';

/** Git removes its lock files on SIGTERM; what has not ended after this, in milliseconds, is killed. */
const GRACE_MS = 1_000;

/** Runs git without a shell. Never rejects; once the signal is aborted it answers at once, whatever git does. */
function runGit({ start, args, signal, onOutput }: GitRun): Promise<GitEnding> {
  if (signal.aborted) return Promise.resolve('failed');
  const { promise, resolve } = Promise.withResolvers<GitEnding>();
  const isWindows = process.platform === 'win32';
  const child = spawn(start.command, args, {
    stdio: ['ignore', 'pipe', 'ignore'],
    cwd: start.folder,
    env: start.env,
    windowsHide: true,
    // A process group, because git runs other programs for the network. It has no terminal to ask on either.
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
