import type { ChangedFile } from '../github-stand-in/model.ts';

/** A whole difference as git writes it, prefixes of the two sides and quoted names too. */
export function rawDiff(files: readonly ChangedFile[], [before, after] = ['a/', 'b/']): string {
  return files.map((file) => fileDiff(file, String(before), String(after))).join('');
}

function fileDiff(file: ChangedFile, before: string, after: string): string {
  const { filename, previousFilename = filename, status, patch, additions, deletions, mode = '100644' } = file;
  const [old, now] = [`${before}${previousFilename}`, `${after}${filename}`].map(quoted);
  const lines = [`diff --git ${old} ${now}`];
  if (status === 'added') lines.push(`new file mode ${mode}`);
  if (status === 'removed') lines.push(`deleted file mode ${mode}`);
  if (status === 'changed') lines.push('old mode 100644', 'new mode 100755');
  if (status === 'renamed' || status === 'copied') {
    const word = status === 'renamed' ? 'rename' : 'copy';
    lines.push('similarity index 90%', `${word} from ${quoted(previousFilename)}`, `${word} to ${quoted(filename)}`);
  }
  const [from, to] = [status === 'added' ? '/dev/null' : old, status === 'removed' ? '/dev/null' : now];
  const isMove = status === 'renamed' && additions + deletions === 0;
  if (patch !== undefined) {
    const tab = (name = '') => (/ /.test(name) && !name.startsWith('"') ? `${name}\t` : name);
    lines.push(`index 1111111..2222222 ${mode}`, `--- ${tab(from)}`, `+++ ${tab(to)}`, patch);
  } else if (status !== 'changed' && !isMove) {
    lines.push('index 1111111..2222222 100644', `Binary files ${from} and ${to} differ`);
  }
  return `${lines.join('\n')}\n`;
}

/** git quotes what a line cannot hold, and by default every byte above 127. */
function quoted(name: string): string {
  if (!/[\p{Cc}"\\\u0080-\u{10ffff}]/u.test(name)) return name;
  const bytes = [...Buffer.from(name)].map((byte) => {
    if (byte === 34 || byte === 92) return `\\${String.fromCharCode(byte)}`;
    if (byte === 9) return '\\t';
    return byte < 32 || byte > 126 ? `\\${byte.toString(8).padStart(3, '0')}` : String.fromCharCode(byte);
  });
  return `"${bytes.join('')}"`;
}
