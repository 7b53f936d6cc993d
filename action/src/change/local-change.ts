import { execFile } from 'node:child_process';
import { copyFileSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import type { JobDiff, RepoFileJson } from '@coverage/shared';
import { createGit } from '../context/git.ts';
import { type GitStart, runText } from '../git/git-environment.ts';
import type { GitFolder, GitFolders } from '../git/git-folder.ts';
import { isSha } from '../git/git-places.ts';
import { createDiffGit } from './diff-git.ts';
import { type ChangeLimits, compareTrees, LIMITS } from './read-change.ts';
import { readFirst } from './read-rules.ts';

/** What a clone has changed since it left another branch: its files as they are now, committed or not. */
export interface LocalChange {
  readonly head: string;
  readonly mergeBase: string;
  /** First parents of the merge base, nearest first; at most 100. */
  readonly ancestors: readonly string[];
  /** From the merge base to the files as they are. */
  readonly diff: JobDiff;
  /** The first of some files, at the merge base or as it is now; null: none; undefined: the clone cannot say. */
  readFile(at: 'mergeBase' | 'head', paths: readonly string[]): Promise<RepoFileJson | null | undefined>;
  /** Between two commits, the first an ancestor of the second; undefined if the clone cannot say. */
  compare(range: { readonly base_sha: string; readonly head_sha: string }): Promise<JobDiff | undefined>;
}

/** Why there is no such change. */
export type NoChange = 'no-checkout' | 'no-merge-base' | 'not-compared';

/** The server uses no more. */
const MAX_ANCESTORS = 100;

/** `target`: the commit of the branch that the change goes to. */
export async function readLocalChange(
  { root, target }: { readonly root: string; readonly target: string },
  { folders, signal, limits = LIMITS }: { readonly folders: GitFolders; signal: AbortSignal; limits?: ChangeLimits },
): Promise<LocalChange | NoChange> {
  const folder = await folders.at(root, signal);
  const head = folder?.headSha;
  if (folder === undefined || head === undefined) return 'no-checkout';
  const git = createGit(folders, signal);
  const diffGit = createDiffGit(folder, signal);
  const mergeBase = (await git.hasCommit(root, target)) ? await diffGit.mergeBase(target, head) : undefined;
  if (mergeBase === undefined) return 'no-merge-base';
  const tree = await writeWorkingTree(folder, signal);
  const compare = async (base: string, end: string): Promise<JobDiff | undefined> => {
    const isOurs = end === head;
    const found = await compareTrees({ base, head: isOurs ? (tree ?? head) : end }, { folder, diffGit, limits });
    return found === undefined || 'reason' in found ? undefined : { ...found, head_sha: end };
  };
  const diff = await compare(mergeBase, head);
  if (diff === undefined) return 'not-compared';
  return {
    head,
    mergeBase,
    ancestors: await firstParents(folder, mergeBase, signal),
    diff,
    readFile: (at, paths) => readFirst(folder, { tree: at === 'head' ? (tree ?? head) : mergeBase, paths }, signal),
    async compare({ base_sha: base, head_sha: end }) {
      const isKnown = isSha(base) && isSha(end) && (await diffGit.mergeBase(base, end)) === base;
      return isKnown ? compare(base, end) : undefined;
    },
  };
}

async function firstParents(folder: GitFolder, commit: string, signal: AbortSignal): Promise<readonly string[]> {
  const args = ['rev-list', '--first-parent', `--max-count=${MAX_ANCESTORS + 1}`, commit];
  const text = await runText(folder.reading, args, signal);
  return (text ?? '').split('\n').filter(isSha).slice(1);
}

/**
 * The tree of the checkout's tracked files as they are now, committed or not. It is written into our own
 * git directory, so nothing in the checkout changes. Undefined if git cannot say, such as while a merge has conflicts.
 */
async function writeWorkingTree(
  { root, listing, reading }: Pick<GitFolder, 'root' | 'listing' | 'reading'>,
  signal: AbortSignal,
): Promise<string | undefined> {
  const index = listing.env.GIT_INDEX_FILE;
  if (index === undefined) return undefined;
  const copy = join(reading.folder, 'working-index');
  copyFileSync(index, copy);
  // Git compares a file's text only if the file is as new as the index. A fresh copy would be newer than every file.
  const written = Math.floor(statSync(index).mtimeMs / 1_000);
  utimesSync(copy, written, written);
  const start = { ...reading, env: { ...reading.env, GIT_INDEX_FILE: copy, GIT_WORK_TREE: root } };
  const ask = (...args: string[]) => runText(start, ['-C', root, ...args], signal);
  // A repo within this one has settings of its own, which could name programs.
  const changed = await ask('diff-files', '--name-only', '-z', '--ignore-submodules=all');
  if (changed === undefined) return undefined;
  if (changed !== '' && !(await takeNames(start, root, changed))) return undefined;
  const tree = (await ask('write-tree', '--missing-ok'))?.trim();
  return tree !== undefined && /^[0-9a-f]{40,64}$/.test(tree) ? tree : undefined;
}

/** Writes these files, or their absence, into the index that the environment names. */
function takeNames({ command, folder, env }: GitStart, root: string, names: string): Promise<boolean> {
  const args = ['-C', root, 'update-index', '--add', '--remove', '-z', '--stdin'];
  return new Promise((resolve) => {
    const child = execFile(command, args, { env, cwd: folder, windowsHide: true }, (error) => resolve(error === null));
    child.stdin?.on('error', () => {}).end(names);
  });
}
