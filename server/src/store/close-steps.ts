import type { Build } from '../domain/build/build.ts';
import { closeBehind, closeBuild } from '../domain/build/close-due.ts';
import type { CloseBuild } from '../ports/build-store.ts';

/** The build with a close written: of what was merged, or behind what came since. */
export function closeAsMerged(build: Build, closing: CloseBuild): Build {
  const { result, openedContexts, target, behind, after, at, revision } = closing;
  return behind === undefined || build.revision === revision
    ? closeBuild(build, result, openedContexts, target, after)
    : closeBehind(build, { result, openedContexts, target, behind, after, at });
}
