import type { Delivery } from '../announce/delivery.ts';
import type { RepoService } from '../repo/repo.ts';
import type { Build } from './build.ts';
import type { Job } from './job.ts';

const MAX_JOB_WARNINGS = 20;

/** What a build's readers should know: its jobs' disagreements, its close, its uploads, and what could not be announced. */
export function readWarnings(shown: {
  readonly build: Build;
  readonly jobs: readonly Job[];
  readonly deliveries: readonly Delivery[];
  readonly supersededBy: Build | undefined;
}): readonly string[] {
  const { build, jobs, deliveries, supersededBy } = shown;
  const ofJobs = jobs.flatMap((job) => job.warnings.map((warning) => `Job ${build.number}.${job.number}: ${warning}`));
  return [
    ...build.warnings,
    ...(build.result?.warnings ?? []),
    ...ofJobs.slice(0, MAX_JOB_WARNINGS),
    ...(supersededBy ? [`Superseded by build ${supersededBy.number}, which announces for this commit.`] : []),
    ...deliveries.filter((delivery) => delivery.parked !== undefined).map(parkedSentence),
  ];
}

/** Rule 28: why nothing is announced for a repo whose provider has no adapter here. */
export function noProviderSentence(service: RepoService): string | undefined {
  if (service === 'manual') return undefined;
  if (service === 'github') return 'Nothing is announced: this server has no credential for github. Set GITHUB_TOKEN.';
  return `Nothing is announced: this server has no adapter for ${service} yet.`;
}

function parkedSentence(delivery: Delivery): string {
  const what = delivery.target.kind === 'status' ? `The commit status "${delivery.target.context}"` : 'The pull request comment';
  return `${what} could not be delivered: ${delivery.parked}`;
}
