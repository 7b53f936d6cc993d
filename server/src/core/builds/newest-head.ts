import type { Build } from './build.ts';
import type { BuildSummary } from './build-summary.ts';

/** The commit that a build's statuses go to, as far as it is known. */
function headOf({ target, commit }: Pick<BuildSummary, 'target' | 'commit'>): string | undefined {
  return target ?? commit;
}

/**
 * For a pull request's builds, newest first, those of its newest head: several workflows may have built it. A merge
 * queue's build, and one that counts for a branch by now, is of none. `headCommit`: what the provider says is the head,
 * where it was asked.
 */
export function ofNewestHead(builds: readonly Build[], headCommit?: string): readonly Build[] {
  const own = builds.filter((build) => !build.mergeQueue && build.landed === undefined);
  const heads = [headCommit, own[0] && headOf(own[0])].filter((commit) => commit !== undefined);
  return own.filter((build) => heads.some((commit) => commit === headOf(build)));
}

/**
 * The same with the build of a merge queue that the pull request waits in: it announces whatever the pull request has.
 */
export function ofOpenPullRequest(builds: readonly Build[]): readonly Build[] {
  const queued = builds.slice(0, 1).filter((build) => build.mergeQueue && build.landed === undefined);
  return [...queued, ...ofNewestHead(builds)];
}

/** The build that stands for a pull request, of its builds newest first: a trusted one of the same head (rule 29). */
export function newestOfPull<B extends Pick<BuildSummary, 'trust' | 'target' | 'commit'>>(
  builds: readonly B[],
): B | undefined {
  const [newest] = builds;
  if (newest?.trust !== 'run') return newest;
  return builds.find((build) => build.trust !== 'run' && headOf(build) === headOf(newest)) ?? newest;
}
