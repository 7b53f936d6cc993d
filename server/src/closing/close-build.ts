import { planClose, toStatusOwner } from '../domain/announce/plan.ts';
import type { Build, BuildResult } from '../domain/builds/build.ts';
import { closeReason } from '../domain/builds/close-due.ts';
import { concludeBuild } from '../domain/builds/conclude-build.ts';
import { countedJobs } from '../domain/builds/counted-jobs.ts';
import { flagsOf } from '../domain/builds/job.ts';
import { RECENT_BUILDS } from '../domain/builds/missing-flags.ts';
import { changesAsBase, markProvisional, planProvisional } from '../domain/builds/provisional.ts';
import { isDecidedByChanges, planUnknownChanges } from '../domain/builds/unknown-changes.ts';
import type { Repo } from '../domain/repo/repo.ts';
import { createDeadline, type Deadline } from '../facts/deadline.ts';
import type { ReportBytes } from '../ports/report-bytes.ts';
import { type BaseChoice, baseBranchesOf, type ChosenBase } from './choose-base.ts';
import type { MergeBuild } from './merge-build.ts';
import { type AnnouncingDeps, announcingFor, FACTS_LIMIT } from './post-pending.ts';

export interface CloseBuildDeps extends AnnouncingDeps {
  readonly mergeBuild: MergeBuild;
  /** Milliseconds that a late job waits for others (rule 12). */
  readonly latePeriod: number;
}

/**
 * Merges and closes a build whose close is due (rules 10 to 19). Answers the build as it is then; undefined: it is
 * gone.
 */
export type CloseBuild = (buildId: number) => Promise<Build | undefined>;

/**
 * A job that arrives while a close is being worked out moves the revision on; then it is worked out again with that
 * job, but not for ever: after so many times what was merged is written, and what came meanwhile counts as late.
 */
const MAX_CONFLICTS = 3;

/** Milliseconds. */
const LONGEST_SECOND_LOOK = 60_000;

export function createCloseBuild(deps: CloseBuildDeps): CloseBuild {
  const { store, clock, timers, prepareBuild, refreshRepo } = deps;
  return async (buildId) => {
    // One for all attempts: the provider may be slow, and each conflict would wait for it again.
    const deadline = createDeadline(timers, FACTS_LIMIT);
    for (let conflicts = 0; ; conflicts += 1) {
      const build = await store.builds.find(buildId);
      const repo = build && (await store.repos.find(build.repoId));
      if (build === undefined || repo === undefined) return undefined;
      if (closeReason(build, clock.now()) === undefined) return build;
      const seen = await refreshRepo({ repo, deadline });
      const prepared = await prepareBuild({ build, repo: seen.repo, deadline });
      const closed = await tryToClose(deps, prepared, { ...seen, deadline, mayStayBehind: conflicts >= MAX_CONFLICTS });
      if (closed !== undefined) return recheckBase(deps, closed, { repo: seen.repo, deadline });
    }
  };
}

interface Attempt {
  readonly repo: Repo;
  /** The provider did not say which its default branch is. */
  readonly unavailable: boolean;
  readonly deadline: Deadline;
  readonly mayStayBehind: boolean;
}

async function tryToClose(deps: CloseBuildDeps, build: Build, attempt: Attempt): Promise<Build | undefined> {
  const { store, clock, latePeriod } = deps;
  const { repo, mayStayBehind } = attempt;
  const { result, report, choice } = await workOut(deps, build, attempt);
  const provisional = planProvisional(result, clock.now(), attempt.deadline.refusal() !== undefined);
  const announcing = await announcingFor(deps, { repo, build });
  const plan = planClose(build, result, { ...announcing, holdBack: provisional.holdBack });
  return store.builds.close({
    buildId: build.id,
    revision: build.revision,
    behind: mayStayBehind ? { merged: build, late: latePeriod } : undefined,
    result,
    report,
    target: build.target,
    openedContexts: plan.openedContexts,
    messages: plan.messages,
    statusOwner: toStatusOwner(build),
    after: {
      revisitAt: provisional.revisitAt ?? planUnknownChanges(result.changesUnknownSince, clock.now()),
      missingBases: choice.missingBases.length === 0 ? undefined : choice.missingBases,
      backfill: changesAsBase(build, result),
    },
    at: clock.now(),
  });
}

interface WorkedOut {
  readonly result: BuildResult;
  readonly report: ReportBytes;
  readonly choice: BaseChoice;
}

async function workOut(
  deps: CloseBuildDeps,
  build: Build,
  { repo, unavailable, deadline }: Attempt,
): Promise<WorkedOut> {
  const { store, clock, chooseBase, mergeBuild } = deps;
  const jobs = countedJobs(await store.jobs.ofBuild(build.id));
  const choice = await chooseBase({ build, repo, flags: flagsOf(jobs), deadline });
  const { base } = choice;
  const { report, lacks, ...merged } = await mergeBuild({ build, repo, jobs, base, deadline });
  const at = clock.now();
  const concluded = concludeBuild({
    ...merged,
    build,
    settings: repo.settings,
    closedBy: closeReason(build, at) ?? 'job',
    at,
    jobs,
    base,
    excludedBase: choice.excluded,
    recent: await recentBuilds(deps, { build, repo, base }),
    refusal: deadline.refusal(),
  });
  const changesDecide = lacks.changes && isDecidedByChanges(repo.settings, jobs.length);
  const isProvisional =
    unavailable || build.facts?.complete === false || choice.unavailable || changesDecide || lacks.carried;
  const changesUnknownSince = lacks.changes || lacks.marks ? (build.result?.changesUnknownSince ?? at) : undefined;
  const result = isProvisional ? markProvisional(concluded, build.result, at) : concluded;
  return { result: changesUnknownSince === undefined ? result : { ...result, changesUnknownSince }, report, choice };
}

/** Rule 20: a base that was closed while this build was is not missed. */
async function recheckBase(
  { store, clock, chooseBase }: CloseBuildDeps,
  closed: Build,
  { repo, deadline }: Pick<Attempt, 'repo' | 'deadline'>,
): Promise<Build> {
  const looksAnyway = closed.revisitAt !== undefined && closed.result?.provisionalSince !== undefined;
  if (closed.state === 'open' || looksAnyway) return closed;
  // By the flags that decided at the close: by others another build of the commit would be better, and so for ever.
  const flags = (closed.result?.flags ?? []).filter(({ kind }) => kind === 'uploaded').map(({ name }) => name);
  const { base } = await chooseBase({ build: closed, repo, flags, deadline });
  const taken = closed.result?.base;
  if (base?.pick.buildId === taken?.buildId && base?.pick.closeCount === taken?.closeCount) return closed;
  // Sooner the fewer closes there were: should two choices ever disagree for good, they do so seldom.
  const pause = Math.min(2 ** (closed.result?.closeCount ?? 0), LONGEST_SECOND_LOOK);
  const revision = { kind: 'revisit', at: clock.now() + pause } as const;
  return (await store.builds.revise({ buildId: closed.id, revision })) ?? closed;
}

/** Rule 13: the last closed builds of the base branch. */
async function recentBuilds(
  deps: CloseBuildDeps,
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
