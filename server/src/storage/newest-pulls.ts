import type { Timestamp } from '../core/time.ts';

/** What is known of a pull request's build without reading its record. */
export interface PullBuild {
  readonly id: number;
  readonly repoId: number;
  readonly sequence: number;
  readonly pullRequest: number;
  readonly createdAt: Timestamp;
}

/** Ids of the newest build of each pull request, newest first. `builds`: in any order. */
export function newestOfPulls(builds: readonly PullBuild[], limit: number): readonly number[] {
  const newest = new Map<string, PullBuild>();
  for (const build of builds) {
    const key = `${build.repoId} ${build.pullRequest}`;
    if (build.sequence > (newest.get(key)?.sequence ?? 0)) newest.set(key, build);
  }
  const ordered = [...newest.values()].toSorted((a, b) => b.createdAt - a.createdAt || b.id - a.id);
  return ordered.slice(0, limit).map(({ id }) => id);
}
