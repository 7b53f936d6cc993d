import { type GitStart, runText } from '../git/git-environment.ts';
import type { GitFolder, GitFolders } from '../git/git-folder.ts';
import { isSha } from '../git/git-places.ts';
import { type Commit, parseCommit } from './commit.ts';

/** A file in the index. */
interface TrackedFile {
  /** Repo-relative, with `/`. */
  readonly name: string;
  /** Neither a link nor a submodule, whatever is on disk. */
  readonly isPlain: boolean;
}

/** How `ls-files --stage` begins a line: the mode of a plain file begins with 100. */
const PLAIN = '100';

/**
 * What git knows of a checkout. If git is missing, or the folder is no checkout's root, every answer is undefined or
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

/**
 * A remote's URL without user name, password, query and fragment: a token may be in any of them. Handles URLs and git's
 * short form (`git@host:owner/name.git`); a local path stays as it is.
 */
function withoutUserinfo(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed !== undefined && /^[a-z][a-z0-9+.-]*:\/\//i.test(url)) {
    parsed.username = '';
    parsed.password = '';
    parsed.search = '';
    parsed.hash = '';
    // A scheme that URL does not know as special may keep what it can not parse.
    return parsed.href.replace(/^([a-z0-9+.-]+:\/\/)[^/]*@/i, '$1');
  }
  return url.replace(/^([a-z][a-z0-9+.-]*:\/\/)?[^/]*@/i, '$1');
}

/** A sha, or the beginning of one: 7 digits are what git itself shows at least. */
export function isShaStart(text: string): boolean {
  return /^[0-9a-f]{7,64}$/i.test(text);
}

// What git refuses in a name: control characters, blanks and the marks of revisions and patterns.
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is what it is for
const REFUSED = /[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{|\/\/|\/\.|\.lock(?:\/|$)|^[-./]|[./]$|^@$/;

/** Whether git takes a text as the name of a branch or tag, with or without `refs/heads/` (git check-ref-format). */
export function isRefName(text: string): boolean {
  return text !== '' && text.length <= 1000 && !REFUSED.test(text);
}
