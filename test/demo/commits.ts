import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { inheritedEnvironment } from '../support/child-process.ts';
import { shaOf } from '../support/coverage-api.ts';
import type { SampleCheckout } from '../support/sample-checkout.ts';
import { commitFork, type ForkCommits } from './fork.ts';

/** What a step of the workflow has checked out. */
export type Moment = 'main' | 'first push' | 'second push' | 'fork';

/** Shas of the story. */
export interface Commits extends ForkCommits {
  readonly base: string;
  readonly firstHead: string;
  readonly firstMerge: string;
  readonly secondHead: string;
  readonly secondMerge: string;
}

/** Where there is no git on the machine, the commits have names only. */
export async function makeCommits(checkout: SampleCheckout): Promise<Commits> {
  const { baseSha: base, headSha: firstHead, mergeSha: firstMerge } = checkout;
  const fork = await commitFork(checkout, (...args) => git(checkout, ...args));
  const first = { base, firstHead, firstMerge, ...fork };
  if (!checkout.hasGit) return { ...first, secondHead: shaOf('second head'), secondMerge: shaOf('second merge') };
  const secondHead = await git(
    checkout,
    'commit-tree',
    `${firstHead}^{tree}`,
    '-p',
    firstHead,
    '-m',
    'Explain coupons',
  );
  const message = `Merge ${secondHead} into ${base}`;
  const secondMerge = await git(
    checkout,
    'commit-tree',
    `${firstMerge}^{tree}`,
    '-p',
    base,
    '-p',
    secondHead,
    '-m',
    message,
  );
  return { ...first, secondHead, secondMerge };
}

/** `tested`: the commit that a run at that moment tests. */
export async function checkOut(checkout: SampleCheckout, moment: Moment, tested: string): Promise<void> {
  await checkout.checkOut(moment === 'main' ? 'base' : 'merge');
  if (moment !== 'main' && checkout.hasGit) await git(checkout, 'checkout', '-q', '--detach', tested);
}

async function git(checkout: SampleCheckout, ...args: string[]): Promise<string> {
  const person = { NAME: 'Mona Lisa', EMAIL: 'mona@example.com', DATE: '2030-01-02T04:04:05Z' };
  const entries = Object.entries(person).flatMap(([key, value]) => [
    [`GIT_AUTHOR_${key}`, value],
    [`GIT_COMMITTER_${key}`, value],
  ]);
  const env = { ...inheritedEnvironment(), ...Object.fromEntries(entries) };
  return (await promisify(execFile)('git', args, { cwd: checkout.directory, env })).stdout.trim();
}
