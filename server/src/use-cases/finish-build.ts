import { planClose, toSpeaker } from '../domain/announce/plan.ts';
import { reportedFlags } from '../domain/build/base-build.ts';
import type { Build, BuildResult } from '../domain/build/build.ts';
import { flagsToCarry } from '../domain/build/carryforward.ts';
import { closeReason } from '../domain/build/close-due.ts';
import { concludeBuild } from '../domain/build/conclude-build.ts';
import { countedJobs } from '../domain/build/counted-jobs.ts';
import { RECENT_BUILDS } from '../domain/build/missing-flags.ts';
import type { Repo } from '../domain/repo/repo.ts';
import type { ReportEngine } from '../ports/report-engine.ts';
import type { ReportBytes } from '../ports/store.ts';
import { baseBranchesOf, type ChosenBase } from './choose-base.ts';
import type { ChooseCarried } from './choose-carried.ts';
import { type AnnouncingDeps, announcingOf } from './open-build.ts';

export interface FinishBuildDeps extends AnnouncingDeps {
  readonly chooseCarried: ChooseCarried;
  readonly engine: ReportEngine;
  /** Milliseconds that a late job waits for others (rule 12). */
  readonly latePeriod: number;
}

/** Merges and closes a build whose close is due (rules 10 to 19). Answers the build as it is then; undefined: it is gone. */
export type FinishBuild = (buildId: number) => Promise<Build | undefined>;

/**
 * A job that arrives while a close is being worked out moves the revision on; then it is worked out again with that job, but not for ever: after so
 * many times what was merged is written, and what came meanwhile counts as late.
 */
const MAX_CONFLICTS = 3;

export function createFinishBuild(deps: FinishBuildDeps): FinishBuild {
  const { store, clock, resolveTarget } = deps;
  return async (buildId) => {
    let target: string | undefined;
    for (let conflicts = 0; ; conflicts += 1) {
      const build = await store.builds.find(buildId);
      const repo = build && (await store.repos.find(build.repoId));
      if (build === undefined || repo === undefined) return undefined;
      if (closeReason(build, clock.now()) === undefined) return build;
      // Asked once: the provider may be slow, and each conflict would wait for it again.
      target ??= await resolveTarget(build, repo);
      const closed = await tryToClose(deps, { ...build, target }, { repo, mayStayBehind: conflicts >= MAX_CONFLICTS });
      if (closed !== undefined) return closed;
    }
  };
}

async function tryToClose(
  deps: FinishBuildDeps,
  build: Build,
  { repo, mayStayBehind }: { readonly repo: Repo; readonly mayStayBehind: boolean },
): Promise<Build | undefined> {
  const { store, clock, latePeriod } = deps;
  const { result, report } = await workOut(deps, build, repo);
  const plan = planClose(build, result, announcingOf(deps, repo));
  return store.builds.close({
    buildId: build.id,
    revision: build.revision,
    behind: mayStayBehind ? { merged: build, late: latePeriod } : undefined,
    result,
    report,
    target: build.target,
    openedContexts: plan.openedContexts,
    messages: plan.messages,
    speaker: toSpeaker(build),
    at: clock.now(),
  });
}

async function workOut(
  deps: FinishBuildDeps,
  build: Build,
  repo: Repo,
): Promise<{ readonly result: BuildResult; readonly report: ReportBytes }> {
  const { store, clock, chooseBase, chooseCarried, engine } = deps;
  const jobs = countedJobs(await store.jobs.ofBuild(build.id));
  const uploaded = [...new Set(jobs.map((job) => job.facts.flag).filter((flag) => flag !== undefined))];
  const base = await chooseBase({ build, repo, flags: uploaded });
  const wanted = flagsToCarry(build.carryforward, base ? reportedFlags(base.build) : [], uploaded);
  const { carried, notFound } = await chooseCarried({ build, repo, flags: wanted });
  const reports = await store.jobs.reports(jobs.map((job) => job.id));
  const { report, ...composed } = await engine.compose({
    jobs: jobs.map((job, index) => ({ flag: job.facts.flag, report: reports[index] as ReportBytes })),
    carried: carried.map((one) => ({ flag: one.pick.flag, reports: one.reports })),
    base: base && (await store.builds.report(base.build.id)),
  });
  const at = clock.now();
  const result = concludeBuild({
    build,
    settings: repo.settings,
    closedBy: closeReason(build, at) ?? 'job',
    at,
    jobs,
    composed,
    base,
    carried: carried.map((one) => one.pick),
    notFound,
    recent: await recentBuilds(deps, { build, repo, base }),
  });
  return { result, report };
}

/** Rule 13: the last closed builds of the base branch. */
async function recentBuilds(
  deps: FinishBuildDeps,
  place: { readonly build: Build; readonly repo: Repo; readonly base: ChosenBase | undefined },
): Promise<readonly Build[]> {
  const { build, repo, base } = place;
  const before = build.pullRequest === undefined ? build.sequence : undefined;
  const branches = base?.pick.branch === undefined ? baseBranchesOf(build, repo) : [base.pick.branch];
  for (const branch of branches) {
    const closed = await deps.store.builds.closed({ repoId: repo.id, scope: { branch }, before, limit: RECENT_BUILDS });
    if (closed.length > 0) return closed;
  }
  return [];
}
