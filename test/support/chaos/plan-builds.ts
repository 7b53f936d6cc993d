import type { ChaosHost } from './chaos-host.ts';
import { type PlannedJob, planJobs, shareOut } from './plan-jobs.ts';
import { REPOS } from './plan-repos.ts';
import { createStories, type PlannedCommit, type Stories } from './plan-stories.ts';
import type { Random } from './random.ts';

/** A build that must exist in the end, once, with these jobs. */
export interface PlannedBuild extends PlannedCommit {
  readonly index: number;
  /**
   * `parallel`: ended by closes that name it. `nameless`: by closes that name nothing. `single`: by each of its jobs.
   */
  readonly kind: 'parallel' | 'nameless' | 'single';
  readonly jobs: readonly PlannedJob[];
  /** What its closes carry forward: a flag that none of its jobs has. */
  readonly carryforward: string | undefined;
}

/** Part of the builds that name a flag to be carried forward, where any may. */
const CARRYING = 0.5;
const SINGLE = 0.1;

export function planBuilds(
  random: Random,
  size: { readonly builds: number; readonly jobs: number },
  host: Pick<ChaosHost, 'testsMerges'>,
): readonly PlannedBuild[] {
  const commits = REPOS.flatMap((repo) =>
    commitsOf(createStories(random, repo, host), Math.round((size.builds * repo.share) / 100)),
  );
  const kinds = commits.map(({ repo, pullRequest }) => {
    if (repo.numbers === 'none') return 'nameless' as const;
    return pullRequest === undefined && random.chance(SINGLE) ? ('single' as const) : ('parallel' as const);
  });
  const shares = shareOut(
    random,
    kinds.map((kind) => (kind === 'single' ? { min: 1, max: 2 } : { min: 3, max: 40 })),
    size.jobs,
  );
  return commits.map((commit, index) => {
    const kind = kinds[index] ?? 'parallel';
    const { flags } = commit.repo;
    // Where builds share a number, the close of one may end another, which has that flag itself.
    const mayCarry = kind === 'parallel' && commit.repo.numbers === 'run';
    const carryforward = mayCarry && random.chance(CARRYING) ? random.pick(flags) : undefined;
    const own = flags.filter((flag) => flag !== carryforward);
    const jobs = planJobs(random, { index, kind, flags: own, count: shares[index] ?? 1 });
    return { ...commit, index, kind, jobs, carryforward };
  });
}

function commitsOf(stories: Stories, count: number): PlannedCommit[] {
  const commits: PlannedCommit[] = [];
  while (commits.length < count) commits.push(...stories.next(count - commits.length));
  return commits;
}
