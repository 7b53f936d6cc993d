import { execFile } from 'node:child_process';
import { type Commit, parseCommit } from './commit.ts';
import { withoutUserinfo } from './remote-url.ts';

/**
 * What git knows of a checkout. Where git is missing, or the folder is no repository, every answer is undefined or
 * empty.
 */
export interface Git {
  /** The checkout's root around a folder. */
  topFolder(folder: string): Promise<string | undefined>;
  /** Repo-relative paths of all files in the index, submodules' own files excepted. */
  listFiles(root: string): Promise<string[]>;
  /** The sha of what is checked out. */
  headSha(folder: string): Promise<string | undefined>;
  /**
   * Whether the clone has this commit (of its files a partial clone, or one whose fetch was cut off, may lack some).
   * Fetches nothing.
   */
  hasCommit(folder: string, sha: string): Promise<boolean>;
  /** A commit, as far as the (perhaps shallow, perhaps partial) clone holds it. Fetches nothing. */
  readCommit(folder: string, sha: string): Promise<Commit | undefined>;
  /** Fetch URLs without user names and secrets. */
  remotes(folder: string): Promise<{ name: string; url: string }[]>;
}

const SHA = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
/** `git ls-files` of the largest repositories is some 100 MB. */
const MAX_OUTPUT_BYTES = 512 << 20;
const TIME_LIMIT_MS = 60_000;
/**
 * A checkout made by another user (a container job) is refused by git unless it is called safe; a file system monitor
 * would run a command that the checkout names.
 */
export const GIT_SETTINGS: readonly string[] = ['-c', 'safe.directory=*', '-c', 'core.fsmonitor=false'];

/** Asks the `git` on the PATH, never through a shell; once the signal is aborted, nothing is known any more. */
export function createGit(command = 'git', signal?: AbortSignal): Git {
  const ask = (folder: string, ...args: string[]): Promise<string | undefined> =>
    run(command, ['-C', folder, ...GIT_SETTINGS, ...args], signal);
  /**
   * In a partial clone any other question about a missing commit would make git fetch it, with all its history. Older
   * versions of git fail for what is missing, newer ones print nothing. Anything but a sha could be taken for an option
   * or another object.
   */
  const hasCommit = async (folder: string, sha: string): Promise<boolean> =>
    isSha(sha) && (await ask(folder, 'rev-list', '--no-walk', '--missing=allow-any', sha))?.trim() === sha;
  return {
    hasCommit,
    async topFolder(folder) {
      return (await ask(folder, 'rev-parse', '--show-toplevel'))?.replace(/\r?\n$/, '') || undefined;
    },
    async listFiles(root) {
      return nulSeparated(await ask(root, 'ls-files', '-z', '--full-name'));
    },
    async headSha(folder) {
      const sha = (await ask(folder, 'rev-parse', '--verify', '--quiet', 'HEAD'))?.trim();
      return sha !== undefined && isSha(sha) ? sha : undefined;
    },
    async readCommit(folder, sha) {
      const text = (await hasCommit(folder, sha)) ? await ask(folder, 'cat-file', 'commit', sha) : undefined;
      return text === undefined ? undefined : parseCommit(text);
    },
    async remotes(folder) {
      const lines = nulSeparated(await ask(folder, 'config', '-z', '--get-regexp', String.raw`^remote\..*\.url$`));
      return lines.map((line) => {
        const [key = '', url = ''] = line.split('\n', 2);
        return { name: key.slice('remote.'.length, -'.url'.length), url: withoutUserinfo(url) };
      });
    },
  };
}

/** A whole sha, and so neither an option nor any other name. */
export function isSha(text: string): boolean {
  return SHA.test(text);
}

function nulSeparated(text: string | undefined): string[] {
  return text === undefined ? [] : text.split('\0').filter((part) => part !== '');
}

/** Standard output, or undefined where the command is missing, fails, or takes too long. */
function run(command: string, args: readonly string[], signal: AbortSignal | undefined): Promise<string | undefined> {
  const limits = { maxBuffer: MAX_OUTPUT_BYTES, timeout: TIME_LIMIT_MS, ...(signal === undefined ? {} : { signal }) };
  return new Promise((resolve) => {
    execFile(command, args, { ...limits, windowsHide: true }, (error, stdout) =>
      resolve(error === null ? stdout : undefined),
    );
  });
}
