import type { RepoRecord } from './model.ts';

/** The full sha that a branch, a full sha or an unambiguous beginning of one means. */
export function resolveRef(repo: RepoRecord, ref: string): string | undefined {
  const branch = repo.branches.get(ref.replace(/^(refs\/)?heads\//, ''));
  if (branch !== undefined) return branch;
  if (repo.commits.has(ref)) return ref;
  if (!/^[0-9a-f]{7,39}$/.test(ref)) return undefined;
  const matches = [...repo.commits.keys()].filter((sha) => sha.startsWith(ref));
  return matches.length === 1 ? matches[0] : undefined;
}

/** The commit and all its known ancestors, nearest first. */
export function ancestry(repo: RepoRecord, sha: string): string[] {
  const seen = new Set<string>();
  let edge = [sha];
  while (edge.length > 0) {
    const next: string[] = [];
    for (const one of edge) {
      const commit = repo.commits.get(one);
      if (!commit || seen.has(one)) continue;
      seen.add(one);
      next.push(...commit.parents);
    }
    edge = next;
  }
  return [...seen];
}

export interface Comparison {
  readonly mergeBase: string;
  /** Commits of the head that the base lacks, oldest first. */
  readonly ahead: readonly string[];
  readonly behindBy: number;
  readonly status: 'diverged' | 'ahead' | 'behind' | 'identical';
}

/** What GitHub's compare says of two commits; undefined where they share no history. */
export function compareCommits(repo: RepoRecord, base: string, head: string): Comparison | undefined {
  const ofBase = ancestry(repo, base);
  const ofHead = ancestry(repo, head);
  const inBase = new Set(ofBase);
  const inHead = new Set(ofHead);
  const common = ofHead.filter((sha) => inBase.has(sha));
  // A best common ancestor is one that no other common one descends from; the nearest such is what git takes first.
  const mergeBase = common.find((sha) => !common.some((other) => other !== sha && ancestry(repo, other).includes(sha)));
  if (mergeBase === undefined) return undefined;
  const ahead = ofHead.filter((sha) => !inBase.has(sha)).reverse();
  const behindBy = ofBase.filter((sha) => !inHead.has(sha)).length;
  return { mergeBase, ahead, behindBy, status: relation(ahead.length, behindBy) };
}

function relation(ahead: number, behind: number): Comparison['status'] {
  if (ahead > 0 && behind > 0) return 'diverged';
  if (ahead > 0) return 'ahead';
  return behind > 0 ? 'behind' : 'identical';
}
