import type { Delivery, DeliveryTarget } from '../core/announce/delivery.ts';
import { MAX_WARNINGS } from '../core/builds/accept-job.ts';
import type { JobWarning } from '../core/builds/build.ts';
import type { BuildSummary } from '../core/builds/build-summary.ts';
import type { CloseAttempts } from '../core/builds/due-tasks.ts';
import type { Job } from '../core/builds/job.ts';
import type { JudgedRules } from '../core/builds/judged-rules.ts';
import type { Repo } from '../core/repo/repo.ts';
import { describeCloseWarnings } from './close-warnings.ts';
import { counted } from './phrases.ts';
import { rulesSentences } from './rules-words.ts';
import { describeUnstated } from './upload-warnings.ts';

/** Announcements of one commit that a page lists: each flag has one. */
export const MAX_DELIVERIES = 100;

const COPIES_HEAD =
  'A branch of the repo itself points to this commit of a fork: its statuses are errors ' +
  'until an upload with a token arrives.';
const MORE_PARKED = 'More deliveries failed than are listed here.';

/**
 * What a build's readers should know: its jobs' disagreements, its close, its uploads, and what could not be announced.
 */
export function readWarnings(shown: {
  readonly repo: Pick<Repo, 'service'>;
  readonly build: BuildSummary & { readonly result?: { readonly rules?: JudgedRules | undefined } | undefined };
  /** Some of its jobs. */
  readonly jobs: readonly Job[];
  readonly deliveries: readonly Delivery[];
  readonly supersededBy: BuildSummary | undefined;
  readonly rivals: readonly BuildSummary[];
  /** What its repo's readers should know (domain/repo/warnings.ts). */
  readonly repoWarnings: readonly string[];
}): readonly string[] {
  const { repo, build, jobs, deliveries, supersededBy, rivals, repoWarnings } = shown;
  const ofJobs = build.jobWarnings ?? jobs.flatMap(warningsOf);
  const parked = deliveries.filter((delivery) => delivery.parked !== undefined);
  return [
    ...repoWarnings,
    ...(build.attempts?.reason === undefined && !build.attempts?.setAside ? [] : [attemptSentence(build.attempts)]),
    ...build.warnings,
    ...(build.facts?.copiesHead ? [COPIES_HEAD] : []),
    ...describeUnstated(build, { isManual: repo.service === 'manual' }),
    ...rulesSentences(build.result?.rules),
    ...(build.result ? describeCloseWarnings(build.result) : []),
    ...ofJobs.slice(0, MAX_WARNINGS).map(({ job, sentence }) => `Job ${build.number}.${job}: ${sentence}`),
    ...(rivals.length > 0 ? [rivalSentence(rivals)] : []),
    ...(supersededBy ? [`Replaced by build ${supersededBy.number}, which reports for this commit.`] : []),
    ...parked.slice(0, MAX_DELIVERIES).map(parkedSentence),
    ...(parked.length > MAX_DELIVERIES ? [MORE_PARKED] : []),
  ];
}

/** For a build whose first job came to an earlier version: no more than its shown jobs are known. */
function warningsOf({ number: job, warnings }: Job): readonly JobWarning[] {
  return warnings.map((sentence) => ({ job, sentence }));
}

/** Why the last attempt to close a build did not succeed, a sentence. */
export function describeAttempt({ reason = 'The server stopped before it was done.' }: CloseAttempts): string {
  return reason;
}

function attemptSentence(attempts: CloseAttempts): string {
  const reason = describeAttempt(attempts);
  if (!attempts.setAside) return `Finishing this build failed. It will be retried. ${reason}`;
  const count = counted(attempts.count, 'attempt');
  return `This build couldn’t be finished, after ${count}. \`rerun_build\` tries again. ${reason}`;
}

function rivalSentence(rivals: readonly BuildSummary[]): string {
  const shown = rivals.slice(0, 5).map((rival) => rival.number);
  const more = rivals.length > shown.length ? ` and ${rivals.length - shown.length} more` : '';
  return (
    `Other CI runs uploaded coverage for this commit too: ${shown.join(', ')}${more}. One of them ` +
    'reports; to merge them, give their jobs one build number.'
  );
}

function parkedSentence({ target, parked }: Delivery): string {
  return `${placeName(target)} could not be delivered: ${parked}`;
}

function placeName(target: DeliveryTarget): string {
  if (target.kind === 'comment') return 'The pull request comment';
  return target.kind === 'status' ? `The commit status "${target.context}"` : `The check run "${target.name}"`;
}
