import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Other people's code and git's own files: what is below these is neither a report nor a source file of the repo. */
const PRUNED: ReadonlySet<string> = new Set(['node_modules', 'vendor', '.git']);

/**
 * The files below a folder whose names are asked for, as sorted paths relative to it, with `/`. Symbolic links to
 * folders are not followed; folders that can not be read count as empty; `node_modules`, `vendor` and `.git` are passed
 * over.
 */
export function walkFiles(root: string, isAsked: (name: string) => boolean = () => true): string[] {
  const found: string[] = [];
  const folders = [''];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of entriesOf(join(root, folder))) {
      const { name } = entry;
      const isFolder = entry.isDirectory();
      if (isFolder ? PRUNED.has(name) : !isAsked(name)) continue;
      (isFolder ? folders : found).push(folder === '' ? name : `${folder}/${name}`);
    }
  }
  return found.sort();
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
