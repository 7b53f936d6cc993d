import { createHash } from 'node:crypto';
import { ancestry, bestCommonAncestors } from '../github-stand-in/history.ts';
import type { HostSetUp } from '../github-stand-in/host-set-up.ts';
import type { ChangedFile, CommitRecord } from '../github-stand-in/model.ts';
import { diffTrees, EMPTY_TREE, type FileTree, mergeTrees, nameTree } from './file-trees.ts';

/**
 * Commits, branches and texts in memory, made by the steps that git has for them: what a story needs of a repo, without
 * a process for each step. Each commit is a minute after the one before.
 */
export interface CommitGraph {
  /** Goes to a branch, which is made at `at` (default: here) where it does not exist. */
  switchTo(branch: string, at?: string): void;
  /** Goes to a new branch that begins with nothing. */
  switchToOrphan(branch: string): void;
  /** Writes files (undefined: deletes one) and commits everything; answers the commit. */
  commit(message: string, files?: Readonly<Record<string, string | undefined>>): string;
  /** Replaces the last commit by one with another message. */
  amend(message: string): string;
  /** Gives a file another name; to be committed. */
  rename(from: string, to: string): void;
  /** Merges into the branch where one is, always by a merge commit; answers it. */
  merge(other: string, message?: string): string;
  /** The commit that merges `head` into `base`, on no branch; answers it. */
  mergeApart(ends: { readonly head: string; readonly base: string }): string;
  /** Adds what a branch changed as one commit, as the button "Squash and merge" does; answers it. */
  squash(other: string, message?: string): string;
  /** Moves the branch where one is onto another base; answers its new head. */
  rebase(onto: string): string;
  /** Moves the branch where one is. */
  reset(to: string): void;
  /** For a branch or a commit. */
  sha(ref: string): string;
  textOf(commit: string, file: string): string | undefined;
  /** The best common ancestors; after criss-cross merges there are several. */
  mergeBases(one: string, other: string): readonly string[];
  /** Brings a repo of a git host up to date, as a push of everything does (a forced one too). */
  pushTo(host: Pick<HostSetUp, 'addCommit' | 'setBranches' | 'setDiffs'>, repo: string): void;
}

interface GraphCommit extends CommitRecord {
  readonly files: FileTree;
}

interface State {
  readonly commits: Map<string, GraphCommit>;
  readonly branches: Map<string, string>;
  branch: string;
  /** The next commit's files. */
  files: FileTree;
  time: number;
}

const FIRST_COMMIT = Date.parse('2030-01-01T00:00:00Z');
const MINUTE = 60_000;
const PERSON = { authorName: 'Mona Lisa', authorEmail: 'mona@example.com' };

/** An empty graph on the branch main. Equal steps make equal commits. */
export function createCommitGraph(): CommitGraph {
  const state: State = {
    commits: new Map(),
    branches: new Map(),
    branch: 'main',
    files: EMPTY_TREE,
    time: FIRST_COMMIT,
  };
  const { commits, branches } = state;
  const sha = (ref: string): string => resolve(state, ref).sha;
  const head = (): readonly string[] => [branches.get(state.branch)].filter((one) => one !== undefined);
  /** Puts the branch where one is on a commit. */
  const reset = (to: string): void => {
    const { files, ...commit } = resolve(state, to);
    branches.set(state.branch, commit.sha);
    state.files = files;
  };
  const advance = (message: string, parents: readonly string[], files = state.files): string => {
    const made = addCommit(state, { message, parents, files });
    reset(made);
    return made;
  };
  const mergeWith = (other: string): FileTree => mergeCommits(state, sha(state.branch), sha(other));
  return {
    sha,
    reset,
    switchTo(branch, at = state.branch) {
      if (!branches.has(branch)) branches.set(branch, sha(at));
      state.branch = branch;
      reset(branch);
    },
    switchToOrphan(branch) {
      Object.assign(state, { branch, files: EMPTY_TREE });
    },
    commit(message, files = {}) {
      state.files = writeFiles(state.files, files);
      return advance(message, head());
    },
    amend: (message) => advance(message, resolve(state, state.branch).parents),
    rename(from, to) {
      state.files = writeFiles(state.files, { [from]: undefined, [to]: state.files.get(from) });
    },
    merge: (other, message = `Merge branch '${other}'`) => advance(message, [...head(), sha(other)], mergeWith(other)),
    mergeApart({ head: theirs, base }) {
      const parents = [sha(base), sha(theirs)];
      return addCommit(state, {
        message: `Merge ${theirs} into ${base}`,
        parents,
        files: mergeCommits(state, sha(base), sha(theirs)),
      });
    },
    squash: (other, message = `Squash ${other}`) => advance(message, head(), mergeWith(other)),
    rebase(onto) {
      const beneath = new Set(ancestry(state, sha(onto)));
      const own = ancestry(state, ...head()).filter((one) => !beneath.has(one));
      reset(onto);
      for (const one of own.reverse()) {
        const { message, files, parents } = resolve(state, one);
        const before = parents[0] === undefined ? EMPTY_TREE : resolve(state, parents[0]).files;
        advance(message, head(), mergeTrees(before, state.files, files));
      }
      return sha(state.branch);
    },
    textOf: (commit, file) => resolve(state, commit).files.get(file),
    mergeBases: (one, other) => bestCommonAncestors(state, sha(one), sha(other)),
    pushTo(host, repo) {
      for (const { files: _, ...commit } of commits.values()) host.addCommit(repo, commit);
      host.setBranches(repo, branches);
      host.setDiffs(repo, createDiffs(state));
    },
  };
}

function resolve({ commits, branches }: State, ref: string): GraphCommit {
  const found = commits.get(branches.get(ref) ?? ref);
  if (found === undefined) throw new Error(`There is no branch and no commit ${ref}`);
  return found;
}

function addCommit(
  state: State,
  { message, parents, files }: { message: string; parents: readonly string[]; files: FileTree },
): string {
  state.time += MINUTE;
  const date = new Date(state.time).toISOString().replace('.000Z', 'Z');
  const tree = nameTree(files);
  const sha = createHash('sha1')
    .update(JSON.stringify([tree, parents, message, date]))
    .digest('hex');
  state.commits.set(sha, { sha, tree, parents, message, date, ...PERSON, files });
  return sha;
}

function mergeCommits(state: State, ours: string, theirs: string): FileTree {
  const base = bestCommonAncestors(state, ours, theirs)[0];
  const files = base === undefined ? EMPTY_TREE : resolve(state, base).files;
  return mergeTrees(files, resolve(state, ours).files, resolve(state, theirs).files);
}

function writeFiles(tree: FileTree, files: Readonly<Record<string, string | undefined>>): FileTree {
  const entries = Object.entries(files);
  if (entries.length === 0) return tree;
  const written = new Map(tree);
  for (const [name, text] of entries) {
    if (text === undefined) written.delete(name);
    else written.set(name, text);
  }
  return written;
}

/** Asked when the host is asked, and remembered. */
function createDiffs(state: State): (base: string, head: string) => readonly ChangedFile[] {
  const known = new Map<string, readonly ChangedFile[]>();
  return (base, head) => {
    const key = `${base} ${head}`;
    const files = known.get(key) ?? diffTrees(resolve(state, base).files, resolve(state, head).files);
    known.set(key, files);
    return files;
  };
}
