import type { FileHits } from '../formats/file-hits.ts';
import { TABLE } from '../messages/command/show.ts';
import { type Paint, safeText } from './shell/terminal-text.ts';
import { type CoverageRow, fileRow, rowTable, sumRows } from './show-table.ts';

interface Folder {
  readonly folders: Map<string, Folder>;
  readonly files: { readonly name: string; readonly file: FileHits }[];
}

/** Folders with their totals, files below them. A folder that holds one folder alone stands on its line. */
export function fileTree(files: readonly FileHits[], paint: Paint): string {
  const root = emptyFolder();
  for (const file of files) put(root, file);
  return rowTable(rowsOf(root, ''), sumRows(TABLE.total, files.map(fileRow)), paint);
}

function put(root: Folder, file: FileHits): void {
  const parts = file.name.split('/');
  const name = parts.pop() ?? '';
  let at = root;
  for (const part of parts) {
    const next = at.folders.get(part) ?? emptyFolder();
    at.folders.set(part, next);
    at = next;
  }
  at.files.push({ name, file });
}

function rowsOf(folder: Folder, indent: string): CoverageRow[] {
  const folders = [...folder.folders].sort(([a], [b]) => (a < b ? -1 : 1));
  const count = folders.length + folder.files.length;
  const stem = (index: number): readonly [own: string, below: string] =>
    index === count - 1 ? [`${indent}└─ `, `${indent}   `] : [`${indent}├─ `, `${indent}│  `];
  const below = folders.flatMap(([name, child], index) => {
    const [own, next] = stem(index);
    const [path, last] = onlyFolder(name, child);
    return [sumRows(`${own}${safeText(path)}/`, allRows(last)), ...rowsOf(last, next)];
  });
  const own = folder.files.map(({ name, file }, index) => ({
    ...fileRow(file),
    name: stem(folders.length + index)[0] + safeText(name),
  }));
  return [...below, ...own];
}

function onlyFolder(name: string, folder: Folder): readonly [path: string, folder: Folder] {
  const [only, ...others] = folder.folders;
  if (only === undefined || others.length > 0 || folder.files.length > 0) return [name, folder];
  const [path, last] = onlyFolder(only[0], only[1]);
  return [`${name}/${path}`, last];
}

function allRows(folder: Folder): CoverageRow[] {
  return [...folder.files.map(({ file }) => fileRow(file)), ...[...folder.folders.values()].flatMap(allRows)];
}

function emptyFolder(): Folder {
  return { folders: new Map(), files: [] };
}
