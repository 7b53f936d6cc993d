import { defaultBranches } from '../core/builds/base-branches.ts';
import type { BuildSummary } from '../core/builds/build-summary.ts';
import { stripBranchPrefix } from '../core/builds/git-ref.ts';
import type { Repo } from '../core/repo/repo.ts';
import type { BuildViews } from './build-views.ts';

/** The branch that is asked for, else the default one, with its newest closed build. */
export interface BranchHead {
  /** Undefined: none was asked for, and no default branch has a closed build. */
  readonly branch: string | undefined;
  readonly newest: BuildSummary | undefined;
}

/** Among several default branches the first that has a closed build. */
export async function findBranchHead(
  views: Pick<BuildViews, 'closed'>,
  { repo, branch }: { readonly repo: Repo; readonly branch: string | undefined },
): Promise<BranchHead> {
  const names = branch === undefined ? defaultBranches(repo) : [stripBranchPrefix(branch)];
  for (const name of names) {
    const [newest] = await views.closed({ repoId: repo.id, scope: { branch: name }, before: undefined, limit: 1 });
    if (newest !== undefined) return { branch: name, newest };
  }
  return { branch: branch === undefined ? undefined : names[0], newest: undefined };
}
