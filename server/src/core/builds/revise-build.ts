import type { Timestamp } from '../time.ts';
import { MAX_WARNINGS } from './accept-job.ts';
import { acceptFailures, markAccepted } from './acceptance.ts';
import type { Build, ExpectedJobs } from './build.ts';
import { withOverall } from './build-checks.ts';
import type { Acceptance, AcceptedBy, BuildFacts, Landing } from './build-facts.ts';
import { beginAttempt, failAttempt } from './close-attempts.ts';
import { isCloseRequested } from './close-due.ts';
import { isRefused } from './conclude-refused.ts';
import { findTask, type LandingTask, withoutTasks, withTask } from './due-tasks.ts';
import { knownAttempt } from './ended-run.ts';
import { eraseFromBuild, isAnnouncedOf, type PersonErased } from './erased-person.ts';
import { haveAllArrived } from './expected-jobs.ts';
import type { RefutedPull } from './pull-claim.ts';
import { type RunOrigin, settleOrigin } from './run-origin.ts';

/** A change of a build that neither a job nor a close makes. */
export type BuildRevision =
  /** What the provider said. */
  | {
      readonly kind: 'facts';
      readonly facts: BuildFacts;
      readonly target: string | undefined;
      /** The pull request that was asked about; absent: it does not matter. */
      readonly asked?: { readonly pullRequest: number | undefined };
      /** It is not the build's. */
      readonly refuted?: RefutedPull | undefined;
    }
  /** Whose the run of its uploads is. */
  | { readonly kind: 'origin'; readonly origin: RunOrigin }
  /**
   * Rule 20 and the second evaluation: evaluate it again, if it is closed. `forget`: what the provider said, and the
   * base, are no longer valid. `renew`: the wait for the provider starts over.
   */
  | { readonly kind: 'revisit'; readonly at: Timestamp; readonly forget?: boolean; readonly renew?: boolean }
  /** Builds that depend on it are due again, unless it was closed again in the meantime. */
  | { readonly kind: 'backfilled'; readonly closeCount: number }
  | { readonly kind: 'landed'; readonly landing: Landing }
  /** The provider is asked again what landed, or no more. */
  | { readonly kind: 'landing-due'; readonly due: LandingTask | undefined }
  | { readonly kind: 'excluded-as-base'; readonly excluded: Build['excludedAsBase'] }
  /**
   * What fails in its result is accepted, or no longer. `closedAt`: of the result that was seen; another one is not
   * accepted.
   */
  | { readonly kind: 'accepted'; readonly by: AcceptedBy; readonly closedAt?: Timestamp | undefined }
  | { readonly kind: 'no-longer-accepted'; readonly at: Timestamp }
  /** Somebody's data is taken out; where it was announced, the announcements follow. */
  | PersonErased
  /**
   * Before its first close: how many uploads it has in all, and how many are there; undefined: a flag alone says how
   * many. A close that an upload asked for waits for the others. Nothing, where the build moved on since it was `seen`.
   */
  | {
      readonly kind: 'expects-uploads';
      readonly seen: number;
      readonly uploads: ExpectedJobs | undefined;
      readonly at: Timestamp;
    }
  /** A close begins: counted before, so that one that ends the whole server counts too. */
  | { readonly kind: 'attempt'; readonly at: Timestamp }
  /** With a sentence. */
  | { readonly kind: 'attempt-failed'; readonly at: Timestamp; readonly reason: string }
  /** Its CI run ended: what is open is closed (rule 13). */
  | {
      readonly kind: 'run-ended';
      readonly conclusion: NonNullable<Build['runConclusion']>;
      readonly attempt: number;
      readonly at: Timestamp;
    };

/** The revised build; the same object if nothing changes. */
export function reviseBuild(build: Build, revision: BuildRevision): Build {
  const revised = revise(build, revision);
  return revised === build ? build : { ...revised, revision: build.revision + 1 };
}

function revise(build: Build, revision: BuildRevision): Build {
  switch (revision.kind) {
    case 'facts':
      return takeFacts(build, revision);
    case 'origin':
      return settle(build, revision.origin);
    case 'revisit':
      return revisit(build, revision);
    case 'backfilled':
      return findTask(build.due, 'backfill') !== undefined && (build.result?.closeCount ?? 0) <= revision.closeCount
        ? { ...build, due: withoutTasks(build.due, 'backfill') }
        : build;
    case 'landed':
      return build.landed?.commit === revision.landing.commit && build.landed.branch === revision.landing.branch
        ? build
        : { ...withBackfill(build), landed: revision.landing };
    case 'landing-due':
      return findTask(build.due, 'landing') === revision.due
        ? build
        : { ...build, due: withTask(withoutTasks(build.due, 'landing'), revision.due) };
    case 'excluded-as-base':
      return { ...withBackfill(build), excludedAsBase: revision.excluded };
    case 'accepted':
      return accept(build, revision);
    case 'no-longer-accepted':
      return build.acceptance === undefined ? build : withAcceptance(build, undefined, revision.at);
    case 'person-erased':
      return erasePerson(build, revision);
    case 'expects-uploads':
      return build.revision === revision.seen && build.result === undefined ? expectUploads(build, revision) : build;
    case 'attempt':
      return beginAttempt(build, revision.at);
    case 'attempt-failed':
      return failAttempt(build, revision);
    case 'run-ended':
      return endRun(build, revision);
  }
}

/** In the meantime its statuses are pending, as those of a parallel build are. */
function expectUploads(build: Build, { uploads, at }: Extract<BuildRevision, { kind: 'expects-uploads' }>): Build {
  const jobs = Math.max(uploads?.jobs ?? 0, build.expectedJobs?.jobs ?? 0);
  const expected = uploads && { jobs, arrived: uploads.arrived };
  const asked = findTask(build.due, 'close');
  const left = asked?.by === 'job' ? withoutTasks(build.due, 'close') : build.due;
  const closes = haveAllArrived(expected) && findTask(left, 'close') === undefined;
  const due = closes ? withTask(left, { kind: 'close', by: 'job', at }) : left;
  const isAnnounced = build.openedContexts.length > 0 || findTask(due, 'post-pending') !== undefined;
  return {
    ...build,
    ...(expected && { expectedJobs: expected }),
    attempts: undefined,
    due: isAnnounced || closes ? due : withTask(due, { kind: 'post-pending', at }),
  };
}

function takeFacts(build: Build, revision: Extract<BuildRevision, { kind: 'facts' }>): Build {
  const { facts, target, asked, refuted } = revision;
  // A job named one in the meantime: what was asked is not about that.
  if (asked !== undefined && asked.pullRequest !== build.pullRequest) return build;
  const known: Build = { ...build, facts, target: build.target ?? target };
  if (refuted === undefined) return known;
  const warnings = [...new Set([...build.warnings, refuted.sentence])].slice(0, MAX_WARNINGS);
  const withoutPull = { pullRequest: undefined, baseBranch: undefined, baseCommit: undefined, branch: refuted.branch };
  return { ...known, ...withoutPull, warnings, ...(build.result !== undefined && { baseForgotten: true }) };
}

/** A closed build becomes a base by it, or is none any more. */
function settle(build: Build, origin: RunOrigin): Build {
  const settled = settleOrigin(build, origin);
  return settled === build ? build : withBackfill(settled);
}

/** Builds that have it as their base, or would, are evaluated again; before its first close it is no base. */
function withBackfill(build: Build): Build {
  const { result, due } = build;
  if (result === undefined || findTask(due, 'backfill') !== undefined) return build;
  return { ...build, due: withTask(due, { kind: 'backfill', at: result.closedAt }) };
}

function accept(build: Build, { by, closedAt }: Extract<BuildRevision, { kind: 'accepted' }>): Build {
  const { result } = build;
  if (result === undefined || (closedAt !== undefined && result.closedAt !== closedAt)) return build;
  const acceptance = acceptFailures(result, by);
  return acceptance === undefined ? build : withAcceptance(build, acceptance, by.at);
}

/** The statuses and the comment follow with the next close: of a closed build at once. */
function withAcceptance(build: Build, acceptance: Acceptance | undefined, at: Timestamp): Build {
  const result = build.result && withOverall(markAccepted(build.result, acceptance));
  return revisit({ ...build, acceptance, result }, { kind: 'revisit', at });
}

function erasePerson(build: Build, { person, at }: PersonErased): Build {
  const erased = eraseFromBuild(build, person);
  return isAnnouncedOf(build, person) ? revisit(erased, { kind: 'revisit', at }) : erased;
}

/** An open build looks for its base at its close anyway. */
function revisit(
  build: Build,
  { at, forget = false, renew = false }: Extract<BuildRevision, { kind: 'revisit' }>,
): Build {
  if (build.imported !== undefined) return build;
  if (forget) {
    const forgotten: Build = { ...build, facts: undefined, baseForgotten: true };
    return build.result === undefined || build.state === 'open' ? forgotten : withRevisit(forgotten, at);
  }
  if (build.result === undefined || build.state === 'open') return build;
  if (renew && build.result.provisionalSince !== undefined)
    return withRevisit({ ...build, result: { ...build.result, provisionalSince: at } }, at);
  const revisit = findTask(build.due, 'revisit');
  return revisit !== undefined && revisit.at <= at ? build : withRevisit(build, at);
}

/** What cannot be merged now cannot be merged then. */
function withRevisit(build: Build, at: Timestamp): Build {
  if (isRefused(build)) return build;
  return { ...build, due: withTask(build.due, { kind: 'revisit', at }) };
}

/** The last attempt of a run decides, in whatever order the events arrive. */
function endRun(build: Build, { conclusion, attempt, at }: Extract<BuildRevision, { kind: 'run-ended' }>): Build {
  if (attempt < knownAttempt(build)) return build;
  const closes = build.state === 'open' && !isCloseRequested(build);
  if (!closes && build.runConclusion === conclusion && attempt === knownAttempt(build)) return build;
  const revisits = build.state === 'closed' && build.runConclusion !== conclusion;
  const ended = { ...build, runConclusion: conclusion, ...(attempt > 1 && { runAttempt: attempt }) };
  if (closes) return { ...ended, due: withTask(build.due, { kind: 'close', by: 'provider', at }) };
  return revisits ? withRevisit(ended, at) : ended;
}
