import type { GitFolder } from '../git/git-folder.ts';
import type { GitFolders } from '../git/git-folders.ts';
import { isSha } from '../git/git-places.ts';
import { type GitStart, runText } from '../git/run-text.ts';
import { type Commit, parseCommit } from './commit.ts';
import { isShaStart } from './git-names.ts';
import { withoutUserinfo } from './remote-url.ts';

/** A file in the index. */
export interface TrackedFile {
  /** Repo-relative, with `/`. */
  readonly name: string;
  /** Neither a link nor a submodule, whatever is on disk. */
  readonly isPlain: boolean;
}

/** How `ls-files --stage` begins a line: the mode of a plain file begins with 100. */
const PLAIN = '100';

/**
 * What git knows of a checkout. Where git is missing, or the folder is no checkout's root, every answer is undefined or
 * empty.
 */
export interface Git {
  /** All files in the index, submodules' own files excepted. */
  listFiles(root: string): Promise<TrackedFile[]>;
  /** The sha of what is checked out. */
  headSha(root: string): Promise<string | undefined>;
  /**
   * Whether the clone has this commit; some of its files may be missing in a partial clone, or after a fetch that was
   * cut off. Fetches nothing.
   */
  hasCommit(root: string, sha: string): Promise<boolean>;
  /** The whole sha of the only commit that begins so, as far as the clone holds it. Fetches nothing. */
  completeSha(root: string, start: string): Promise<string | undefined>;
  /** A commit, as far as the (perhaps shallow, perhaps partial) clone holds it. Fetches nothing. */
  readCommit(root: string, sha: string): Promise<Commit | undefined>;
  /** Fetch URLs without user names and secrets. */
  remotes(root: string): Promise<{ name: string; url: string }[]>;
}

/** Asks git about the checkouts of a step; once the signal is aborted, nothing is known any more. */
export function createGit(folders: GitFolders, signal?: AbortSignal): Git {
  const ask = async (root: string, how: (folder: GitFolder) => GitStart, ...args: string[]) => {
    const folder = await folders.at(root, signal);
    return folder === undefined ? undefined : runText(how(folder), args, signal);
  };
  /**
   * Older versions of git fail for what is missing, newer ones print nothing. Anything but a sha could be taken for an
   * option or another object.
   */
  const hasCommit = async (root: string, sha: string): Promise<boolean> =>
    isSha(sha) &&
    (await ask(root, ({ reading }) => reading, 'rev-list', '--no-walk', '--missing=allow-any', sha))?.trim() === sha;
  return {
    hasCommit,
    async listFiles(root) {
      const text = await ask(root, ({ listing }) => listing, 'ls-files', '-z', '--full-name', '--stage');
      const lines = text?.split('\0').filter((line) => line !== '') ?? [];
      return lines.map((line) => ({ name: line.slice(line.indexOf('\t') + 1), isPlain: line.startsWith(PLAIN) }));
    },
    async completeSha(root, start) {
      if (!isShaStart(start)) return undefined;
      const found = (
        await ask(root, ({ reading }) => reading, 'rev-parse', '--verify', '--quiet', `${start}^{commit}`)
      )?.trim();
      return found !== undefined && isSha(found) ? found : undefined;
    },
    headSha: async (root) => (await folders.at(root, signal))?.headSha,
    async readCommit(root, sha) {
      if (!(await hasCommit(root, sha))) return undefined;
      const text = await ask(root, ({ reading }) => reading, 'cat-file', 'commit', sha);
      return text === undefined ? undefined : parseCommit(text);
    },
    async remotes(root) {
      const remotes = (await folders.at(root, signal))?.remotes ?? [];
      return remotes.map(({ name, url }) => ({ name, url: withoutUserinfo(url) }));
    },
  };
}
