import { nextDelay } from '../backoff.ts';
import type { Timestamp } from '../time.ts';
import { branchOf } from './base-build.ts';
import type { Build } from './build.ts';
import type { Landing } from './build-facts.ts';
import type { LandingTask } from './due-tasks.ts';
import { testedCommitOf } from './merge-commit.ts';

/** The commit that put a pull request on its base branch: a merge, a squash, or the last one of a rebase. */
export interface LandedCommit {
  readonly branch: string;
  readonly commit: string;
}

/** Trees, as far as they are known: commits of the same tree hold the same files. */
export interface KnownTrees {
  readonly landed: string | undefined;
  /** By the commit that was tested. */
  readonly tested: ReadonlyMap<string, string>;
}

export const NO_TREES: KnownTrees = { landed: undefined, tested: new Map() };

/** A build that counts for a branch from now on. */
export interface Adoption {
  readonly build: Build;
  readonly how: Landing['how'];
}

/** Whether the branch has a build of its own of that commit: then no other is adopted for it. */
export function isOwnBuild(build: Build, { branch, commit }: LandedCommit): boolean {
  return (
    build.jobs > 0 &&
    build.landed === undefined &&
    mayLand(build) &&
    build.commit === commit &&
    branchOf(build) === branch
  );
}

/** Whether a build may be adopted: an unverified one counts for no branch (rule 29), nor does a tag's. */
export function mayLand(build: Build): boolean {
  return build.trust !== 'run' && !build.tag;
}

/**
 * rules.md "Adoption": of a pull request's builds, newest first, the one that measured what landed. A merge queue's
 * build of that commit comes first; then, unless the branch has a build of its own, one of the same commit or tree,
 * closed ones first. Undefined: none, or one has landed already.
 */
export function findAdoption(
  builds: readonly Build[],
  landed: LandedCommit,
  known: { readonly hasOwnBuild: boolean; readonly trees: KnownTrees },
): Adoption | undefined {
  if (builds.some((build) => build.landed?.commit === landed.commit && build.landed.branch === landed.branch))
    return undefined;
  const able = builds.filter(mayLand);
  const queued = able.find((build) => build.mergeQueue && build.commit === landed.commit);
  if (queued !== undefined) return { build: queued, how: 'merge-queue' };
  if (known.hasOwnBuild) return undefined;
  const ranked = [
    ...able.filter((build) => build.result !== undefined),
    ...able.filter((build) => build.result === undefined),
  ];
  const same = ranked.find((build) => testedCommitOf(build) === landed.commit);
  if (same !== undefined) return { build: same, how: 'same-commit' };
  const alike = ranked.find((build) => treeOf(build, known.trees) === known.trees.landed);
  return known.trees.landed === undefined || alike === undefined ? undefined : { build: alike, how: 'same-tree' };
}

/** The question as it waits to be asked again; undefined: no more. It is asked for a day, after growing delays. */
export function planLanding(
  task: LandingTask | undefined,
  { branch, commit }: LandedCommit,
  now: Timestamp,
): LandingTask | undefined {
  const since = task?.commit === commit && task.branch === branch ? task.since : now;
  const pause = nextDelay(since, now);
  return pause === undefined ? undefined : { kind: 'landing', branch, commit, since, at: now + pause };
}

function treeOf(build: Build, trees: KnownTrees): string | undefined {
  return build.facts?.tree ?? trees.tested.get(testedCommitOf(build) ?? '');
}
