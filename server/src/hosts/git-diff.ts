import type { ChangedFile } from '../ports/provider-facts.ts';

const FILE = 'diff --git ';
const ESCAPED: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, '\\': 92 };

/** How git writes the modes of links and of submodules, which are no source files (rule 25). */
const NO_SOURCE: ReadonlySet<unknown> = new Set(['120000', '160000']);

/** For a mode that is not known: it may be a source file. */
export function isSourceMode(mode: unknown): boolean {
  return !NO_SOURCE.has(mode);
}

/**
 * The source files of a whole `git diff`, in its order. Lines end at `\n` alone, since what is in files may hold any
 * other character, and a line of a file never begins as one of git's own does.
 */
export function readGitDiff(text: string): readonly ChangedFile[] {
  return `\n${text}`
    .split(`\n${FILE}`)
    .slice(1)
    .map(readFile)
    .filter((file) => file !== undefined);
}

/** One file: what git says of it, and its hunks from the first `@@` on. */
function readFile(part: string): ChangedFile | undefined {
  const at = part.indexOf('\n@@ ');
  const [names = '', ...head] = (at < 0 ? part : part.slice(0, at)).split('\n');
  const after = (prefix: string): string | undefined =>
    head.find((line) => line.startsWith(prefix))?.slice(prefix.length);
  const mode =
    after('new file mode ') ?? after('deleted file mode ') ?? after('new mode ') ?? after('index ')?.split(' ')[1];
  if (!isSourceMode(mode)) return undefined;
  const isRenamed = after('rename to ') !== undefined;
  const isMoved = isRenamed || after('copy to ') !== undefined;
  const [from, to] = [after('rename from ') ?? after('copy from '), after('rename to ') ?? after('copy to ')];
  const name = isMoved ? unquoted(to) : (sideOf(after('+++ ')) ?? sideOf(after('--- ')) ?? nameOfBoth(names));
  if (name === undefined) return undefined;
  const moved = isRenamed ? 'renamed' : 'copied';
  const added = after('new file mode ') !== undefined ? 'added' : undefined;
  const removed = after('deleted file mode ') !== undefined ? 'removed' : undefined;
  const isBinary = head.some((line) => line.startsWith('Binary files ') || line === 'GIT binary patch');
  const none = isMoved && !isBinary ? '' : undefined;
  return {
    name,
    previousName: isMoved ? unquoted(from) : undefined,
    status: isMoved ? moved : (added ?? removed ?? 'modified'),
    patch: at < 0 ? none : part.slice(at + 1).replace(/\n$/, ''),
  };
}

/** A name as git writes it: in quotes where it holds what a line cannot. */
function unquoted(text: string | undefined): string | undefined {
  if (text === undefined || !text.startsWith('"')) return text;
  const end = endOfQuoted(text);
  return end < 0 ? undefined : unescaped(text.slice(1, end));
}

function endOfQuoted(text: string): number {
  for (let at = 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at;
  }
  return -1;
}

/** Bytes above 127 are written in octal, three digits each. */
function unescaped(text: string): string {
  const bytes: Buffer[] = [];
  for (const [, octal, letter, plain] of text.matchAll(/\\([0-7]{3})|\\(.)|([^\\]+)/gs))
    bytes.push(
      octal === undefined && letter === undefined
        ? Buffer.from(plain ?? '')
        : Buffer.from([octal === undefined ? (ESCAPED[letter ?? ''] ?? 63) : Number.parseInt(octal, 8)]),
    );
  return Buffer.concat(bytes).toString();
}

/** What is behind `---` or `+++`: git puts a tab behind a name with blanks. */
function sideOf(text: string | undefined): string | undefined {
  const name = unquoted(text?.startsWith('"') ? text : text?.replace(/\t$/, ''));
  return name === undefined || name === '/dev/null' ? undefined : withoutPrefix(name);
}

/** `a/` and `b/`; Bitbucket Data Center's own git writes `src://` and `dst://`. */
function withoutPrefix(name: string): string | undefined {
  return /^(?:[ab]\/|(?:src|dst):\/\/)(.+)$/s.exec(name)?.[1];
}

/** For a file without hunks both sides have one name, with prefixes of one length: the line is two equal halves. */
function nameOfBoth(names: string): string | undefined {
  if (names.startsWith('"')) return withoutPrefix(unquoted(names) ?? '');
  return withoutPrefix(names.slice(0, (names.length - 1) / 2));
}
