import type { Build } from '../domain/build/build.ts';
import { closeBehind, closeBuild } from '../domain/build/close-due.ts';
import type { CloseBuild, OpenBuild } from '../ports/build-store.ts';

/** The build with a close written: of what was merged, or behind what came since. */
export function closeAsMerged(build: Build, closing: CloseBuild): Build {
  const { result, openedContexts, target, behind, after, at, revision } = closing;
  return behind === undefined || build.revision === revision
    ? closeBuild(build, result, openedContexts, target, after)
    : closeBehind(build, { result, openedContexts, target, behind, after, at });
}

/**
 * Whether a close may be written over a build that moved on: where it says so, unless somebody else has closed the
 * build meanwhile, with more than this one merged.
 */
export function mayStayBehind(build: Build, closing: CloseBuild | OpenBuild): boolean {
  if (!('result' in closing) || closing.behind === undefined) return false;
  return (build.result?.closeCount ?? 0) < closing.result.closeCount;
}
