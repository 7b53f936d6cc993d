import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Other people's code and git's own files: what is below these is neither a report nor a source file of the repo. */
const PRUNED: ReadonlySet<string> = new Set(['node_modules', 'vendor', '.git']);

/**
 * All files below a folder as sorted paths relative to it, with `/`. Symbolic links to folders are not followed;
 * folders that can not be read count as empty; `node_modules`, `vendor` and `.git` are passed over.
 */
export function walkFiles(root: string): string[] {
  const found: string[] = [];
  const folders = [''];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of entriesOf(join(root, folder))) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (!entry.isDirectory()) found.push(path);
      else if (!PRUNED.has(entry.name)) folders.push(path);
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
