import type { ChaosHost } from './chaos-host.ts';
import { commitNamed, type PlannedRepo } from './plan-repos.ts';
import type { Random } from './random.ts';

/** What a build is made for. Within a repo no two have number, commit and pull request in common. */
export interface PlannedCommit {
  readonly repo: PlannedRepo;
  /** `service_number`. */
  readonly number: string | undefined;
  /** What was tested; of a pull request perhaps its merge commit. */
  readonly commit: string;
  /** Where the statuses belong (rule 21). */
  readonly target: string;
  /** The base branch's newest commit when the target was made: its first parent. */
  readonly parent: string;
  readonly branch: string;
  readonly pullRequest: number | undefined;
  /** The commit's message; a merge commit's names its parents. */
  readonly message: string;
  /**
   * Its first job is sent only when the pull request's build before exists: the newest build is that of the newest
   * head.
   */
  readonly follows: string | undefined;
}

export interface Stories {
  /** The builds of one more story, up to a limit. */
  next(atMost: number): readonly PlannedCommit[];
}

interface Teller {
  readonly random: Random;
  readonly repo: PlannedRepo;
  readonly testsMerges: boolean;
  readonly number: (series: string) => string | undefined;
  /** 1, 2, 3, … */
  readonly count: () => number;
  /** Where the base branch stands. */
  tip: string;
}

/** Where the pull requests of a repo start from. */
export const BASE_BRANCH = 'main';

/** What happens in a repo: pushes to its main branch, and pull requests of several kinds. */
export function createStories(random: Random, repo: PlannedRepo, host: Pick<ChaosHost, 'testsMerges'>): Stories {
  const series = new Map<string, number>();
  let told = 0;
  const teller: Teller = {
    random,
    repo,
    testsMerges: host.testsMerges,
    tip: commitNamed(repo, 'the beginning'),
    count: () => {
      told += 1;
      return told;
    },
    number: (of) => {
      if (repo.numbers === 'none') return undefined;
      const key = repo.numbers === 'run' ? '' : of;
      const number = (series.get(key) ?? (repo.numbers === 'run' ? 100 : 0)) + 1;
      series.set(key, number);
      return String(number);
    },
  };
  return {
    next: (atMost) => {
      const ofOne = [push, push, pullRequest];
      // Where numbers are counted per branch, a push and a pull request of one commit could share number and commit:
      // one build.
      const ofTwo = repo.numbers === 'run' ? [twoHeads, twoWorkflows, pushAndPullRequest] : [twoHeads, twoWorkflows];
      const kinds = repo.numbers === 'none' ? [push] : atMost < 2 ? ofOne : [...ofOne, ...ofTwo];
      return random.pick(kinds)(teller);
    },
  };
}

function push(teller: Teller): readonly PlannedCommit[] {
  const { repo, number, count } = teller;
  const commit = commitNamed(repo, `push ${count()}`);
  const pushed = plain(teller, commit);
  teller.tip = commit;
  return [{ ...pushed, number: number(BASE_BRANCH), branch: BASE_BRANCH, pullRequest: undefined }];
}

function pullRequest(teller: Teller): readonly PlannedCommit[] {
  return [headOf(teller, teller.count(), 1)];
}

function twoHeads(teller: Teller): readonly PlannedCommit[] {
  const pull = teller.count();
  const first = headOf(teller, pull, 1);
  return [first, { ...headOf(teller, pull, 2), follows: first.commit }];
}

/** One head measured by two runs, as two workflows do: the newer build speaks (rule 24). */
function twoWorkflows(teller: Teller): readonly PlannedCommit[] {
  const first = headOf(teller, teller.count(), 1);
  return [first, { ...first, number: teller.number(seriesOf(first)) }];
}

/** The pull request's build speaks, whichever comes first (rule 24). */
function pushAndPullRequest(teller: Teller): readonly PlannedCommit[] {
  const { number, count } = teller;
  const pull = count();
  const head = headOf(teller, pull, 1, false);
  const branch = `change-${pull}`;
  return [head, { ...plain(teller, head.target), number: number(branch), branch, pullRequest: undefined }];
}

function headOf(teller: Teller, pull: number, nth: number, atMerge = teller.random.chance(0.4)): PlannedCommit {
  const { repo, number, tip } = teller;
  const head = commitNamed(repo, `head ${nth} of ${pull}`);
  const place = { number: number(`pull ${pull}`), branch: `change-${pull}`, pullRequest: pull };
  if (!atMerge || !teller.testsMerges) return { ...plain(teller, head), ...place };
  const message = `Merge ${head} into ${tip}`;
  return { ...plain(teller, head), ...place, commit: commitNamed(repo, `merge ${nth} of ${pull}`), message };
}

function plain({ repo, tip: parent }: Teller, commit: string) {
  return { repo, commit, target: commit, parent, message: 'Change prices', follows: undefined };
}

function seriesOf({ pullRequest: pull, branch }: PlannedCommit): string {
  return pull === undefined ? branch : `pull ${pull}`;
}
