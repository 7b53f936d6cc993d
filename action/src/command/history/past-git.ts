import { runText } from '../../git/git-environment.ts';
import { createGitFolders, type GitFolder } from '../../git/git-folder.ts';
import { isSha } from '../../git/git-places.ts';
import type { Checkout } from '../../report/checkout.ts';
import { ActionFailure } from '../../runner/failure.ts';

/** What git says about a clone's history; it fetches nothing. */
export interface PastGit {
  /** The clone's root; undefined: the folder is not a clone. */
  readonly root: string | undefined;
  /** The branch whose history is read if nobody names one: the one that is checked out. */
  readonly branch: string | undefined;
  /** The commits that were on a branch, newest first: its first parents. Throws `bad-input` for an unknown branch. */
  history(branch: string): Promise<readonly GitCommit[]>;
  /** The names of a commit's files; undefined: the clone does not have the commit. */
  files(commit: string): Promise<readonly string[] | undefined>;
  /** The same, in the form that reports are mapped to. */
  checkoutOf(commit: string): Promise<Checkout | undefined>;
}

export interface GitCommit {
  readonly commit: string;
  readonly at: number;
  readonly author: string;
  readonly message: string;
}

const FIELDS = 4;
/** How `ls-tree` writes the mode of a link and of a submodule. */
const NO_FILES = ['120000', '160000'];

/** The clone around a folder, as far as it is known without git. */
export interface ClonePlace {
  readonly root: string;
  /** Git may read only what lies below this. */
  readonly bounds: string;
  readonly branch: string | undefined;
  remoteSha(branch: string): string | undefined;
  branchSha(branch: string): string | undefined;
}

/** Opens a clone for as long as the work takes. */
export async function withPastGit<T>(local: ClonePlace, work: (git: PastGit) => Promise<T>): Promise<T> {
  const folders = createGitFolders(local.bounds, { server: { url: '', token: '' } });
  try {
    const opened = await folders.at(local.root);
    const tip = (branch: string) => local.remoteSha(branch) ?? local.branchSha(branch);
    return await work(createPastGit(opened, { ...local, tip }));
  } finally {
    await folders.remove();
  }
}

interface Local {
  readonly root: string;
  readonly branch: string | undefined;
  tip(branch: string): string | undefined;
}

function createPastGit(opened: GitFolder | undefined, { root, branch, tip }: Local): PastGit {
  const ask = async (...args: string[]) => (opened === undefined ? undefined : runText(opened.reading, args));
  const tree = async (commit: string): Promise<readonly (readonly [mode: string, name: string])[] | undefined> => {
    const text = isSha(commit) ? await ask('ls-tree', '-r', '-z', '--full-tree', commit) : undefined;
    const lines = text?.split('\0').filter((line) => line !== '');
    return lines?.map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf('\t') + 1)] as const);
  };
  return {
    root: opened?.root,
    branch,
    async history(name) {
      const from = tip(name);
      const format = '--format=%H%x00%ct%x00%an%x00%s';
      const text = from === undefined ? undefined : await ask('log', '--first-parent', '-z', format, from);
      if (text === undefined) throw new ActionFailure('bad-input', branchUnknown(name));
      return readLog(text);
    },
    async files(commit) {
      const found = await tree(commit);
      return found?.filter(([mode]) => !NO_FILES.includes(mode)).map(([, file]) => file);
    },
    async checkoutOf(commit) {
      const found = await tree(commit);
      if (found === undefined) return undefined;
      const links = found.filter(([mode]) => NO_FILES.includes(mode)).map(([, file]) => file);
      return { root, files: new Set(found.map(([, file]) => file)), links: new Set(links), byGit: true };
    },
  };
}

function readLog(text: string): readonly GitCommit[] {
  const parts = text.split('\0');
  const commits: GitCommit[] = [];
  for (let at = 0; at + FIELDS <= parts.length; at += FIELDS) {
    const [commit = '', seconds = '', author = '', message = ''] = parts.slice(at, at + FIELDS);
    if (isSha(commit)) commits.push({ commit, at: Number(seconds) * 1_000, author, message });
  }
  return commits;
}

function branchUnknown(name: string): string {
  return (
    `This folder is not a clone with a branch ${name}. Run the command in a clone of the repo with its full ` +
    'history (git fetch --unshallow), or name another branch with --branch.'
  );
}
