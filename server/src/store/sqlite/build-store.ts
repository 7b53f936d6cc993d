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
import type { BuildClosing, BuildStore, CloseRequest, PendingPost, RerunRequest } from '../../ports/build-store.ts';
import { closeAsMerged, mayStayBehind } from '../close-steps.ts';
import { isRetriedBy, tryAnew } from '../delivery-steps.ts';
import { createBaseQuestions } from './base-questions.ts';
import { createBuildHistory } from './build-history.ts';
import { createBuildPages } from './build-pages.ts';
import type { BuildRows } from './build-rows.ts';
import { type Candidates, createCandidates } from './candidates.ts';
import type { Connection } from './connection.ts';
import type { NextId } from './counters.ts';
import type { DeliveryRows } from './delivery-rows.ts';
import { createDueBuilds } from './due-builds.ts';
import type { RepoRows } from './repo-rows.ts';

interface Rows {
  readonly repos: RepoRows;
  readonly builds: BuildRows;
  readonly deliveries: DeliveryRows;
  readonly nextId: NextId;
}

/** Builds, in SQLite. */
export function createBuildStore(connection: Connection, rows: Rows): BuildStore {
  const { prepare, read, write } = connection;
  const { builds } = rows;
  const candidates = createCandidates(connection);
  // After a failure a build is put off; who asks for it does not wait for that.
  const bringForward = prepare('UPDATE builds SET not_before = NULL WHERE id = ?');
  const report = prepare('SELECT report FROM build_reports WHERE build_id = ?');
  const putReport = prepare('INSERT OR REPLACE INTO build_reports (build_id, report) VALUES (?, ?)');

  return {
    ...createBuildHistory(connection),
    ...createBaseQuestions(connection),
    ...createBuildPages(connection),
    ...createDueBuilds(connection),
    find: async (buildId) => read(() => builds.find(buildId)),
    report: async (buildId) => read(() => report.get(buildId)?.report as Uint8Array | undefined),
    requestClose: async (request) =>
      write(() => {
        const build = findMeant(candidates, request);
        if (build === undefined) return undefined;
        const { carryforward, at } = request;
        const asked = requestClose(build, { carryforward, at, nameless: request.buildNumber === undefined });
        if (asked !== build) builds.update(build, asked);
        bringForward.run(asked.id);
        return asked;
      }),
    requestRerun: async (request) =>
      write(() => {
        const build = rerun(rows, candidates, request);
        if (build !== undefined) bringForward.run(build.id);
        return build;
      }),
    openEmpty: async ({ repoId, facts, because, carryforward, quiet, at }) =>
      write(() => {
        if (rows.repos.find(repoId) === undefined) return undefined;
        const joined = findBuild(facts, candidates.toJoin(repoId, facts), { now: at, quiet });
        if (joined !== undefined) return joined;
        const place = { id: rows.nextId('build'), repoId, sequence: rows.repos.nextSequence(repoId), at };
        const build = openEmptyBuild(facts, place, { because, carryforward });
        builds.insert(build);
        return build;
      }),
    revise: async ({ buildId, revision }) =>
      write(() => {
        const build = builds.find(buildId);
        if (build === undefined) return undefined;
        const revised = reviseBuild(build, revision);
        if (revised !== build) builds.update(build, revised);
        return revised;
      }),
    open: async (opening) => write(() => change(rows, opening, (build) => markPending(build, opening))),
    close: async (closing) =>
      write(() => {
        const closed = change(rows, closing, (build) => closeAsMerged(build, closing));
        if (closed !== undefined) putReport.run(closed.id, closing.report);
        return closed;
      }),
  };
}

/** The build that a close request means (domain findNamedClose and findNamelessClose). */
function findMeant(candidates: Candidates, { repoId, buildNumber, at }: CloseRequest): Build | undefined {
  if (buildNumber !== undefined) return findNamedClose(candidates.toClose(repoId, buildNumber));
  const { open, closed } = candidates.toCloseNameless(repoId, at);
  return findNamelessClose(open, closed, at);
}

/** Domain requestRerun, and another try for what was given up of the build's announcements. */
function rerun({ builds, deliveries }: Rows, candidates: Candidates, request: RerunRequest): Build | undefined {
  const { repoId, buildNumber, at } = request;
  const build = findNamedRerun(candidates.toClose(repoId, buildNumber));
  const due = build && requestRerun(build, at);
  if (build === undefined || due === undefined || due === build) return build;
  builds.update(build, due);
  for (const record of deliveries.ofBuild(due)) if (isRetriedBy(record, due)) deliveries.update(tryAnew(record, at));
  return due;
}

/** Changes a build with what there is to announce, unless it has moved on since it was read (rules 14 and 27). */
function change(rows: Rows, what: PendingPost | BuildClosing, next: (build: Build) => Build): Build | undefined {
  const build = rows.builds.find(what.buildId);
  const repo = build && rows.repos.find(build.repoId);
  if (build === undefined || repo === undefined) return undefined;
  if (build.revision !== what.revision && !mayStayBehind(build, what)) return undefined;
  const changed = next(build);
  rows.builds.update(build, changed);
  rows.deliveries.announce(repo, what);
  return changed;
}
