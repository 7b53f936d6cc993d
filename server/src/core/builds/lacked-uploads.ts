import type { RepoRules } from '../repo/repo-rules.ts';
import type { Timestamp } from '../time.ts';
import type { MissingJobs } from '../verdict/reason.ts';
import type { Build } from './build.ts';
import { closeReason } from './close-due.ts';
import { findTask } from './due-tasks.ts';
import type { Job } from './job.ts';

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
