import type { VouchedRun } from '../repo/workflow-run.ts';
import type { Build } from './build.ts';
import type { JobFacts } from './job.ts';

type Stated = Partial<Pick<JobFacts, 'commit' | 'testedCommit'>>;

/**
 * Whether a build is of the run and of a commit that was vouched for with it: the run's head, or what a job states.
 * `byJobId`: the build was found by one of its jobs, which has the run's id as its job id.
 */
export function isOfRun(
  build: Build,
  run: VouchedRun,
  { byJobId, stated = {} }: { readonly byJobId: boolean; readonly stated?: Stated },
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
