import { compareCommits } from './history.ts';
import type { ChangedFile, PullRequestRecord, RepoRecord, World } from './model.ts';

/** Full shas. */
export interface Range {
  readonly base: string;
  readonly head: string;
  readonly mergeBase: string;
}

/**
 * The files that differ between a range's merge base and its head: what the test spelled out for the range, else what
 * the repo's diff source says, else the files of a pull request between the two.
 */
export function filesOfRange(world: World, repo: RepoRecord, { base, head, mergeBase }: Range): readonly ChangedFile[] {
  const spelled = repo.comparedFiles.get(`${base}...${head}`);
  if (spelled) return spelled;
  const source = world.diffs.get(repo.id);
  if (source) return source(mergeBase, head);
  const between = [...repo.pullRequests.values()].find(
    (pull) => pull.headSha === head && (pull.baseSha === base || repo.branches.get(pull.baseRef) === base),
  );
  return between?.files ?? [];
}

/** The files of a pull request: those that the test gave it, else those of its range. */
export function filesOfPullRequest(world: World, repo: RepoRecord, pull: PullRequestRecord): readonly ChangedFile[] {
  if (pull.files) return pull.files;
  const base = repo.branches.get(pull.baseRef) ?? pull.baseSha;
  const comparison = compareCommits(repo, base, pull.headSha);
  return comparison ? filesOfRange(world, repo, { base, head: pull.headSha, mergeBase: comparison.mergeBase }) : [];
}
