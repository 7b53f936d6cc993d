import { openEmptyBuild } from '../../domain/builds/accept-job.ts';
import type { Build } from '../../domain/builds/build.ts';
import {
  findNamedClose,
  findNamedRerun,
  findNamelessClose,
  markPending,
  requestClose,
  requestRerun,
} from '../../domain/builds/close-due.ts';
import { findBuild } from '../../domain/builds/find-build.ts';
import { reviseBuild } from '../../domain/builds/revise-build.ts';
import type { BuildClosing, BuildStore, CloseRequest, PendingPost } from '../../ports/build-store.ts';
import type { ReportBytes } from '../../ports/report-bytes.ts';
import { closeAsMerged, mayStayBehind } from '../close-steps.ts';
import { CONFLICT, untilUncontended } from './attempts.ts';
import { createBaseQuestions } from './base-questions.ts';
import { createBuildHistory } from './build-history.ts';
import { createBuildPages } from './build-pages.ts';
import type { BuildRows } from './build-rows.ts';
import type { ReportParts } from './bytes.ts';
import { type Candidates, createCandidates } from './candidates.ts';
import type { Connection } from './connection.ts';
import type { Owed, StoredBytes } from './documents.ts';
import { createDueBuilds } from './due-builds.ts';
import { groupOf, type Openings } from './openings.ts';
import type { Owing } from './owing.ts';
import type { RepoRows } from './repo-rows.ts';
import type { TakeTurns } from './turns.ts';

interface Deps {
  readonly repos: RepoRows;
  readonly builds: BuildRows;
  readonly reports: ReportParts;
  readonly owing: Owing;
  readonly openings: Openings;
  readonly takeTurns: TakeTurns;
}

/** Builds, in MongoDB. */
export function createBuildStore(connection: Connection, deps: Deps): BuildStore {
  const { builds } = deps;
  const candidates = createCandidates(connection);
  return {
    ...createBuildHistory(connection),
    ...createBaseQuestions(connection),
    ...createBuildPages(connection),
    ...createDueBuilds(connection, deps.takeTurns),
    ...createAsking(deps, candidates),
    find: (buildId) => builds.find(buildId),
    report: (buildId) => readReport(deps, buildId),
    openEmpty: (opening) => openEmpty(deps, candidates, opening),
    revise: ({ buildId, revision }) =>
      untilUncontended(async () => {
        const build = await builds.find(buildId);
        if (build === undefined) return undefined;
        const revised = reviseBuild(build, revision);
        return revised === build || (await builds.update(build, revised)) ? revised : CONFLICT;
      }),
    open: (opening) => change(deps, opening, { next: (build) => markPending(build, opening) }),
    close: (closing) => close(deps, closing),
  };
}

/** As a job opens its build (openings.ts), but without one. */
function openEmpty(
  { repos, builds, openings }: Deps,
  candidates: Candidates,
  opening: Parameters<BuildStore['openEmpty']>[0],
): Promise<Build | undefined> {
  const { repoId, facts, because, carryforward, quiet, at } = opening;
  const group = groupOf(facts);
  return untilUncontended(async () => {
    const top = group === undefined ? undefined : await openings.findTop(repoId, group);
    const joined = findBuild(facts, await candidates.toJoin(repoId, facts), { now: at, quiet });
    if (joined !== undefined) return joined;
    if ((await repos.find(repoId)) === undefined) return undefined;
    const place = await openings.take({ repoId, group, top });
    if (place === undefined) return CONFLICT;
    const build = openEmptyBuild(facts, { ...place, repoId, at }, { because, carryforward });
    return (await builds.begin(build, {})) ? build : CONFLICT;
  });
}

/** Closes and reruns that are asked for: read, decided and written on condition, until nothing came in between. */
function createAsking(
  { builds, owing }: Deps,
  candidates: Candidates,
): Pick<BuildStore, 'requestClose' | 'requestRerun'> {
  return {
    requestClose: (request) =>
      untilUncontended(async () => {
        const build = await findMeant(candidates, request);
        if (build === undefined) return undefined;
        const { carryforward, at } = request;
        const asked = requestClose(build, { carryforward, at, nameless: request.buildNumber === undefined });
        if (asked !== build) return (await builds.update(build, asked, { broughtForward: true })) ? asked : CONFLICT;
        await builds.bringForward(build.id);
        return build;
      }),
    requestRerun: ({ repoId, buildNumber, at }) =>
      untilUncontended(async () => {
        const build = findNamedRerun(await candidates.toClose(repoId, buildNumber));
        const due = build && requestRerun(build, at);
        if (build === undefined || due === undefined) return undefined;
        if (due === build) {
          await builds.bringForward(build.id);
          return build;
        }
        const { id, target, pullRequest, revision } = due;
        const owed: Owed = { stamp: revision, at, retry: { id, repoId, target, pullRequest } };
        if (!(await builds.update(build, due, { owed, broughtForward: true }))) return CONFLICT;
        await owing.settle(id).catch(() => undefined);
        return due;
      }),
  };
}

/** The build that a close request deps (domain findNamedClose and findNamelessClose). */
async function findMeant(
  candidates: Candidates,
  { repoId, buildNumber, at }: CloseRequest,
): Promise<Build | undefined> {
  if (buildNumber !== undefined) return findNamedClose(await candidates.toClose(repoId, buildNumber));
  const { open, closed } = await candidates.toCloseNameless(repoId, at);
  return findNamelessClose(open, closed, at);
}

/** The merged report. Another close may put a newer one in its place while it is read. */
async function readReport({ builds, reports }: Deps, buildId: number): Promise<ReportBytes | undefined> {
  const stored = await builds.findReport(buildId);
  if (stored === undefined) return undefined;
  try {
    return await reports.read(stored, `The report of build ${buildId}`);
  } catch (error) {
    const now = await builds.findReport(buildId);
    if (now?.id === stored.id) throw error;
    return now && reports.read(now, `The report of build ${buildId}`);
  }
}

async function close(deps: Deps, closing: BuildClosing): Promise<Build | undefined> {
  const { builds, reports } = deps;
  const { buildId, report, behind } = closing;
  const current = await builds.find(buildId);
  if (current === undefined || (behind === undefined && current.revision !== closing.revision)) return undefined;
  const stored = await reports.write(report, { repoId: current.repoId, owner: { kind: 'build', id: buildId } });
  const closed = await change(deps, closing, {
    next: (build) => closeAsMerged(build, closing),
    report: stored,
  });
  // What cannot be removed now is swept later.
  if (closed === undefined) await reports.remove(stored).catch(() => undefined);
  return closed;
}

/**
 * Changes a build with what there is to announce, unless it has moved on since it was read (rules 14 and 27). What it
 * has to say is in the same write; bringing it to its places may fail: whoever comes next does it.
 */
async function change(
  { repos, builds, owing }: Deps,
  what: PendingPost | BuildClosing,
  { next, report }: { readonly next: (build: Build) => Build; readonly report?: StoredBytes },
): Promise<Build | undefined> {
  const { buildId, revision, messages, statusOwner, at } = what;
  return untilUncontended(async () => {
    const build = await builds.find(buildId);
    const repo = build && (await repos.find(build.repoId));
    if (build === undefined || repo === undefined) return undefined;
    if (build.revision !== revision && !mayStayBehind(build, what)) return undefined;
    const unused = report && (await builds.findReport(buildId));
    const changed = next(build);
    const owed: Owed = {
      stamp: changed.revision,
      at,
      ...(messages.length === 0 ? {} : { announce: { messages, statusOwner } }),
      ...(unused === undefined ? {} : { unused }),
    };
    const owes = messages.length > 0 || unused !== undefined;
    const more = { ...(owes ? { owed } : {}), ...(report === undefined ? {} : { report }) };
    if (!(await builds.update(build, changed, more))) return CONFLICT;
    if (owes) await owing.settle(buildId).catch(() => undefined);
    return changed;
  });
}
