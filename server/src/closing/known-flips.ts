import { baseBranchesOf, defaultBranches } from '../core/builds/base-branches.ts';
import type { Build, BuildResult } from '../core/builds/build.ts';
import type { KnownFlips } from '../core/builds/build-report.ts';
import { flagsOf, type Job } from '../core/builds/job.ts';
import { beginLedger, type FlipLedger, type LedgerBuild } from '../core/flipping/flip-ledger.ts';
import type { Repo } from '../core/repo/repo.ts';
import type { Services } from '../services/services.ts';
import type { NextLedger } from '../storage/flip-ledger-store.ts';
import type { ChosenBase } from './choose-base.ts';

type Ledgers = Pick<Services, 'flipLedgers' | 'clock'>;

interface MeasuredBuild {
  readonly build: Build;
  readonly repo: Repo;
  readonly jobs: readonly Job[];
  readonly base: ChosenBase | undefined;
}

/** What a ledger says of the base of a build, if the base is one of its builds. */
export async function findKnownFlips(
  { flipLedgers, clock }: Ledgers,
  { build, jobs, base }: MeasuredBuild,
): Promise<KnownFlips | undefined> {
  const branch = base && branchRecordedOf(base.build);
  const ledger = branch === undefined ? undefined : await flipLedgers.find(build.repoId, branch, base?.build.id);
  const newer = ledger?.builds.findIndex(({ id }) => id === base?.build.id) ?? -1;
  if (ledger === undefined || newer < 0) return undefined;
  const now = clock.now();
  const isNext = newer === 0 && branchRecordedOf(build) === branch;
  return { ledger, newer, now, next: isNext ? ledgerBuild(build, jobs, now) : undefined };
}

/** What a close found, from which a ledger is made. */
interface ClosedMeasurement extends MeasuredBuild {
  readonly result: BuildResult;
  readonly nextLedger: FlipLedger | undefined;
}

/** The ledger that is written with the close. A build that is not complete, or not trusted, is in none. */
export async function planLedger(
  { flipLedgers, clock }: Ledgers,
  closed: ClosedMeasurement,
): Promise<NextLedger | undefined> {
  const { build, repo, jobs, base, result, nextLedger } = closed;
  if (result.totals.relevantLines === 0 || result.verdict.state === 'incomplete' || result.verdict.state === 'error')
    return undefined;
  const next = (ofBranch: string, ledger: FlipLedger, after: number | undefined): NextLedger => ({
    ...{ branch: ofBranch, ledger, after },
    defaultBranches: defaultBranches(repo),
  });
  const branch = branchRecordedOf(build);
  if (nextLedger !== undefined && branch !== undefined) return next(branch, nextLedger, nextLedger.builds[1]?.id);
  const first = branch === undefined ? base?.build : build;
  const begun = first && branchRecordedOf(first);
  if (first === undefined || begun === undefined) return undefined;
  if (branch !== undefined && !baseBranchesOf(build, repo).includes(branch)) return undefined;
  const begins = ledgerBuild(first, first === build ? jobs : [], clock.now());
  const ledger = beginLedger(begins);
  const known = await flipLedgers.find(repo.id, begun, base?.build.id);
  if (known === undefined) return next(begun, ledger, undefined);
  // Closed again, with jobs that came late: it counts once, and is compared by the jobs that it has now.
  if (known.builds.some(({ id }) => id === build.id)) {
    const builds = known.builds.map((one) => (one.id === build.id ? { ...begins, at: one.at } : one));
    return next(begun, { ...known, builds }, known.builds[0]?.id);
  }
  return branch !== undefined && isForgotten(known, base) ? next(branch, ledger, known.builds[0]?.id) : undefined;
}

/** The base is not among the builds that are recorded: the history continued without them. */
function isForgotten({ builds }: FlipLedger, base: ChosenBase | undefined): boolean {
  return (
    base === undefined || builds.every(({ id, at }) => id !== base.build.id && at < (base.build.result?.closedAt ?? 0))
  );
}

function ledgerBuild({ id, number, commit = '', testedCommit }: Build, jobs: readonly Job[], at: number): LedgerBuild {
  return { id, number, commit: testedCommit ?? commit, at, jobs: jobs.length, flags: flagsOf(jobs).toSorted() };
}

type Placed = Pick<Build, 'branch' | 'pullRequest' | 'tag' | 'mergeQueue' | 'trust'>;

/** The branch that a ledger of lines that flip is of, if it has this build; undefined: of none. */
export function branchRecordedOf({ branch, pullRequest, tag, mergeQueue, trust }: Placed): string | undefined {
  return pullRequest !== undefined || tag || mergeQueue || trust === 'run' ? undefined : branch;
}
