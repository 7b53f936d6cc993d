import type { PastCommit } from '@coverage/shared/history';
import { ActionFailure } from '../../runner/failure.ts';
import { counted } from '../../runner/words.ts';
import { filesBelow, isReport, namedIn, oneFormat, parseKept, type ReadKept, readPacked } from './kept-reports.ts';
import type { Asked, LeftOutCommit, PastReport, PastSource } from './past.ts';
import type { GitCommit, PastGit } from './past-git.ts';

/** Reports of one commit, by what finds them; the key is the flag, '' for none. */
export type ReportsOfCommit = ReadonlyMap<string, readonly string[]>;

/** Commits by name, with their reports as a folder has them. */
export interface KeptCommits {
  readonly address: string;
  /** Whole commits, or the beginnings of some. */
  readonly commits: ReadonlyMap<string, ReportsOfCommit>;
  read(path: string): ReadKept | undefined;
}

/** A commit in a path: whole anywhere, or shortened where it is a whole part. */
const WHOLE = /(?<![0-9a-f])(?:[0-9a-f]{40}|[0-9a-f]{64})(?![0-9a-f])/;
const SHORT = /^[0-9a-f]{7,39}$/;

/** Reports that are named by commit: `<commit>/…`, `…-<commit>.info`. `byFolder`: the folder below is the flag. */
export function keptInFolder(folder: string, { byFolder }: { readonly byFolder: boolean }): KeptCommits {
  const commits = new Map<string, Map<string, string[]>>();
  for (const path of filesBelow(folder)) {
    const named = commitIn(path);
    if (named === undefined || !isReport(folder, path)) continue;
    const flag = byFolder ? flagOf(path, named) : '';
    const ofCommit = commits.get(named.commit) ?? new Map<string, string[]>();
    commits.set(named.commit, ofCommit.set(flag, [...(ofCommit.get(flag) ?? []), path]));
  }
  if (commits.size === 0) throw new ActionFailure('bad-input', nothingNamed(folder));
  return {
    address: folder,
    commits,
    read: (path) => parseKept({ path: withoutPacking(path), bytes: readPacked(folder, path) }),
  };
}

interface NamedCommit {
  readonly commit: string;
  /** Its place among the parts of the path. */
  readonly part: number;
}

function commitIn(path: string): NamedCommit | undefined {
  const parts = path.split('/');
  for (const [part, text] of parts.entries()) {
    const whole = WHOLE.exec(text.toLowerCase())?.[0];
    const name = part === parts.length - 1 ? text.split('.', 1)[0] : text;
    const commit = whole ?? (SHORT.test(name ?? '') ? name : undefined);
    if (commit !== undefined) return { commit, part };
  }
  return undefined;
}

function flagOf(path: string, { part }: NamedCommit): string {
  const parts = path.split('/');
  return part + 2 < parts.length ? (parts[part + 1] ?? '') : '';
}

/** Formats may look at a file's name. */
function withoutPacking(path: string): string {
  return path.replace(/\.(?:gz|zst)$/, '');
}

/** Kept reports with their dates, names and order from git. Throws `bad-input` if the folder is not a clone. */
export function readKeptCommits(kept: KeptCommits, git: PastGit, { branches, since }: Asked): PastSource {
  let left = 0;
  return {
    address: kept.address,
    async *list() {
      for (const branch of branches.length > 0 ? branches : [git.branch ?? 'main'])
        yield* commitsOf(kept, await git.history(branch), { branch, since });
    },
    async reports({ commit }) {
      const reports: PastReport[] = [];
      for (const [flag, paths] of reportsOf(kept.commits, commit) ?? []) {
        const read = [...groupByFolder(paths).values()].flatMap((some) =>
          oneFormat(some.flatMap((path) => kept.read(path) ?? [])),
        );
        const named = await namedIn(git, commit, read);
        left += named.left;
        if (named.files.length > 0) reports.push({ ...(flag !== '' && { flag }), files: named.files });
      }
      return reports;
    },
    notes: () => (left === 0 ? [] : [notInCommit(left)]),
  };
}

/** In git's order; then the ones that git does not have there. */
async function* commitsOf(
  { commits }: KeptCommits,
  history: readonly GitCommit[],
  { branch, since }: { readonly branch: string; readonly since: number | undefined },
): AsyncGenerator<PastCommit | LeftOutCommit> {
  const found = new Set<string>();
  for (const { commit, at, author, message } of history) {
    const name = nameOf(commits, commit);
    if (name === undefined) continue;
    found.add(name);
    if (since === undefined || at >= since) yield { commit, branch, at, author, message };
  }
  for (const commit of commits.keys())
    if (!found.has(commit)) yield { commit, why: `git has no such commit on ${branch}` };
}

function reportsOf(commits: KeptCommits['commits'], commit: string): ReportsOfCommit | undefined {
  const name = nameOf(commits, commit);
  return name === undefined ? undefined : commits.get(name);
}

/** By which a commit is named in the folder. */
function nameOf(commits: KeptCommits['commits'], commit: string): string | undefined {
  if (commits.has(commit)) return commit;
  for (let length = 7; length < 40; length += 1)
    if (commits.has(commit.slice(0, length))) return commit.slice(0, length);
  return undefined;
}

function groupByFolder(paths: readonly string[]): ReadonlyMap<string, readonly string[]> {
  return Map.groupBy(paths, (path) => path.slice(0, path.lastIndexOf('/') + 1));
}

function nothingNamed(folder: string): string {
  return (
    `${folder} has no coverage report with a commit in its path, such as 3f1c…/lcov.info or lcov-3f1c….info: at ` +
    'least seven digits of the commit, as a folder or at the beginning of the file name.'
  );
}

function notInCommit(count: number): string {
  return `${counted(count, 'file')} of reports are not in the commit of their report, and are left out.`;
}
