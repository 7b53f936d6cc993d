import type { DescribedRun, ListedPull } from '../repo/fork-run.ts';
import type { GitHost } from '../repo/git-host.ts';
import { namedRuns, readRunIds, type VouchedRun } from '../repo/workflow-run.ts';
import type { Build } from './build.ts';
import type { JobFacts, Trust } from './job.ts';

/** Whose the run is that a build's uploads came from (rules.md "Branches"). */
export type RunOrigin =
  /** The repo's own, or nobody can read it: then anybody who has the token is trusted. */
  | { readonly kind: 'own' }
  | { readonly kind: 'fork'; readonly pullRequest?: number | undefined; readonly branch?: string | undefined }
  /** The host does not answer for now. */
  | { readonly kind: 'unknown' };

type Stated = Pick<Build, 'commit' | 'branch' | 'pullRequest'>;
type Runs = Pick<GitHost, 'runs'>;

/** The trust of the token that a build's uploads came with, whatever the build counts for. */
export function tokenTrust({ runCheck, trust }: Pick<Build, 'runCheck' | 'trust'>): Trust {
  return runCheck?.trust ?? trust;
}

/** Whether the host has still to say whose the run is. */
export function awaitsOrigin({ runCheck }: Pick<Build, 'runCheck'>): boolean {
  return runCheck?.run === 'unknown';
}

/** Whether a build's own word on its base counts for nothing; while its run is not known, that is the token's word. */
export function namesNoBase({ runCheck, trust }: Pick<Build, 'runCheck' | 'trust'>): boolean {
  return trust === 'run' && !awaitsOrigin({ runCheck });
}

/** Whether the host signed the run of a build, and denied this server a look at it. */
export function awaitsAccess(build: Pick<Build, 'runCheck' | 'vouchedRun'>): boolean {
  return awaitsOrigin(build) && build.vouchedRun?.unconfirmed === true;
}

/** Why a build of trust `run` is unverified. */
export function unverifiedReason(build: Pick<Build, 'runCheck' | 'vouchedRun'>) {
  if (build.runCheck === undefined) return 'no-secret';
  if (build.runCheck.run === 'unknown') return awaitsAccess(build) ? 'access-denied' : 'not-answered';
  return build.vouchedRun?.unconfirmed ? 'not-confirmed' : 'fork';
}

/** The runs that a build names and that nobody has vouched for, likeliest first. */
export function uncheckedRuns(build: Build, host: Runs): readonly string[] {
  const { vouchedRun } = build;
  if (awaitsAccess(build) && vouchedRun !== undefined) return [vouchedRun.id];
  return tokenTrust(build) === 'run' || vouchedRun !== undefined ? [] : statedRuns(build, host);
}

type StatedRuns = Pick<Build, 'serviceName' | 'serviceJobId' | 'serviceNumber' | 'serviceRun'>;

/** The runs of the host's own CI that a build's uploads state, likeliest first. */
export function statedRuns(build: StatedRuns, { runs }: Runs): readonly string[] {
  const { serviceName, serviceJobId, serviceNumber, serviceRun } = build;
  if (!runs.isServiceName(serviceName)) return [];
  // What the job id says is the run itself; a number may be the host's count of runs, which is another run's id.
  const others = [...namedRuns([serviceJobId], runs), ...readRunIds([serviceNumber], runs)];
  return [...new Set(serviceRun === undefined ? others : [serviceRun, ...others])];
}

export function isOfFork({ headRepoId, repoId }: DescribedRun): boolean {
  return headRepoId !== repoId;
}

/** Whether a run says nothing of what was tested: it followed another run, which may be a fork's. */
export function followsAnother({ event, headCommit }: DescribedRun, { commit }: Stated, { runs }: Runs): boolean {
  return runs.triggerOf(event) === 'other-run' && commit !== undefined && commit !== headCommit.toLowerCase();
}

/**
 * The fork's run that an upload after another run can be of: one for its commit, unless one of the repo itself has that
 * commit on the branch that was stated. `none`: no run has that commit, so nothing shows that it is the repo's.
 */
export function findForksRun<Run extends DescribedRun>(
  runsOfCommit: readonly Run[],
  { branch, pullRequest }: Stated,
  { runs }: Runs,
): Run | 'own' | 'none' {
  const direct = runsOfCommit.filter(({ event }) => runs.triggerOf(event) !== 'other-run');
  if (direct.length === 0) return 'none';
  const ofFork = direct.find(isOfFork);
  const isOwn = direct.some(
    (run) => !isOfFork(run) && (pullRequest !== undefined || branch === undefined || run.headBranch === branch),
  );
  return ofFork === undefined || isOwn ? 'own' : ofFork;
}

/** The pull request that a fork's run tests, of those from its branch: newest first. */
export function findForksPull(
  run: DescribedRun,
  pulls: readonly ListedPull[],
  { pullRequest }: Stated,
): number | undefined {
  const ofRepo = pulls.filter(({ headRepoId }) => headRepoId === run.headRepoId);
  const ofCommit = ofRepo.filter(({ headCommit }) => headCommit.toLowerCase() === run.headCommit.toLowerCase());
  const found = ofCommit.length > 0 ? ofCommit : ofRepo.filter(({ state }) => state === 'open');
  return (found.find(({ number }) => number === pullRequest) ?? found[0])?.number;
}

/** The build as what its run's head makes it; the same object if nothing changes (rule 29). */
export function settleOrigin(build: Build, origin: RunOrigin): Build {
  const trust = tokenTrust(build);
  const { runCheck, result } = build;
  if (trust === 'run' || runCheck?.run === origin.kind) return build;
  switch (origin.kind) {
    case 'own':
      return runCheck === undefined ? build : { ...build, trust, runCheck: undefined };
    case 'unknown':
      // What was decided once stays until the host says otherwise.
      return runCheck !== undefined || result !== undefined
        ? build
        : { ...build, trust: 'run', runCheck: { run: 'unknown', trust } };
    case 'fork': {
      const { pullRequest, branch = build.branch } = origin;
      const place = { pullRequest, branch, tag: false, mergeQueue: false };
      return { ...build, ...place, trust: 'run', runCheck: { run: 'fork', trust } };
    }
  }
}

type StatedCommits = Partial<Pick<JobFacts, 'commit' | 'testedCommit'>>;

/**
 * Whether a build is of the run and of a commit that was vouched for with it: the run's head, or what a job states.
 * `byJobId`: the build was found by one of its jobs, which has the run's id as its job id.
 */
export function isOfRun(
  build: Build,
  run: VouchedRun,
  { byJobId, stated = {} }: { readonly byJobId: boolean; readonly stated?: StatedCommits },
): boolean {
  if (build.vouchedRun !== undefined) return build.vouchedRun.id === run.id;
  // Which head it builds is the upload's own word.
  if (run.unconfirmed) return false;
  const commits = [run.headCommit.toLowerCase(), stated.commit, stated.testedCommit];
  const isOfCommit = [build.commit, build.testedCommit, build.target].some(
    (commit) => commit !== undefined && commits.includes(commit),
  );
  return isOfCommit && (byJobId || isNumberOf(run, build.serviceNumber));
}

/** Whether the build was opened under a number that the host did not vouch for: any workflow can choose one. */
export function hasClaimedNumber({ vouchedRun, serviceNumber }: Build): boolean {
  return vouchedRun !== undefined && serviceNumber !== undefined && !isNumberOf(vouchedRun, serviceNumber);
}

function isNumberOf({ id, number }: VouchedRun, serviceNumber: string | undefined): boolean {
  return serviceNumber !== undefined && (serviceNumber === id || serviceNumber === number);
}
