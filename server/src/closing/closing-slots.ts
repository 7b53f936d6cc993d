import type { Build } from '../core/builds/build.ts';

/** The builds that this process works on, so that no repo takes all of its slots. */
export interface ClosingSlots {
  /** What to claim where so many slots are free. */
  claimOf(free: number): { readonly limit: number; readonly except: readonly number[] };
  /** A close that waits long for its turn may outlive its lease: it is not begun a second time here. */
  has(build: Build): boolean;
  enter(build: Build): void;
  leave(build: Build): void;
  /** Whether a repo has all the slots that it may have. */
  isAnyFull(): boolean;
}

export function createClosingSlots(perRepo: number): ClosingSlots {
  const atWork = new Map<number, number>();
  const countByRepo = (): ReadonlyMap<number, number> => {
    const counts = new Map<number, number>();
    for (const repoId of atWork.values()) counts.set(repoId, (counts.get(repoId) ?? 0) + 1);
    return counts;
  };
  return {
    claimOf(free) {
      const counts = [...countByRepo()];
      const except = counts.filter(([, count]) => count >= perRepo).map(([repoId]) => repoId);
      const max = Math.max(0, ...counts.map(([, count]) => count).filter((count) => count < perRepo));
      return { limit: Math.min(free, perRepo - max), except };
    },
    has: ({ id }) => atWork.has(id),
    enter: ({ id, repoId }) => void atWork.set(id, repoId),
    leave: ({ id }) => void atWork.delete(id),
    isAnyFull: () => [...countByRepo().values()].some((count) => count >= perRepo),
  };
}
