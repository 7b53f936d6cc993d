import type { VouchedRun } from '../repo/workflow-run.ts';
import type { Timestamp } from '../time.ts';
import type { Build, BuildResult, CarryforwardRequest, OpenedContext } from './build.ts';
import { resumeAttempts } from './close-attempts.ts';
import { type ClosedBy, type DueTask, findTask, withoutTasks, withTask } from './due-tasks.ts';
import { hasClaimedNumber, isOfRun, tokenTrust } from './run-origin.ts';

/** A nameless close repeated within this time answers for the build it closed (wire.md "Close"). */
export const NAMELESS_CLOSE_MEMORY = 10 * 60_000;

/** A nameless close that is repeated so soon is not stored again: that would disturb work in progress. */
const NAMELESS_CLOSE_REPEAT = 60_000;

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

/** The builds of the repo that a close may be about, each list newest first. */
export interface CloseCandidates {
  /** By `service_number`. */
  readonly byNumber: readonly Build[];
  /** By `service_job_id` of one of their jobs. */
  readonly byJobId: readonly Build[];
  /** By their own number, where they have no `service_number`. */
  readonly byOwnNumber: readonly Build[];
}

/** Which builds a caller reaches (rule 29). */
interface Reach {
  /** Only builds of this run; absent: any. */
  readonly run?: VouchedRun | undefined;
  /** Whether the run has no secrets: then it reaches builds alone that came without any token. */
  readonly unverified?: boolean;
}

/** wire.md "Close": the build that a build number stands for, of those that its caller reaches (rule 29). */
export function findNamedClose(candidates: CloseCandidates, reach: Reach = {}): Build | undefined {
  const builds = namedBuilds(candidates, reach);
  return builds.find((build) => build.state === 'open') ?? builds[0];
}

/**
 * wire.md "Close": the build that a close without a number stands for. `open`: the open builds, newest first;
 * `closed`: builds that a nameless close has closed before.
 */
export function findNamelessClose(open: readonly Build[], closed: readonly Build[], now: Timestamp): Build | undefined {
  const parallel = open.filter((build) => build.parallel && tokenTrust(build) !== 'run');
  const recent = closed.filter((build) => (build.namelessCloseAt ?? 0) >= now - NAMELESS_CLOSE_MEMORY);
  const latest = recent.reduce<Build | undefined>(
    (last, build) => (last === undefined || (build.namelessCloseAt ?? 0) > (last.namelessCloseAt ?? 0) ? build : last),
    undefined,
  );
  return parallel.find((build) => build.serviceNumber === undefined) ?? parallel[0] ?? latest;
}

/**
 * The build with a webhook's close due (rule 11). A build that its CI closed stays as it is: a repeated close changes
 * nothing. One that was closed by deadline had waited for this request: it is closed again, with what the request
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
  const asked = findTask(build.due, 'close');
  if (asked?.by === 'webhook' && isSame(request.carryforward ?? build.carryforward, build.carryforward)) {
    // The same request while its close is in progress: the close continues.
    const isRecent = request.at - (build.namelessCloseAt ?? 0) < NAMELESS_CLOSE_REPEAT;
    return request.nameless && !isRecent
      ? { ...build, revision: build.revision + 1, namelessCloseAt: request.at }
      : build;
  }
  return {
    ...reopen(build, asked?.by === 'webhook' ? asked : { kind: 'close', by: 'webhook', at: request.at }),
    carryforward: request.carryforward ?? build.carryforward,
    namelessCloseAt: request.nameless ? request.at : build.namelessCloseAt,
  };
}

/** Open with this close due; what was to be evaluated again is, at that close. */
function reopen(build: Build, close: DueTask): Build {
  const due = withTask(withoutTasks(build.due, 'revisit'), close);
  return { ...build, revision: build.revision + 1, state: 'open', due };
}

/** Whether a close was asked for that is not done yet. */
export function isCloseRequested({ due }: Pick<Build, 'due'>): boolean {
  return findTask(due, 'close') !== undefined;
}

/**
 * The build to rerun, found as a close finds its build; of several the newest that was closed before or set aside,
 * since no other can be rerun.
 */
export function findNamedRerun(candidates: CloseCandidates, reach: Reach = {}): Build | undefined {
  const builds = namedBuilds(candidates, reach);
  return builds.find(({ result, attempts }) => result !== undefined || attempts?.setAside) ?? builds[0];
}

/**
 * A closed build with another close due, from its stored jobs; one that was set aside, put back to work. In the
 * meantime it serves its last result (rule 12), and what closed it stays the same: one that timed out is not complete
 * (rule 13).
 */
export function requestRerun(build: Build, at: Timestamp): Build {
  const resumed = resumeAttempts(build);
  if (build.result === undefined || isCloseRequested(build))
    return resumed === build ? build : { ...resumed, revision: build.revision + 1 };
  return reopen(resumed, { kind: 'close', by: build.result.closedBy, at });
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function namedBuilds(candidates: CloseCandidates, reach: Reach): readonly Build[] {
  const withToken =
    reach.unverified === true ? [] : reachedBuilds(candidates, reach, (build) => tokenTrust(build) !== 'run');
  return withToken.length > 0 ? withToken : reachedBuilds(candidates, reach, (build) => tokenTrust(build) === 'run');
}

function reachedBuilds(
  { byNumber, byJobId, byOwnNumber }: CloseCandidates,
  { run }: Reach,
  isMeant: (build: Build) => boolean,
): readonly Build[] {
  const reached = (builds: readonly Build[], byJobId: boolean): readonly Build[] =>
    builds.filter(
      (build) =>
        build.imported === undefined && isMeant(build) && (run === undefined || isOfRun(build, run, { byJobId })),
    );
  const lists = [
    reached(byNumber, false).filter((build) => !hasClaimedNumber(build)),
    reached(byNumber, false),
    reached(byJobId, true),
    reached(byOwnNumber, false),
  ];
  return lists.find((list) => list.length > 0) ?? [];
}

/**
 * Why a build is to be closed now; undefined: it is not. A late job's close keeps the reason of the close before: its
 * timer does not make a build time out that its CI closed, and its arrival does not make an incomplete build complete
 * (rules 12 and 13).
 */
export function closeReason({ due, result }: Build, now: Timestamp): ClosedBy | undefined {
  const asked = findTask(due, 'close');
  if (asked !== undefined) return asked.by === 'job' ? (result?.closedBy ?? 'job') : asked.by;
  if (isDue(findTask(due, 'deadline'), now)) return result?.closedBy ?? 'deadline';
  return isDue(findTask(due, 'revisit'), now) ? result?.closedBy : undefined;
}

function isDue(task: DueTask | undefined, now: Timestamp): boolean {
  return task !== undefined && task.at <= now;
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
    due: dueAfterClose(build.due, { revisitAt, backfill, at: result.closedAt }),
    target,
    openedContexts,
    result,
    attempts: undefined,
    baseForgotten: undefined,
    missingBases,
  };
}

function dueAfterClose(
  before: readonly DueTask[],
  after: { readonly revisitAt: Timestamp | undefined; readonly backfill: boolean; readonly at: Timestamp },
): readonly DueTask[] {
  const { revisitAt, backfill, at } = after;
  const left = withoutTasks(before, 'close', 'deadline', 'revisit', 'post-pending');
  const due = withTask(left, revisitAt === undefined ? undefined : { kind: 'revisit', at: revisitAt });
  return backfill && findTask(due, 'backfill') === undefined ? withTask(due, { kind: 'backfill', at }) : due;
}

/** What a close knows of the build that it merged, to be written over one that moved on in the meantime. */
export interface BehindClose {
  readonly merged: Pick<Build, 'due' | 'carryforward'>;
  /** Milliseconds that late jobs wait (rule 12). */
  readonly late: number;
}

/**
 * The build after a close was written without the jobs that came in the meantime: they are late jobs (rule 12), for
 * which it is closed again. What was asked for in the meantime stays due. Otherwise a steady stream of uploads would
 * put the close off forever.
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
  const { due, carryforward } = behind.merged;
  const asked = findTask(build.due, 'close');
  const askedSince = !isSame(asked, findTask(due, 'close')) || !isSame(build.carryforward, carryforward);
  const closed = markClosed(build, result, openedContexts, target, after);
  const left = withTask(withoutTasks(closed.due, 'revisit'), { kind: 'deadline', at: at + behind.late });
  return { ...closed, state: 'open', due: askedSince ? withTask(left, asked) : left };
}

/** What each further job changes, and pending statuses do not say. */
const OF_JOBS: ReadonlySet<string> = new Set<keyof Build>([
  'revision',
  'jobs',
  'lastJobAt',
  'expectedJobs',
  'warnings',
  'jobWarnings',
  'diff',
  'rulesFile',
]);

/** Whether a build took at most further jobs since it was `seen`, which stated nothing that it did not say before. */
export function tookOnlyJobs(seen: Build, build: Build): boolean {
  const plain = ({ due, ...rest }: Build): object => ({ ...rest, due: withoutTasks(due, 'deadline') });
  const [before, after] = [new Map(Object.entries(plain(seen))), new Map(Object.entries(plain(build)))];
  const names = [...new Set([...before.keys(), ...after.keys()])];
  return names.every((name) => OF_JOBS.has(name) || isSame(before.get(name), after.get(name)));
}

/** The build after its pending statuses were written (rule 23). */
export function markPending(
  build: Build,
  opening: { readonly target: string | undefined; readonly openedContexts: readonly OpenedContext[] },
): Build {
  return {
    ...build,
    revision: build.revision + 1,
    due: withoutTasks(build.due, 'post-pending'),
    target: opening.target,
    openedContexts: opening.openedContexts,
  };
}
