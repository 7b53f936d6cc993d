import { branchOf, tagOf } from '../core/builds/base-build.ts';
import type { Build } from '../core/builds/build.ts';
import { isRefused } from '../core/builds/conclude-refused.ts';
import type { ClosedQuery } from './build-store.ts';

/** How many builds of one commit, and of several, are answered: this many trusted ones, and as many unverified ones. */
export const MAX_PER_COMMIT = 100;
export const MAX_OF_COMMITS = 500;

/** What a build is found by, beside its record: the same in every adapter. */
export interface BuildIndex {
  /** The branch, tag or pull request whose history the build belongs to; undefined: none. */
  readonly scope: string | undefined;
  /** Whether `closed` queries see it: it has a result, and its uploads were trusted (rule 29). */
  readonly closed: boolean;
  /** Undefined: never a base (rule 4); 1 before 0: complete ones before incomplete ones (rule 13). */
  readonly baseRank: 0 | 1 | undefined;
  /** Its commit, tested commit and target, and where it landed. */
  readonly commits: readonly string[];
  /** The flags that its own jobs uploaded (rule 16: a carried report is never carried again). */
  readonly flags: readonly string[];
  /** The build that it has taken as its base. */
  readonly baseId: number | undefined;
  /** The bases that were looked for and not found (rule 20). */
  readonly missingBases: readonly string[];
}

/** Derives what a build is found by. A re-opened build stays as its last close left it (rule 12). */
export function indexBuild(build: Build): BuildIndex {
  const { result } = build;
  const closed = result !== undefined && build.trust !== 'run';
  const hasPercentage = result !== undefined && result.totals.relevantLines + result.totals.branches > 0;
  const commits = [build.commit, build.testedCommit, build.target, build.landed?.commit].filter(
    (commit) => commit !== undefined,
  );
  const isSource = closed && !isRefused(build);
  const flags = isSource ? result.flags.filter((flag) => flag.kind === 'uploaded').map((flag) => flag.name) : [];
  return {
    scope: buildScope(build),
    closed,
    baseRank:
      isSource && hasPercentage && build.excludedAsBase === undefined
        ? result.verdict.state === 'incomplete'
          ? 0
          : 1
        : undefined,
    commits: [...new Set(commits)],
    flags: [...new Set(flags)],
    baseId: result?.base?.buildId,
    missingBases: [...new Set(build.missingBases)],
  };
}

/** The text by which a query finds a scope; undefined: the whole repo. */
export function queryScope(scope: ClosedQuery['scope']): string | undefined {
  if (scope === 'repo') return undefined;
  if ('tag' in scope) return `tag:${scope.tag}`;
  return 'branch' in scope ? `branch:${scope.branch}` : `pull:${scope.pullRequest}`;
}

/**
 * One that landed counts for the branch it landed on. rules.md "Branches": a pull request's build is on no branch, nor
 * is a tag's, one that waits in a merge queue, or what an unverified run claims (rule 29).
 */
function buildScope(build: Build): string | undefined {
  if (build.landed !== undefined && build.trust !== 'run') return queryScope({ branch: build.landed.branch });
  if (build.pullRequest !== undefined) return queryScope({ pullRequest: build.pullRequest });
  if (build.trust === 'run') return undefined;
  const branch = branchOf(build);
  const tag = tagOf(build);
  if (tag !== undefined) return queryScope({ tag });
  return branch === undefined ? undefined : queryScope({ branch });
}
