import { createHash } from 'node:crypto';
import type { ChangedFile } from '../github-stand-in/model.ts';
import { mergeTexts, writePatch } from './text-changes.ts';

/** The files of a commit: texts by name. */
export type FileTree = ReadonlyMap<string, string>;

export const EMPTY_TREE: FileTree = new Map();

/** Equal files have equal names of 40 hex digits. */
export function nameTree(tree: FileTree): string {
  const entries = [...tree].sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha1').update(JSON.stringify(entries)).digest('hex');
}

/** As git names the text of a file. */
function nameText(text: string): string {
  return createHash('sha1')
    .update(`blob ${Buffer.byteLength(text)}\0`)
    .update(text)
    .digest('hex');
}

/** Files that went under one name and came, unchanged, under another: new names by old ones. */
function findRenames(old: FileTree, now: FileTree): ReadonlyMap<string, string> {
  const added = [...now].filter(([name]) => !old.has(name));
  const renames = new Map<string, string>();
  for (const [name, text] of old) {
    if (now.has(name)) continue;
    const to = added.find(([, content]) => content === text)?.[0];
    if (to !== undefined) renames.set(name, to);
  }
  return renames;
}

/** What `git diff --find-renames` lists, in the order of names. */
export function diffTrees(old: FileTree, now: FileTree): readonly ChangedFile[] {
  const renames = findRenames(old, now);
  const files: ChangedFile[] = [...renames].map(([previousFilename, filename]) => ({
    status: 'renamed',
    previousFilename,
    filename,
    additions: 0,
    deletions: 0,
    blob: nameText(now.get(filename) ?? ''),
  }));
  const arrived = new Set(renames.values());
  for (const [filename, text] of old) {
    const content = now.get(filename);
    if (content === undefined && !renames.has(filename)) files.push(changed(filename, 'removed', text, ''));
    else if (content !== undefined && content !== text) files.push(changed(filename, 'modified', text, content));
  }
  for (const [filename, text] of now) {
    if (!old.has(filename) && !arrived.has(filename)) files.push(changed(filename, 'added', '', text));
  }
  return files.sort((a, b) => (a.filename < b.filename ? -1 : 1));
}

function changed(filename: string, status: ChangedFile['status'], old: string, now: string): ChangedFile {
  const { patch, ...counts } = writePatch(old, now);
  const blob = status === 'removed' ? '0'.repeat(40) : nameText(now);
  return { filename, status, blob, ...counts, ...(patch === undefined ? {} : { patch }) };
}

/** Both sides' changes since the base; where they meet, ours. What theirs changed follows a file that ours renamed. */
export function mergeTrees(base: FileTree, ours: FileTree, theirs: FileTree): FileTree {
  const renames = findRenames(base, ours);
  const merged = new Map(ours);
  for (const name of new Set([...base.keys(), ...theirs.keys()])) {
    const [before, after] = [base.get(name), theirs.get(name)];
    if (before === after) continue;
    const place = renames.get(name) ?? name;
    const own = ours.get(place);
    if (own === before && after === undefined) merged.delete(place);
    else if (own === before && after !== undefined) merged.set(place, after);
    else if (before !== undefined && own !== undefined && after !== undefined)
      merged.set(place, mergeTexts(before, own, after));
  }
  return merged;
}
