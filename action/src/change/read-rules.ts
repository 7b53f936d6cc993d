import type { RepoFileJson } from '@coverage/shared';
import { FILE_PLACES, MAX_FILE_BYTES } from '@coverage/shared/coverage-file/declared';
import { runText } from '../git/git-environment.ts';
import type { GitFolder, GitFolders } from '../git/git-folder.ts';
import type { Log } from '../runner/log.ts';
import { byteText } from '../runner/words.ts';

/**
 * The repo's own file as the tested commit has it, whatever the job made of it since; null: none. By it a server judges
 * that can ask no git host. Undefined: the clone cannot say, or no server reads a file that large.
 */
export async function readRules(
  { root, head }: { readonly root: string; readonly head: string | undefined },
  { log, folders }: { readonly log: Log; readonly folders: GitFolders },
): Promise<RepoFileJson | null | undefined> {
  const folder = await folders.at(root);
  if (folder === undefined || head === undefined || folder.headSha !== head) return undefined;
  const found = await readFirst(folder, { tree: head, paths: FILE_PLACES });
  const bytes = found ? Buffer.byteLength(found.text) : 0;
  if (bytes <= MAX_FILE_BYTES) return found;
  log.warning(
    `${found?.path} has ${byteText(bytes)} and is not sent: at most ${byteText(MAX_FILE_BYTES)} are read. Shorten it.`,
  );
  return undefined;
}

/** The first of some files in a tree; null: none. Undefined: the clone lacks the text of one that it lists. */
export async function readFirst(
  { reading }: Pick<GitFolder, 'reading'>,
  { tree, paths }: { readonly tree: string; readonly paths: readonly string[] },
  signal?: AbortSignal,
): Promise<RepoFileJson | null | undefined> {
  for (const path of paths) {
    const listed = await runText(reading, ['ls-tree', tree, '--', path], signal);
    if (listed === undefined) return undefined;
    if (!listed.startsWith('100')) continue;
    const text = await runText(reading, ['cat-file', 'blob', `${tree}:${path}`], signal);
    return text === undefined ? undefined : { path, text };
  }
  return null;
}
