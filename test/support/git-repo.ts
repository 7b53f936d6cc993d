import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { inheritedEnvironment } from './child-process.ts';

/**
 * A real git repo in a directory of its own, on which a test makes a history. Each commit is a minute after the one
 * before.
 */
export interface GitRepo {
  readonly directory: string;
  /** Runs git there; answers what it printed, without the last line's end. Throws if git fails. */
  git(...args: readonly string[]): string;
  /** Goes to a branch, which is made at `at` (default: here) where it does not exist. */
  switchTo(branch: string, at?: string): void;
  /** Writes files (undefined: deletes one) and commits everything; answers the commit. */
  commit(message: string, files?: Readonly<Record<string, string | Buffer | undefined>>): string;
  /** Merges into the branch where one is, always by a merge commit; answers it. */
  merge(other: string, message?: string): string;
  /** Adds what a branch changed as one commit, as the button "Squash and merge" does; answers it. */
  squash(other: string, message?: string): string;
  /** Moves the branch where one is onto another base; answers its new head. */
  rebase(onto: string): string;
  sha(ref: string): string;
  remove(): void;
}

const FIRST_COMMIT = Date.parse('2030-01-01T00:00:00Z');
const MINUTE = 60_000;

/**
 * An empty repo on the branch main. Nothing of the machine's own git settings counts, so equal histories have equal
 * commits.
 */
export function createGitRepo(): GitRepo {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'git-repo-')));
  let time = FIRST_COMMIT;
  const git = (...args: readonly string[]): string => runGit(directory, args, time).replace(/\n$/, '');
  const sha = (ref: string): string => git('rev-parse', '--verify', `${ref}^{commit}`);
  /** Something that makes one commit. */
  const make = (...args: readonly string[]): string => {
    time += MINUTE;
    git(...args);
    return headOf(directory);
  };
  git('init', '-q', '--initial-branch=main');
  return {
    directory,
    git,
    sha,
    switchTo(branch, at) {
      const exists = git('branch', '--list', branch) !== '';
      git('switch', '-q', ...(exists ? [branch] : ['-c', branch, ...(at === undefined ? [] : [at])]));
    },
    commit(message, files = {}) {
      for (const [name, content] of Object.entries(files)) writeOrRemove(join(directory, name), content);
      git('add', '--all');
      return make('commit', '-q', '--allow-empty', '-m', message);
    },
    merge: (other, message = `Merge branch '${other}'`) =>
      make('merge', '-q', '--no-ff', '-X', 'ours', '-m', message, other),
    squash(other, message = `Squash ${other}`) {
      git('merge', '-q', '--squash', other);
      return make('commit', '-q', '--allow-empty', '-m', message);
    },
    rebase: (onto) => make('rebase', '-q', onto),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}

/** What HEAD names, of a repo whose branches were never packed: a process less for each commit. */
function headOf(directory: string): string {
  const read = (name: string): string => readFileSync(join(directory, '.git', name), 'utf8').trim();
  const head = read('HEAD');
  return head.startsWith('ref: ') ? read(head.slice('ref: '.length)) : head;
}

function writeOrRemove(path: string, content: string | Buffer | undefined): void {
  if (content === undefined) {
    rmSync(path);
    return;
  }
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

/** Runs git in a directory, as a person without settings at that time (ms since 1970); answers what it printed. */
export function runGit(directory: string, args: readonly string[], time = FIRST_COMMIT): string {
  const date = `${Math.floor(time / 1_000)} +0000`;
  const person = { NAME: 'Mona Lisa', EMAIL: 'mona@example.com', DATE: date };
  const identity = Object.entries(person).flatMap(([key, value]) => [
    [`GIT_AUTHOR_${key}`, value],
    [`GIT_COMMITTER_${key}`, value],
  ]);
  return execFileSync('git', args, {
    cwd: directory,
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...inheritedEnvironment(),
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      ...Object.fromEntries(identity),
    },
  });
}
