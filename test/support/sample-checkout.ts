import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inheritedEnvironment } from './child-process.ts';
import { shaOf } from './coverage-api.ts';
import { fixtures } from './fixture-reports.ts';

/** The sample project in a git checkout of its own, as actions/checkout leaves it. */
export interface SampleCheckout {
  readonly directory: string;
  /** The commit on main; the same on every machine. */
  readonly baseSha: string;
  /** The commit of the pull request. */
  readonly headSha: string;
  /** The temporary merge of both, which a pull request's run tests. */
  readonly mergeSha: string;
  readonly headRef: string;
  /** False if there is no git: then the files are there, the shas are made up. */
  readonly hasGit: boolean;
  /** Switches to a push to main, or to the pull request's merge commit (detached). */
  checkOut(what: 'base' | 'merge'): Promise<void>;
  dispose(): Promise<void>;
}

const headRef = 'coupons';
const pullRequestRef = 'refs/remotes/pull/7/merge';
const run = promisify(execFile);

/** Makes the checkout in a new directory; it begins at the pull request's merge commit. */
export async function createSampleCheckout(): Promise<SampleCheckout> {
  // Real, since git answers real paths and some systems' /tmp is a link.
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'shop-')));
  const hasGit = await makeHistory(directory);
  const shas = hasGit
    ? await readShas(directory)
    : { baseSha: shaOf('base'), headSha: shaOf('head'), mergeSha: shaOf('merge') };
  return {
    directory,
    ...shas,
    headRef,
    hasGit,
    async checkOut(what) {
      if (!hasGit) return copyState(directory, what === 'base' ? 'base' : 'head');
      await (what === 'base'
        ? git(directory, 'checkout', '-q', 'main')
        : git(directory, 'checkout', '-q', '--detach', pullRequestRef));
    },
    dispose: () => rm(directory, { recursive: true, force: true }),
  };
}

async function makeHistory(directory: string): Promise<boolean> {
  await copyState(directory, 'base');
  try {
    await git(directory, 'init', '-q', '--initial-branch=main');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    await copyState(directory, 'head');
    return false;
  }
  const commit = async (message: string): Promise<string> => {
    await git(directory, 'add', '--all');
    await git(directory, 'commit', '-q', '-m', message);
    return git(directory, 'rev-parse', 'HEAD');
  };
  await git(directory, 'remote', 'add', 'origin', 'https://github.com/acme/shop');
  const base = await commit('Sell tea');
  await git(directory, 'checkout', '-q', '-b', headRef);
  await copyState(directory, 'head');
  const head = await commit('Take coupons');
  await git(directory, 'checkout', '-q', '--detach', 'main');
  await git(directory, 'merge', '-q', '--no-ff', '-m', `Merge ${head} into ${base}`, head);
  await git(directory, 'update-ref', pullRequestRef, 'HEAD');
  return true;
}

async function readShas(directory: string): Promise<{ baseSha: string; headSha: string; mergeSha: string }> {
  const [baseSha, headSha, mergeSha] = await Promise.all(
    ['main', headRef, pullRequestRef].map((ref) => git(directory, 'rev-parse', ref)),
  );
  if (!baseSha || !headSha || !mergeSha) throw new Error(`git does not know its commits in ${directory}`);
  return { baseSha, headSha, mergeSha };
}

/** Replaces the project's files by those of one state; git's own folder stays. */
async function copyState(directory: string, state: 'base' | 'head'): Promise<void> {
  const old = (await readdir(directory)).filter((name) => name !== '.git');
  await Promise.all(old.map((name) => rm(join(directory, name), { recursive: true })));
  await cp(join(fixtures, 'sample-project', state), directory, { recursive: true });
}

/** One git command, free of the user's settings, with a fixed author and date so that shas are always the same. */
async function git(directory: string, ...args: string[]): Promise<string> {
  const person = (role: string): Record<string, string> => ({
    [`GIT_${role}_NAME`]: 'Mona Lisa',
    [`GIT_${role}_EMAIL`]: 'mona@example.com',
    [`GIT_${role}_DATE`]: '2030-01-02T03:04:05Z',
  });
  const env = {
    ...inheritedEnvironment(),
    ...person('AUTHOR'),
    ...person('COMMITTER'),
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
  };
  const { stdout } = await run('git', args, { cwd: directory, env });
  return stdout.trim();
}
