import { runGit } from '../git-repo.ts';
import type { HostSetUp } from './host-set-up.ts';
import type { ChangedFile } from './model.ts';

/**
 * Fills a repo of a git host with the commits, branches and diffs of a real git repo. Called again after more was done
 * there, it brings the host up to date, as a push does (a forced one too).
 *
 * Commits that no branch holds any more stay known. Diffs are computed when they are asked for, so the directory has to
 * last.
 */
export function loadGitHistory(
  host: Pick<HostSetUp, 'addCommit' | 'setBranches' | 'setDiffs'>,
  { directory, repo }: { readonly directory: string; readonly repo: string },
): void {
  for (const commit of readCommits(directory)) host.addCommit(repo, commit);
  host.setBranches(repo, readBranches(directory));
  const known = new Map<string, readonly ChangedFile[]>();
  host.setDiffs(repo, (base, head) => {
    const key = `${base} ${head}`;
    const files = known.get(key) ?? readDiff(directory, base, head);
    known.set(key, files);
    return files;
  });
}

/** All commits that the repo knows, old heads too. */
function readCommits(directory: string) {
  // %x1f and %x1e, the separators of ASCII: no message holds them.
  const format = '%H%x1f%P%x1f%T%x1f%an%x1f%ae%x1f%cI%x1f%B%x1e';
  const records = runGit(directory, ['log', '--all', '--reflog', `--format=${format}`]).split('\x1e');
  return records.slice(0, -1).map((record) => {
    const [sha = '', parents = '', tree = '', authorName = '', authorEmail = '', date = '', message = ''] = record
      .trimStart()
      .split('\x1f');
    const fields = { sha, tree, authorName, authorEmail, date };
    return { ...fields, parents: parents.split(' ').filter((parent) => parent !== ''), message: message.trimEnd() };
  });
}

function readBranches(directory: string): ReadonlyMap<string, string> {
  const lines = runGit(directory, ['for-each-ref', '--format=%(objectname) %(refname:lstrip=2)', 'refs/heads']).split(
    '\n',
  );
  return new Map(lines.filter((line) => line !== '').map((line) => [line.slice(41), line.slice(0, 40)]));
}

const STATUSES: Readonly<Record<string, ChangedFile['status']>> = {
  A: 'added',
  D: 'removed',
  M: 'modified',
  R: 'renamed',
  C: 'copied',
  T: 'changed',
};

/** What changed from one commit to another. */
export function readDiff(directory: string, base: string, head: string): readonly ChangedFile[] {
  const options = [
    '-c',
    'core.quotePath=off',
    'diff',
    '--no-color',
    '--no-ext-diff',
    '--no-textconv',
    '--find-renames',
  ];
  const entries = readEntries(runGit(directory, [...options, '--raw', '-z', '--no-abbrev', base, head]));
  // Both lists have the same order; no line of a hunk begins with a `d`.
  const sections = runGit(directory, [...options, '--patch', base, head]).split(/^diff --git /m);
  return entries.map((entry, i) => ({ ...entry, ...readHunks(sections[i + 1] ?? '') }));
}

/** `:<modes and shas> <letter>[score]`, then one name, or the old and the new one; all of them end with NUL. */
function readEntries(raw: string): Pick<ChangedFile, 'filename' | 'status' | 'previousFilename' | 'blob'>[] {
  const words = raw.split('\0').slice(0, -1);
  const entries: ReturnType<typeof readEntries> = [];
  for (let i = 0; i < words.length; ) {
    const [, , , blob = '', letters = ''] = words[i]?.split(' ') ?? [];
    const letter = letters[0] ?? '';
    const status = STATUSES[letter];
    if (status === undefined)
      throw new Error(`git's diff has an entry that is not understood: ${JSON.stringify(words[i])}`);
    const hasOldName = letter === 'R' || letter === 'C';
    const [first = '', second = ''] = words.slice(i + 1);
    entries.push(
      hasOldName ? { status, blob, previousFilename: first, filename: second } : { status, blob, filename: first },
    );
    i += hasOldName ? 3 : 2;
  }
  return entries;
}

/** A file's part of a patch as GitHub gives it: from its first hunk on, or no text at all. */
function readHunks(section: string): Pick<ChangedFile, 'additions' | 'deletions' | 'patch'> {
  const begin = section.search(/^@@ /m);
  if (begin === -1) return { additions: 0, deletions: 0 };
  const patch = section.slice(begin).replace(/\n$/, '');
  const lines = patch.split('\n');
  const count = (sign: string): number => lines.filter((line) => line.startsWith(sign)).length;
  return { additions: count('+'), deletions: count('-'), patch };
}
