import type { DiffFile } from '@coverage/shared';

/** A file that two commits do not have in common, as git names it. */
export interface RawFile extends Pick<DiffFile, 'name' | 'previous_name' | 'kind'> {
  /** `<old>..<new>`, under which its hunks are found; undefined if they mean nothing (a link, another kind of file). */
  readonly blobs: string | undefined;
  /** Only its name or its mode changed. */
  readonly sameText: boolean;
}

const HEAD = /^:(\d{6}) (\d{6}) ([0-9a-f]+) ([0-9a-f]+) ([A-Z])\d*$/;
const GITLINK = '160000';
const LINK = '120000';
const KINDS: Readonly<Record<string, DiffFile['kind']>> = {
  A: 'added',
  D: 'removed',
  M: 'modified',
  T: 'modified',
  R: 'renamed',
};

/**
 * Reads what `git diff-tree -r --raw -z --no-abbrev -M` prints: names as they are, ended by NUL. Links and submodules
 * are left out, since no report is about them; what cuts the text off may have left half a record at its end,
 * which is left out too. Source: git-diff-tree(1), "Raw output format".
 */
export function parseRawFiles(text: string): RawFile[] {
  const parts = text.split('\0');
  // What follows the last NUL is nothing, or the beginning of something.
  parts.pop();
  const files: RawFile[] = [];
  for (let at = 0; at < parts.length; ) {
    const head = HEAD.exec(parts[at] as string);
    if (head === null) break;
    const names = head[5] === 'R' ? 2 : 1;
    if (at + names >= parts.length) break;
    const file = toRawFile(head, parts.slice(at + 1, at + 1 + names));
    if (file !== undefined) files.push(file);
    at += 1 + names;
  }
  return files;
}

function toRawFile(
  [, oldMode = '', newMode = '', old = '', now = '', status = '']: RegExpExecArray,
  names: readonly string[],
) {
  const modes = [oldMode, newMode];
  const kind = kindOf(status, modes);
  const name = names.at(-1);
  if (kind === undefined || name === undefined) return undefined;
  const isPlain = status !== 'T' && !modes.includes(LINK);
  return {
    name,
    ...(kind === 'renamed' ? { previous_name: names[0] as string } : {}),
    kind,
    blobs: isPlain ? `${old}..${now}` : undefined,
    sameText: isPlain && old === now,
  };
}

/**
 * Undefined if no source file is concerned: links and submodules are none (rule 25). A submodule that replaces a file
 * removes it.
 */
function kindOf(status: string, [oldMode, newMode]: readonly string[]): DiffFile['kind'] | undefined {
  if (status !== 'T' && (oldMode === LINK || newMode === LINK)) return undefined;
  if (newMode === GITLINK) return status === 'T' ? 'removed' : undefined;
  if (oldMode === GITLINK) return status === 'T' ? 'added' : undefined;
  return KINDS[status];
}
