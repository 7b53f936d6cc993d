import type { CommitRecord, RepoRecord } from './model.ts';

/** The full sha of a branch, of a full sha or of an unambiguous beginning of one. */
export function resolveRef(repo: RepoRecord, ref: string): string | undefined {
  const branch = repo.branches.get(ref.replace(/^(refs\/)?heads\//, ''));
  if (branch !== undefined) return branch;
  if (repo.commits.has(ref)) return ref;
  if (!/^[0-9a-f]{7,39}$/.test(ref)) return undefined;
  const matches = [...repo.commits.keys()].filter((sha) => sha.startsWith(ref));
  return matches.length === 1 ? matches[0] : undefined;
}

/** What is known of a history: its commits by sha. */
type Commits = Pick<RepoRecord, 'commits'>;

/** The commits and all their known ancestors, nearest first. */
export function ancestry(repo: Commits, ...from: readonly string[]): string[] {
  const seen = new Set<string>();
  let edge = from;
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

/**
 * The commit and all its known ancestors as `git log` orders them: the newest of those whose child was listed comes
 * next.
 */
export function listHistory(repo: RepoRecord, sha: string): CommitRecord[] {
  const listed: CommitRecord[] = [];
  const waiting: CommitRecord[] = [];
  const seen = new Set<string>();
  const enter = (one: string): void => {
    const commit = repo.commits.get(one);
    if (!commit || seen.has(one)) return;
    seen.add(one);
    const place = waiting.findIndex(({ date }) => date < commit.date);
    waiting.splice(place === -1 ? waiting.length : place, 0, commit);
  };
  enter(sha);
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    listed.push(next);
    next.parents.forEach(enter);
  }
  return listed;
}

export interface Comparison {
  readonly mergeBase: string;
  /** Commits of the head that the base lacks, oldest first. */
  readonly ahead: readonly string[];
  readonly behindBy: number;
  readonly status: 'diverged' | 'ahead' | 'behind' | 'identical';
}

/** What GitHub's compare says of two commits; undefined if they share no history. */
export function compareCommits(repo: RepoRecord, base: string, head: string): Comparison | undefined {
  const ofBase = ancestry(repo, base);
  const ofHead = ancestry(repo, head);
  const inBase = new Set(ofBase);
  const inHead = new Set(ofHead);
  const mergeBase = newest(repo, bestCommonAncestors(repo, base, head));
  if (mergeBase === undefined) return undefined;
  const ahead = ofHead.filter((sha) => !inBase.has(sha)).reverse();
  const behindBy = ofBase.filter((sha) => !inHead.has(sha)).length;
  return { mergeBase, ahead, behindBy, status: relation(ahead.length, behindBy) };
}

/** The common ancestors that no other one descends from; after criss-cross merges there are several. */
export function bestCommonAncestors(repo: Commits, base: string, head: string): readonly string[] {
  const inBase = new Set(ancestry(repo, base));
  const common = ancestry(repo, head).filter((sha) => inBase.has(sha));
  const beyond = new Set(ancestry(repo, ...common.flatMap((sha) => repo.commits.get(sha)?.parents ?? [])));
  return common.filter((sha) => !beyond.has(sha));
}

/** As `git merge-base` chooses. */
function newest(repo: Commits, shas: readonly string[]): string | undefined {
  const dateOf = (sha: string): string => repo.commits.get(sha)?.date ?? '';
  return shas.reduce<string | undefined>(
    (best, sha) => (best === undefined || dateOf(sha) > dateOf(best) ? sha : best),
    undefined,
  );
}

function relation(ahead: number, behind: number): Comparison['status'] {
  if (ahead > 0 && behind > 0) return 'diverged';
  if (ahead > 0) return 'ahead';
  return behind > 0 ? 'behind' : 'identical';
}
