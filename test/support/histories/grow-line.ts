import type { CommitGraph } from './commit-graph.ts';

/** Adds so many commits without changes to the branch where one is; answers them, oldest first. */
export function growLine(git: CommitGraph, count: number): readonly string[] {
  return Array.from({ length: count }, (_, step) => git.commit(`line ${step}`));
}
