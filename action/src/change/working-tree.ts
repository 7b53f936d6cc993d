import { execFile } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GitFolder } from '../git/git-folder.ts';
import { type GitStart, runText } from '../git/run-text.ts';

/**
 * The tree of the checkout's tracked files as they are now, committed or not. It is written into the git directory of
 * our own, so nothing in the checkout changes. Undefined where git cannot say, as while a merge has conflicts.
 */
export async function writeWorkingTree(
  { root, listing, reading }: Pick<GitFolder, 'root' | 'listing' | 'reading'>,
  signal: AbortSignal,
): Promise<string | undefined> {
  const index = listing.env.GIT_INDEX_FILE;
  if (index === undefined) return undefined;
  const copy = join(reading.folder, 'working-index');
  copyFileSync(index, copy);
  const start = { ...reading, env: { ...reading.env, GIT_INDEX_FILE: copy, GIT_WORK_TREE: root } };
  const ask = (...args: string[]) => runText(start, ['-C', root, ...args], signal);
  // A repo within this one has settings of its own, which could name programs.
  const changed = await ask('diff-files', '--name-only', '-z', '--ignore-submodules=all');
  if (changed === undefined) return undefined;
  if (changed !== '' && !(await takeNames(start, root, changed))) return undefined;
  const tree = (await ask('write-tree', '--missing-ok'))?.trim();
  return tree !== undefined && /^[0-9a-f]{40,64}$/.test(tree) ? tree : undefined;
}

/** Writes these files, or their absence, into the index that is named in the variables. */
function takeNames({ command, folder, env }: GitStart, root: string, names: string): Promise<boolean> {
  const args = ['-C', root, 'update-index', '--add', '--remove', '-z', '--stdin'];
  return new Promise((resolve) => {
    const child = execFile(command, args, { env, cwd: folder, windowsHide: true }, (error) => resolve(error === null));
    child.stdin?.on('error', () => {}).end(names);
  });
}
