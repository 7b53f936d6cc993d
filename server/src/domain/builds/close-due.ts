import type { Timestamp } from '../time.ts';
import type { Build, BuildResult, CarryforwardRequest, CloseDue, ClosedBy, OpenedContext } from './build.ts';

/** A nameless close repeated within this time answers for the build it closed (wire.md "Close"). */
export const NAMELESS_CLOSE_MEMORY = 10 * 60_000;

/** Repeated so soon, a nameless close need not be remembered anew: work under way is not disturbed for it. */
const REMEMBERED_ANYWAY = 60_000;

/**
 * The end of its run closed it before its CI could say what to carry forward; a deadline, before its CI could say
 * anything.
 */
function wasClosedEarly(
  { result, carryforward }: Build,
  request: { readonly carryforward: CarryforwardRequest | undefined },
): boolean {
  if (result?.closedBy === 'provider')
    return request.carryforward !== undefined && !isSame(request.carryforward, carryforward);
  return result?.closedBy === 'deadline';
}

/** The builds of the repo that a close may mean, each list newest first. */
export interface CloseCandidates {
  /** By `service_number`. */
  readonly byNumber: readonly Build[];
  /** By `service_job_id` of one of their jobs. */
  readonly byJobId: readonly Build[];
  /** By their own number, where they have no `service_number`. */
  readonly byOwnNumber: readonly Build[];
}

/** wire.md "Close": the build that a build number means. */
export function findNamedClose(candidates: CloseCandidates): Build | undefined {
  const builds = meantBuilds(candidates);
  return builds.find((build) => build.state === 'open') ?? builds[0];
}

/**
 * wire.md "Close": what a close without a number means. `open`: the open builds, newest first; `closed`: builds that a
 * nameless close has meant before.
 */
export function findNamelessClose(open: readonly Build[], closed: readonly Build[], now: Timestamp): Build | undefined {
  const parallel = open.filter((build) => build.parallel);
  const recent = closed.filter((build) => (build.namelessCloseAt ?? 0) >= now - NAMELESS_CLOSE_MEMORY);
  const latest = recent.reduce<Build | undefined>(
    (last, build) => (last === undefined || (build.namelessCloseAt ?? 0) > (last.namelessCloseAt ?? 0) ? build : last),
    undefined,
  );
  return parallel.find((build) => build.serviceNumber === undefined) ?? parallel[0] ?? latest;
}

/**
 * The build with a webhook's close due (rule 11). A build that its CI closed stays as it is: a repeated close changes
 * nothing. One that was closed by deadline had waited for this very request: it is closed anew, with what the request
 * carries forward.
 */
export function requestClose(
  build: Build,
  request: {
    readonly carryforward: CarryforwardRequest | undefined;
    readonly nameless: boolean;
    readonly at: Timestamp;
  },
): Build {
  if (build.state === 'closed' && !wasClosedEarly(build, request)) return build;
  if (build.closeDue?.by === 'webhook' && isSame(request.carryforward ?? build.carryforward, build.carryforward)) {
    // Asked again while it is worked out: the work goes on.
    const isRecent = request.at - (build.namelessCloseAt ?? 0) < REMEMBERED_ANYWAY;
    return request.nameless && !isRecent
      ? { ...build, revision: build.revision + 1, namelessCloseAt: request.at }
      : build;
  }
  return {
    ...build,
    revision: build.revision + 1,
    state: 'open',
    closeDue: build.closeDue?.by === 'webhook' ? build.closeDue : { by: 'webhook', at: request.at },
    carryforward: request.carryforward ?? build.carryforward,
    namelessCloseAt: request.nameless ? request.at : build.namelessCloseAt,
  };
}

/**
 * The build that a rerun means, by the identities of a close; of several the newest that was closed before, since only
 * such a one can be worked out again.
 */
export function findNamedRerun(candidates: CloseCandidates): Build | undefined {
  const builds = meantBuilds(candidates);
  return builds.find((build) => build.result !== undefined) ?? builds[0];
}

/**
 * A build that was closed, due to be worked out again from its stored jobs. Meanwhile it serves its last result (rule
 * 12), and it stays closed by what closed it: a rerun does not turn one that timed out into a complete one (rule 13).
 */
export function requestRerun(build: Build, at: Timestamp): Build {
  if (build.result === undefined || build.closeDue !== undefined) return build;
  return { ...build, revision: build.revision + 1, state: 'open', closeDue: { by: build.result.closedBy, at } };
}

function isSame(a: CloseDue | CarryforwardRequest | undefined, b: CloseDue | CarryforwardRequest | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function meantBuilds({ byNumber, byJobId, byOwnNumber }: CloseCandidates): readonly Build[] {
  return [byNumber, byJobId, byOwnNumber].find((list) => list.length > 0) ?? [];
}

/**
 * Why a build is to be closed now; undefined: it is not. A late job's close keeps the reason of the close before: its
 * timer does not turn a build that its CI closed into one that timed out, nor does its arrival end what still lacks
 * (rules 12 and 13).
 */
export function closeReason(build: Build, now: Timestamp): ClosedBy | undefined {
  if (build.state === 'closed') return revisitReason(build, now);
  if (build.closeDue !== undefined)
    return build.closeDue.by === 'job' ? (build.result?.closedBy ?? 'job') : build.closeDue.by;
  if (build.closeAt === undefined || build.closeAt > now) return undefined;
  return build.result?.closedBy ?? 'deadline';
}

/** Worked out anew (rule 20, or facts that lacked), a build stays closed by what closed it. */
function revisitReason({ revisitAt, result }: Build, now: Timestamp): ClosedBy | undefined {
  return revisitAt === undefined || revisitAt > now ? undefined : result?.closedBy;
}

/** When something is due in this build by itself; undefined: nothing. */
export function dueAt(build: Build): Timestamp | undefined {
  if (build.openingDue) return build.lastJobAt;
  if (build.backfillDue === true) return build.result?.closedAt ?? build.lastJobAt;
  const own = build.state === 'closed' ? build.revisitAt : (build.closeDue?.at ?? build.closeAt);
  const times = [own, build.landingDue?.at].filter((time) => time !== undefined);
  return times.length === 0 ? undefined : Math.min(...times);
}

/** What a close leaves to be done later (rule 20, and the second evaluation of a provisional verdict). */
export interface AfterClose {
  readonly revisitAt?: Timestamp | undefined;
  readonly missingBases?: readonly string[] | undefined;
  /** Whether others may have waited for this build as their base. */
  readonly backfill?: boolean | undefined;
}

/** The build after its close was written. */
export function markClosed(
  build: Build,
  result: BuildResult,
  openedContexts: readonly OpenedContext[],
  target: string | undefined,
  { revisitAt, missingBases, backfill = false }: AfterClose = {},
): Build {
  return {
    ...build,
    revision: build.revision + 1,
    state: 'closed',
    closeDue: undefined,
    closeAt: undefined,
    openingDue: false,
    target,
    openedContexts,
    result,
    baseForgotten: undefined,
    revisitAt,
    missingBases,
    backfillDue: backfill ? true : build.backfillDue,
  };
}

/** What a close knows of the build that it merged, to be written over one that moved on meanwhile. */
export interface BehindClose {
  readonly merged: Pick<Build, 'closeDue' | 'carryforward'>;
  /** Milliseconds that late jobs wait (rule 12). */
  readonly late: number;
}

/**
 * The build after a close was written that lacks the jobs which came since: they are late ones (rule 12), for which it
 * is closed once more. What was asked for meanwhile stays due. Without this a steady stream of uploads would put the
 * close off for ever.
 */
export function closeBehind(
  build: Build,
  closing: {
    readonly result: BuildResult;
    readonly openedContexts: readonly OpenedContext[];
    readonly target: string | undefined;
    readonly behind: BehindClose;
    readonly after?: AfterClose | undefined;
    readonly at: Timestamp;
  },
): Build {
  const { result, openedContexts, target, behind, after, at } = closing;
  const { closeDue, carryforward } = behind.merged;
  const askedAnew = !isSame(build.closeDue, closeDue) || !isSame(build.carryforward, carryforward);
  return {
    ...markClosed(build, result, openedContexts, target, after),
    state: 'open',
    closeDue: askedAnew ? build.closeDue : undefined,
    closeAt: at + behind.late,
  };
}

/** The build after its pending statuses were written (rule 23). */
export function markPending(
  build: Build,
  opening: { readonly target: string | undefined; readonly openedContexts: readonly OpenedContext[] },
): Build {
  return {
    ...build,
    revision: build.revision + 1,
    openingDue: false,
    target: opening.target,
    openedContexts: opening.openedContexts,
  };
}
