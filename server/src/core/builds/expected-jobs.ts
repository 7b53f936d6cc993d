import type { Build, ExpectedJobs } from './build.ts';
import { countedJobs } from './counted-jobs.ts';
import type { Job, JobFacts } from './job.ts';

/** More than a workflow run may have, and few enough to read in one accept. */
export const MAX_EXPECTED_JOBS = 1_000;

/** What a job makes of its build, and the jobs that came before. */
interface Arrival {
  readonly build: Pick<Build, 'jobs' | 'attempt' | 'expectedJobs'>;
  readonly facts: JobFacts;
}

/** Whether only the build's stored jobs tell how many have arrived: one attempt may have replaced another. */
export function countsByAttempt({ build, facts }: Arrival): boolean {
  const isStated = facts.expectedJobs !== undefined || build.expectedJobs !== undefined;
  return isStated && build.jobs > 0 && Math.max(build.attempt, facts.serviceAttempt) > 1;
}

/**
 * What is expected once this job is in. `stored`: the build's jobs, needed where `countsByAttempt`. `instead`: the
 * number of the job whose place it takes.
 */
export function expectedAfter(
  { build, facts }: Arrival,
  { stored, instead }: { readonly stored: readonly Job[]; readonly instead?: number | undefined },
): ExpectedJobs | undefined {
  const jobs = Math.max(build.expectedJobs?.jobs ?? 0, facts.expectedJobs ?? 0);
  if (jobs === 0) return undefined;
  if (!countsByAttempt({ build, facts })) return { jobs, arrived: build.jobs + 1 };
  return { jobs, arrived: countedJobs([...stored.filter(({ number }) => number !== instead), { facts }]).length };
}

/** Whether nothing more is waited for. */
export function haveAllArrived(expected: ExpectedJobs | undefined): boolean {
  return expected !== undefined && expected.arrived >= expected.jobs;
}
