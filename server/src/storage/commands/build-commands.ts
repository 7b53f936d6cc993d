import { openEmptyBuild } from '../../core/builds/accept-job.ts';
import type { Build } from '../../core/builds/build.ts';
import {
  closeBehind,
  findNamedClose,
  findNamedRerun,
  findNamelessClose,
  markClosed,
  markPending,
  requestClose,
  requestRerun,
  tookOnlyJobs,
} from '../../core/builds/close-due.ts';
import { findBuild } from '../../core/builds/find-build.ts';
import { reviseBuild } from '../../core/builds/revise-build.ts';
import type { BuildClosing, BuildStore, CloseRequest, PendingPost } from '../build-store.ts';
import type { Candidates, CommandPrimitives } from './primitives.ts';
import { CONFLICT, retryOnConflict } from './retry-on-conflict.ts';

export type BuildCommands = Pick<
  BuildStore,
  'openEmpty' | 'requestClose' | 'requestRerun' | 'revise' | 'postPending' | 'close'
>;

/** What workers ask: builds in which something is due. */
export type DueBuilds = Pick<BuildStore, 'claimDue' | 'release' | 'nextDueAt'>;

/** The queries for builds. */
export type BuildQueries = Omit<BuildStore, keyof BuildCommands | keyof DueBuilds | 'remove'>;

/** The commands about builds: candidates are read, core decides, one write carries it out. */
export function createBuildCommands<Upload, Report>(store: CommandPrimitives<Upload, Report>): BuildCommands {
  const { candidates, findBuild: find, update, bringForward } = store;
  return {
    openEmpty: (opening) => retryOnConflict(() => tryToOpenEmpty(store, opening)),
    requestClose: (request) =>
      retryOnConflict(async () => {
        const build = await findMeant(candidates, request);
        if (build === undefined) return undefined;
        const { carryforward, at } = request;
        const due = requestClose(build, { carryforward, at, nameless: request.buildNumber === undefined });
        if (due !== build) return (await update(build, due, { bringForward: true }))?.build ?? CONFLICT;
        await bringForward(build.id);
        return build;
      }),
    requestRerun: ({ repoId, buildNumber, vouchedRun, at }) =>
      retryOnConflict(async () => {
        const build = findNamedRerun(await candidates.toClose(repoId, buildNumber), { run: vouchedRun });
        if (build === undefined) return undefined;
        const due = requestRerun(build, at);
        const effects = { bringForward: true, retryAnnouncements: at };
        if (due !== build) return (await update(build, due, effects))?.build ?? CONFLICT;
        await bringForward(build.id);
        return build;
      }),
    revise: ({ buildId, revision }, audit) =>
      retryOnConflict(async () => {
        const build = await find(buildId);
        const revised = build && reviseBuild(build, revision);
        if (build === undefined || revised === undefined || revised === build) return build;
        return (await update(build, revised, { audit }))?.build ?? CONFLICT;
      }),
    postPending: (post) => writeUnlessMoved(store, post, (build) => markPending(build, post)),
    close: (closing) => close(store, closing),
  };
}

/** As a job opens its build (accept-job.ts), but without one. */
async function tryToOpenEmpty<Upload, Report>(
  store: CommandPrimitives<Upload, Report>,
  { repoId, facts, because, carryforward, quiet, at }: Parameters<BuildStore['openEmpty']>[0],
): Promise<Build | undefined | typeof CONFLICT> {
  const opening = await store.prepareOpening(repoId, facts);
  // It does not meet other clients' builds, whose jobs this close may not be about.
  const alone = { ...facts, parallel: false };
  const joined = findBuild(alone, await store.candidates.toJoin(repoId, alone), { now: at, quiet });
  if (joined !== undefined) return joined;
  if (!(await store.hasRepo(repoId))) return undefined;
  const begun = await opening.begin((place) => openEmptyBuild(facts, { ...place, at }, { because, carryforward }));
  return begun?.build ?? CONFLICT;
}

/** The build that a close request means (domain findNamedClose and findNamelessClose). */
async function findMeant(
  candidates: Candidates,
  { repoId, buildNumber, vouchedRun, unverified = false, at }: CloseRequest,
): Promise<Build | undefined> {
  if (buildNumber !== undefined)
    return findNamedClose(await candidates.toClose(repoId, buildNumber), { run: vouchedRun, unverified });
  if (unverified) return undefined;
  const { open, closed } = await candidates.toCloseNameless(repoId, at);
  return findNamelessClose(open, closed, at);
}

async function close<Upload, Report>(
  store: CommandPrimitives<Upload, Report>,
  closing: BuildClosing,
): Promise<Build | undefined> {
  const current = await store.findBuild(closing.buildId);
  if (current === undefined || hasMoved(current, closing)) return undefined;
  // Before the loop: if the report were written between a read and its write, a stream of uploads could always win.
  const report = closing.report && (await store.stageReport(current, closing.report));
  const closed = await writeUnlessMoved(store, closing, (build) => closeAsMerged(build, closing), report);
  if (closed === undefined && report !== undefined) await store.discardReport(report);
  return closed;
}

/** Changes a build and announces it, unless it has moved on since it was read (rules 14 and 27). */
function writeUnlessMoved<Upload, Report>(
  store: CommandPrimitives<Upload, Report>,
  post: PendingPost | BuildClosing,
  next: (build: Build) => Build,
  report?: Report,
): Promise<Build | undefined> {
  const { messages, statusOwner, at } = post;
  return retryOnConflict(async () => {
    const build = await store.findBuild(post.buildId);
    if (build === undefined || hasMoved(build, post) || !(await store.hasRepo(build.repoId))) return undefined;
    const ledger = 'ledger' in post ? post.ledger : undefined;
    const announce = { messages, statusOwner, at };
    const written = await store.update(build, next(build), { announce, report, ledger });
    return written?.build ?? CONFLICT;
  });
}

/**
 * Pending statuses may stay behind further jobs: each new try would look for the base again, and be late again. A close
 * may stay behind, unless the build was closed in the meantime, with more merged than here.
 */
function hasMoved(build: Build, post: PendingPost | BuildClosing): boolean {
  if (build.revision === post.revision) return false;
  if ('seen' in post && post.seen !== undefined) return !tookOnlyJobs(post.seen, build);
  const mayStayBehind = 'result' in post && post.behind !== undefined;
  return !mayStayBehind || (build.result?.closeCount ?? 0) >= post.result.closeCount;
}

/** The build with a close written: of what was merged, or behind what came since. */
function closeAsMerged(build: Build, closing: BuildClosing): Build {
  const { result, openedContexts, target, behind, after, at, revision } = closing;
  return behind === undefined || build.revision === revision
    ? markClosed(build, result, openedContexts, target, after)
    : closeBehind(build, { result, openedContexts, target, behind, after, at });
}
