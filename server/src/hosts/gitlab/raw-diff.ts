/**
 * The hunks of each file of a whole `git diff`, by the file's name after it. A name in quotes, which holds a character
 * that git escapes, is left out.
 */
export function readRawDiff(text: string): ReadonlyMap<string, string> {
  const patches = new Map<string, string>();
  for (const part of text.split(/^diff --git /m).slice(1)) {
    const at = part.search(/^@@ /m);
    if (at < 0) continue;
    const [, after] = /^\+\+\+ b\/(.*)$/m.exec(part.slice(0, at)) ?? [];
    const [, before] = /^--- a\/(.*)$/m.exec(part.slice(0, at)) ?? [];
    const name = after ?? before;
    // git puts a tab behind a name with blanks.
    if (name !== undefined) patches.set(name.replace(/\t$/, ''), part.slice(at).replace(/\n$/, ''));
  }
  return patches;
}
