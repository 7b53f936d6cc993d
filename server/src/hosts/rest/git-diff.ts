import type { ChangedFile } from '../../ports/provider-facts.ts';

/** The files of a whole `git diff`, in its order. */
export function readGitDiff(text: string): readonly ChangedFile[] {
  // Every line of a file's content begins with another character.
  const parts = text.split(/(?:^|\n)diff --git /).slice(1);
  return parts.map(readFile).filter((file) => file !== undefined);
}

function readFile(part: string): ChangedFile | undefined {
  const at = part.indexOf('\n@@ ');
  const [first = '', ...head] = (at < 0 ? part : part.slice(0, at)).split('\n');
  const after = (start: string) => head.find((line) => line.startsWith(start))?.slice(start.length);
  const has = (start: string) => after(start) !== undefined;
  const [from, to] = [after('rename from ') ?? after('copy from '), after('rename to ') ?? after('copy to ')];
  const name = to === undefined ? nameOf(first, after('--- '), after('+++ ')) : unquoted(to);
  if (name === undefined) return undefined;
  const hunks = at < 0 ? undefined : part.slice(at + 1).replace(/\n$/, '');
  const isMoved = from !== undefined;
  const isBinary = has('Binary files ') || has('GIT binary patch');
  const status = has('new file mode ')
    ? 'added'
    : has('deleted file mode ')
      ? 'removed'
      : isMoved
        ? has('copy from ')
          ? 'copied'
          : 'renamed'
        : 'modified';
  return {
    name,
    previousName: isMoved ? unquoted(from) : undefined,
    status,
    patch: hunks ?? (isMoved && !isBinary ? '' : undefined),
  };
}

/** Of a file that kept its name: by the lines before its hunks, else by the line that names it twice. */
function nameOf(line: string, before: string | undefined, after: string | undefined): string | undefined {
  const named = [after, before].find((one) => one !== undefined && one !== '/dev/null');
  // git puts a tab behind a name with blanks.
  const place = named === undefined ? secondHalf(line) : unquoted(named.replace(/\t$/, ''));
  return /^[ab]\//.test(place) ? place.slice(2) : undefined;
}

function secondHalf(line: string): string {
  const [, quoted] = /^"(?:[^"\\]|\\.)*" ("(?:[^"\\]|\\.)*")$/.exec(line) ?? [];
  return quoted === undefined ? line.slice((line.length + 1) / 2) : unquoted(quoted);
}

const ESCAPES: Readonly<Record<string, string>> = { a: '\x07', b: '\b', t: '\t', n: '\n', v: '\v', f: '\f', r: '\r' };

/** As git quotes names with special characters: C's escapes, three octal digits a byte. */
function unquoted(name: string): string {
  if (!/^".*"$/.test(name)) return name;
  const bytes = name
    .slice(1, -1)
    .split(/(\\[0-7]{3}|\\.)/)
    .map((part) => {
      if (/^\\[0-7]{3}$/.test(part)) return Buffer.from([Number.parseInt(part.slice(1), 8)]);
      return Buffer.from(part.startsWith('\\') ? (ESCAPES[part.slice(1)] ?? part.slice(1)) : part);
    });
  return Buffer.concat(bytes).toString();
}
