import { cp, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shaOf } from './coverage-api.ts';
import { fixtures } from './fixture-reports.ts';
import { runGit } from './git-repo.ts';

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

/** Makes the checkout in a new directory; it begins at the pull request's merge commit. */
export async function createSampleCheckout(): Promise<SampleCheckout> {
  // Real, since git answers real paths and some systems' /tmp is a link.
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'shop-')));
  const hasGit = await makeHistory(directory);
  const shas = hasGit
    ? readShas(directory)
    : { baseSha: shaOf('base'), headSha: shaOf('head'), mergeSha: shaOf('merge') };
  return {
    directory,
    ...shas,
    headRef,
    hasGit,
    async checkOut(what) {
      if (!hasGit) return copyState(directory, what === 'base' ? 'base' : 'head');
      git(directory, 'checkout', '-q', ...(what === 'base' ? ['main'] : ['--detach', pullRequestRef]));
    },
    dispose: () => rm(directory, { recursive: true, force: true }),
  };
}

async function makeHistory(directory: string): Promise<boolean> {
  await copyState(directory, 'base');
  try {
    git(directory, 'init', '-q', '--initial-branch=main');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    await copyState(directory, 'head');
    return false;
  }
  const commit = (message: string): string => {
    git(directory, 'add', '--all');
    git(directory, 'commit', '-q', '-m', message);
    return git(directory, 'rev-parse', 'HEAD');
  };
  git(directory, 'remote', 'add', 'origin', 'https://github.com/acme/shop');
  const base = commit('Sell tea');
  git(directory, 'checkout', '-q', '-b', headRef);
  await copyState(directory, 'head');
  const head = commit('Take coupons');
  git(directory, 'checkout', '-q', '--detach', 'main');
  git(directory, 'merge', '-q', '--no-ff', '-m', `Merge ${head} into ${base}`, head);
  git(directory, 'update-ref', pullRequestRef, 'HEAD');
  return true;
}

function readShas(directory: string) {
  const shaOfRef = (ref: string): string => git(directory, 'rev-parse', '--verify', ref);
  return { baseSha: shaOfRef('main'), headSha: shaOfRef(headRef), mergeSha: shaOfRef(pullRequestRef) };
}

/** Replaces the project's files by those of one state; git's own folder stays. */
async function copyState(directory: string, state: 'base' | 'head'): Promise<void> {
  const old = (await readdir(directory)).filter((name) => name !== '.git');
  await Promise.all(old.map((name) => rm(join(directory, name), { recursive: true })));
  await cp(join(fixtures, 'sample-project', state), directory, { recursive: true });
}

function git(directory: string, ...args: readonly string[]): string {
  return runGit(directory, args).trim();
}
