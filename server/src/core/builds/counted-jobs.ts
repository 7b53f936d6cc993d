import type { BuildResult } from './build.ts';
import type { Job, JobFacts } from './job.ts';

/** What decides whether a job counts. */
interface Attempt {
  readonly facts: Pick<JobFacts, 'flag' | 'serviceJobNumber' | 'serviceJobId' | 'serviceAttempt'>;
}

/**
 * Rule 10: the jobs that count, in order of number. Among jobs with equal (flag_name, non-empty service_job_number,
 * service_job_id) only those of the highest attempt; without a job number nothing is replaced.
 */
export function countedJobs<T extends Attempt>(jobs: readonly T[]): readonly T[] {
  const latest = new Map<string, number>();
  for (const job of jobs) {
    const group = groupOf(job);
    if (group === undefined) continue;
    latest.set(group, Math.max(latest.get(group) ?? 0, job.facts.serviceAttempt));
  }
  return jobs.filter((job) => {
    const group = groupOf(job);
    return group === undefined || job.facts.serviceAttempt === latest.get(group);
  });
}

/** For all jobs of a closed build those of one flag that counted at its last close: their reports are the flag's. */
export function countedJobsOfFlag(
  jobs: readonly Job[],
  build: { readonly result: Pick<BuildResult, 'countedJobs'> | undefined },
  flag: string,
): readonly Job[] {
  const counted = new Set(build.result?.countedJobs);
  return jobs.filter((job) => job.facts.flag === flag && counted.has(job.id));
}

function groupOf({ facts }: Attempt): string | undefined {
  const { flag, serviceJobNumber, serviceJobId } = facts;
  if (serviceJobNumber === undefined) return undefined;
  return JSON.stringify([flag ?? null, serviceJobNumber, serviceJobId ?? null]);
}
