import { afterEach, expect } from 'vitest';
import type { Host } from '../../../server/src/ports/host.ts';
import { type CheckRuns, type Provider, ProviderFailure } from '../../../server/src/ports/provider.ts';
import type { HostContents, HostSetUp } from '../../support/github-stand-in/host-set-up.ts';

/** A git host of one test, and what speaks to it. */
export interface ProviderScene {
  readonly host: HostSetUp & HostContents;
  /** With whatever sign-in is to be described. */
  readonly face: Host;
  /** The provider of that face: it may write. */
  readonly provider: Provider;
  /** With a plain token, of no App, that may write. */
  readonly plainProvider: Provider;
  /** With an App's token; absent if the host has no check runs. */
  readonly appProvider?: Provider & CheckRuns;
  /** Ends the scene; fails where something was sent that the host's API does not know. */
  close(): Promise<void>;
}

export type OpenScene = () => Promise<ProviderScene>;

/** Where hosts differ by what they are. */
export interface Able {
  /** Remarks beside lines of code. */
  readonly checkRuns: boolean;
  /** It names the temporary merge commit of a pull request. */
  readonly mergeCommits: boolean;
  /** It names the tree of a commit, and the blobs of changed files; else it says whether two trees are the same. */
  readonly trees: boolean;
  /** It counts what is ahead and behind. */
  readonly counts: boolean;
  /** Runs of its CI belong to the repo that they test for, a fork's too, and are described as GitHub's are. */
  readonly runs: boolean;
  /** Uploads name its runs by their ids. */
  readonly runIds: boolean;
  /** Names of repos have groups within groups. */
  readonly nests: boolean;
  /** Contexts differ by case. */
  readonly cased: boolean;
  /** Files that a comparison lists at most; infinite: all. */
  readonly comparedFiles: number;
  /** What ids of repos look like. */
  readonly ids: RegExp;
  /** It gives the lines of any range, not only of pull requests and single commits. */
  readonly ranges: boolean;
  /** The answer to a status of a commit that is not there. */
  readonly noCommit: number;
}

/** As GitHub is. */
export const USUAL: Able = {
  checkRuns: true,
  mergeCommits: true,
  trees: true,
  counts: true,
  runs: true,
  runIds: true,
  nests: false,
  cased: false,
  comparedFiles: 300,
  ranges: true,
  ids: /^\d+$/,
  noCommit: 422,
};

export const repo = 'acme/shop';

/** A commit's sha out of a short name. */
export const shaOf = (name: string): string => Buffer.from(name).toString('hex').padEnd(40, '0').slice(0, 40);

/** Opens a scene with the repo `acme/shop` for each test that asks for one, and ends it after the test. */
export function createScenes(open: OpenScene): () => Promise<ProviderScene> {
  let opened: ProviderScene | undefined;
  afterEach(async () => {
    await opened?.close();
    opened = undefined;
  });
  return async () => {
    opened = await open();
    opened.host.addRepo(repo);
    return opened;
  };
}

/** The failure in which a call must end. */
export async function failureOf(call: Promise<unknown>): Promise<ProviderFailure> {
  const outcome = await call.then(
    () => 'no failure',
    (error: unknown) => error,
  );
  expect(outcome).toBeInstanceOf(ProviderFailure);
  return outcome as ProviderFailure;
}

/**
 * The answer about a repo that is not there: none; or, to a sign-in that is let in repo by repo, that it is let in
 * nowhere there.
 */
export async function ofNoRepo(call: Promise<unknown>): Promise<unknown> {
  return call.catch((error: unknown) => {
    if (error instanceof ProviderFailure && error.accessDenied) return undefined;
    throw error;
  });
}

/** What no repo can be called, and what would lead elsewhere as part of a path. */
const HOSTILE_REPOS = [
  '..',
  '../..',
  'acme/..',
  'acme',
  'a/b/c',
  'acme/shop?x=1',
  'acme/%2e%2e',
  'acme/sh op',
  '/',
  '',
];

/** A group within a group is a name at some hosts. */
export const hostileRepos = ({ nests }: Able): readonly string[] =>
  HOSTILE_REPOS.filter((name) => !(nests && name === 'a/b/c'));

/** What is no whole commit. */
export const HOSTILE_COMMITS = [
  'main',
  '',
  '../../../user',
  'abcdef0',
  `${'a'.repeat(39)}/`,
  `${'a'.repeat(40)}\n`,
  '%2e%2e',
];

/** What is neither a commit nor the name of a branch; some would compare something else. */
export const HOSTILE_ENDS = [
  '',
  '..',
  'a..b',
  'main...other',
  'mallory:main',
  '../../user',
  'a b',
  'a\nb',
  '-x',
  'x.lock',
  '@',
  'a?b',
];

/** Minutes that commits are apart, as their dates. */
export const minute = (n: number): string => new Date(Date.UTC(2030, 0, 1, 0, n)).toISOString();

/** Adds commits, a minute apart, given as `name: parents`; the last one stands on main. */
export function addGraph(host: ProviderScene['host'], graph: readonly (readonly [string, ...string[]])[]): void {
  for (const [i, [name, ...parents]] of graph.entries()) {
    host.addCommit(repo, { sha: shaOf(name), parents: parents.map(shaOf), date: minute(i), branch: 'main' });
  }
}

/** Adds `count` commits in a row on top of `from`; answers their shas, oldest first. */
export function addLine(host: ProviderScene['host'], prefix: string, count: number, from?: string): readonly string[] {
  const line: string[] = [];
  for (let i = 0; i < count; i += 1) {
    const parent = line.at(-1) ?? from;
    const sha = shaOf(`${prefix}${i}`);
    host.addCommit(repo, { sha, parents: parent === undefined ? [] : [parent], date: minute(i), branch: 'main' });
    line.push(sha);
  }
  return line;
}
