import type { RepoRules } from '../repo/repo-rules.ts';
import type { Timestamp } from '../time.ts';
import type { MissingJobs } from '../verdict/reason.ts';
import type { Build, ExpectedJobs } from './build.ts';
import { closeReason } from './close-due.ts';
import { countedJobs } from './counted-jobs.ts';
import { findTask } from './due-tasks.ts';
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

type UploadRules = Pick<RepoRules, 'uploads' | 'flags'>;

/** Uploads that the repo's file states and that have not arrived; without a flag: of the build. */
interface LackedUploads {
  readonly flag: string | undefined;
  readonly arrived: number;
  readonly expected: number;
}

/**
 * What a build lacks of the uploads that the repo's file states: of the whole, then flag by flag. If nothing came at
 * all, of the build or of a flag, rules 4, 13 and 17 decide. `jobs`: those that count.
 */
export function lackedUploads({ uploads, flags }: UploadRules, jobs: readonly Job[]): readonly LackedUploads[] {
  const arrived = new Map<string | undefined, number>();
  for (const { facts } of jobs) arrived.set(facts.flag, (arrived.get(facts.flag) ?? 0) + 1);
  const stated = [
    { flag: undefined, arrived: jobs.length, expected: uploads },
    ...[...flags].map(([flag, rule]) => ({ flag, arrived: arrived.get(flag) ?? 0, expected: rule.uploads })),
  ];
  return stated.flatMap(({ expected, ...one }) =>
    expected === undefined || one.arrived === 0 || one.arrived >= expected ? [] : [{ ...one, expected }],
  );
}

/** The same as a verdict says it. */
export function missingUploads(
  { flag, arrived, expected }: LackedUploads,
  { build, at }: { readonly build: Pick<Build, 'lastJobAt' | 'runConclusion'>; readonly at: Timestamp },
): MissingJobs {
  const { runConclusion, lastJobAt } = build;
  const run = runConclusion === 'failure' || runConclusion === 'cancelled' ? runConclusion : undefined;
  return { arrived, expected, waited: at - lastJobAt, run, stated: flag === undefined ? {} : { flag } };
}

/**
 * Whether the first close of a build waits for the rest of its uploads. Only an upload asked for it: what ends the
 * build (its CI, its run, the deadline) closes it as it is.
 */
export function awaitsUploads(
  build: Build,
  { rules, jobs, at }: { readonly rules: UploadRules; readonly jobs: readonly Job[]; readonly at: Timestamp },
): boolean {
  const deadline = findTask(build.due, 'deadline');
  return (
    build.result === undefined &&
    closeReason(build, at) === 'job' &&
    deadline !== undefined &&
    deadline.at > at &&
    lackedUploads(rules, jobs).length > 0
  );
}
