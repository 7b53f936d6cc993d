import type { Build } from '../domain/builds/build.ts';
import { closeBehind, markClosed } from '../domain/builds/close-due.ts';
import type { BuildClosing, PendingPost } from '../ports/build-store.ts';

/** The build with a close written: of what was merged, or behind what came since. */
export function closeAsMerged(build: Build, closing: BuildClosing): Build {
  const { result, openedContexts, target, behind, after, at, revision } = closing;
  return behind === undefined || build.revision === revision
    ? markClosed(build, result, openedContexts, target, after)
    : closeBehind(build, { result, openedContexts, target, behind, after, at });
}

/**
 * Whether a close may be written over a build that moved on: where it says so, unless somebody else has closed the
 * build meanwhile, with more than this one merged.
 */
export function mayStayBehind(build: Build, closing: BuildClosing | PendingPost): boolean {
  if (!('result' in closing) || closing.behind === undefined) return false;
  return (build.result?.closeCount ?? 0) < closing.result.closeCount;
}
