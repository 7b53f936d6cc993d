import type { Delivery, DeliveryTarget } from '../domain/announce/delivery.ts';
import type { Build } from '../domain/builds/build.ts';
import type { CloseAttempts } from '../domain/builds/due-tasks.ts';
import type { Job } from '../domain/builds/job.ts';
import { describeCloseWarnings } from './close-warnings.ts';

const MAX_JOB_WARNINGS = 20;

/**
 * What a build's readers should know: its jobs' disagreements, its close, its uploads, and what could not be announced.
 */
export function readWarnings(shown: {
  readonly build: Build;
  readonly jobs: readonly Job[];
  readonly deliveries: readonly Delivery[];
  readonly supersededBy: Build | undefined;
  readonly rivals: readonly Build[];
  /** What its repo's readers should know (domain/repo/warnings.ts). */
  readonly repoWarnings: readonly string[];
}): readonly string[] {
  const { build, jobs, deliveries, supersededBy, rivals, repoWarnings } = shown;
  const ofJobs = jobs.flatMap((job) => job.warnings.map((warning) => `Job ${build.number}.${job.number}: ${warning}`));
  return [
    ...repoWarnings,
    ...(build.attempts?.reason === undefined && !build.attempts?.setAside ? [] : [attemptSentence(build.attempts)]),
    ...build.warnings,
    ...(build.result ? describeCloseWarnings(build.result) : []),
    ...ofJobs.slice(0, MAX_JOB_WARNINGS),
    ...(rivals.length > 0 ? [rivalSentence(rivals)] : []),
    ...(supersededBy ? [`Superseded by build ${supersededBy.number}, which announces for this commit.`] : []),
    ...deliveries.filter((delivery) => delivery.parked !== undefined).map(parkedSentence),
  ];
}

/** Why the last attempt to close a build did not succeed, a sentence. */
export function describeAttempt({ reason = 'The server ended before it was done.' }: CloseAttempts): string {
  return reason;
}

function attemptSentence(attempts: CloseAttempts): string {
  const reason = describeAttempt(attempts);
  if (!attempts.setAside) return `The last attempt to close it did not succeed; it is tried again. ${reason}`;
  return `Set aside after ${attempts.count} attempts to close it, until \`rerun_build\` asks for it. ${reason}`;
}

function rivalSentence(rivals: readonly Build[]): string {
  const shown = rivals.slice(0, 5).map((rival) => rival.number);
  const more = rivals.length > shown.length ? ` and ${rivals.length - shown.length} more` : '';
  return (
    `Other CI builds of this commit and event sent coverage too: ${shown.join(', ')}${more}. One of them ` +
    'announces; to merge them, give their jobs one build number.'
  );
}

function parkedSentence({ target, parked }: Delivery): string {
  return `${placeName(target)} could not be delivered: ${parked}`;
}

function placeName(target: DeliveryTarget): string {
  if (target.kind === 'comment') return 'The pull request comment';
  return target.kind === 'status' ? `The commit status "${target.context}"` : `The check run "${target.name}"`;
}
