import type { Delivery, DeliveryTarget } from '../core/announce/delivery.ts';
import { MAX_WARNINGS } from '../core/builds/accept-job.ts';
import type { BuildResult, CloseWarning, JobWarning } from '../core/builds/build.ts';
import type { BuildSummary } from '../core/builds/build-summary.ts';
import type { CloseAttempts } from '../core/builds/due-tasks.ts';
import { HISTORY_SOURCES } from '../core/builds/imported.ts';
import type { Job } from '../core/builds/job.ts';
import type { JudgedRules } from '../core/builds/judged-rules.ts';
import { showPercent, totalPercent } from '../core/coverage/percent.ts';
import type { CoverageTotals } from '../core/coverage/totals.ts';
import type { Repo } from '../core/repo/repo.ts';
import { counted } from './phrases.ts';
import { rulesSentences } from './rules-words.ts';
import { describeUnmet, describeUnstated } from './upload-warnings.ts';

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
  /** What its repo's readers should know (core/repo/warnings.ts). */
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

/** The warnings of a close as sentences; results of earlier versions hold these themselves. */
export function describeCloseWarnings({ warnings }: Pick<BuildResult, 'warnings'>): readonly string[] {
  return warnings.flatMap((warning) => (typeof warning === 'string' ? [warning] : describeWarning(warning)));
}

function describeWarning(warning: CloseWarning): readonly string[] {
  switch (warning.kind) {
    case 'flags-not-found':
      return [
        ...warning.flags.map((flag) => `Flag ${flag} should have been carried forward, but it has no stored report.`),
        ...(warning.more > 0 ? [`The same is true of ${counted(warning.more, 'more flag')}.`] : []),
      ];
    case 'carried-files-changed':
      return [
        `${counted(warning.files, 'file')} of carried flags changed since` +
          (warning.leftOut
            ? `, or may have, and ${warning.files === 1 ? 'is' : 'are'} left out: where the lines are now is not known.`
            : "; only lines that this build's own jobs call relevant count there."),
      ];
    case 'texts-differ':
      return [
        `${counted(warning.files, 'file')} had different texts in different jobs (source_digest differs); ` +
          'their lines were merged by number.',
      ];
    case 'base-counted-anew':
      return [
        '`ignore` or `paths` of the repo’s file changed since the base, so the base is counted again with the new ' +
          'patterns: ' +
          `${showTotal(warning.counted)} instead of ${showTotal(warning.stored)}.`,
      ];
    case 'base-without-lines':
      return [
        `The base was imported from ${HISTORY_SOURCES[warning.from]} as a number without lines, ` +
          'so the lines that moved the total are unknown.',
      ];
    case 'nothing-relevant':
      return ['None of the jobs reported a relevant line.'];
    case 'comparison-unmet':
      return [describeUnmet(warning)];
    case 'cannot-merge':
      return [
        'Its reports cannot be merged as they are. Upload less in one build, or let an administrator raise the limit ' +
          'that the verdict names; then `rerun_build` recalculates it.' +
          (warning.keepsNumbers ? ' The numbers shown are from the previous close.' : ''),
      ];
    case 'access-denied':
      return [`${warning.refusal} Anything that only the git host knows stays open until it answers.`];
  }
}

function showTotal(totals: CoverageTotals): string {
  const percent = totalPercent(totals);
  return percent === undefined ? 'no relevant lines' : showPercent(percent);
}
