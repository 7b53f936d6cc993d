import { planClose, toSpeaker } from '../domain/announce/plan.ts';
import { reportedFlags } from '../domain/build/base-build.ts';
import type { Build, BuildResult, CarriedPick } from '../domain/build/build.ts';
import { flagsToCarry } from '../domain/build/carryforward.ts';
import { closeReason } from '../domain/build/close-due.ts';
import { concludeBuild } from '../domain/build/conclude-build.ts';
import { countedJobs } from '../domain/build/counted-jobs.ts';
import { flagsOf, type Job } from '../domain/build/job.ts';
import { isDecidedByChanges, planLackingChanges } from '../domain/build/lacking-changes.ts';
import { RECENT_BUILDS } from '../domain/build/missing-flags.ts';
import { changesAsBase, markProvisional, planProvisional } from '../domain/build/provisional.ts';
import type { Diff } from '../domain/diff/file-diff.ts';
import type { Repo } from '../domain/repo/repo.ts';
import type { ReportBytes } from '../ports/report-bytes.ts';
import type { EncodedComposed, EncodedComposition, ReportEngine } from '../ports/report-engine.ts';
import type { Answer } from './ask-provider.ts';
import { type BaseChoice, baseBranchesOf, type ChosenBase } from './choose-base.ts';
import type { ChooseCarried } from './choose-carried.ts';
import type { DiffCarried } from './diff-carried.ts';
import { type DiffSince, diffOf, type FindDiffs } from './find-diffs.ts';
import type { FindShownText } from './find-shown-text.ts';
import { type AnnouncingDeps, announcingFor, FACTS_LIMIT } from './open-build.ts';
import { createPatience, type Patience } from './patience.ts';
import type { SplitFlags } from './split-flags.ts';

export interface FinishBuildDeps extends AnnouncingDeps {
  readonly chooseCarried: ChooseCarried;
  readonly diffCarried: DiffCarried;
  readonly diffSince: DiffSince;
  readonly findDiffs: FindDiffs;
  readonly splitFlags: SplitFlags;
  readonly findShownText: FindShownText;
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

/** Milliseconds. */
const LONGEST_SECOND_LOOK = 60_000;

export function createFinishBuild(deps: FinishBuildDeps): FinishBuild {
  const { store, clock, prepareBuild, seeRepo } = deps;
  return async (buildId) => {
    // One for all attempts: the provider may be slow, and each conflict would wait for it again.
    const patience = createPatience(FACTS_LIMIT);
    for (let conflicts = 0; ; conflicts += 1) {
      const build = await store.builds.find(buildId);
      const repo = build && (await store.repos.find(build.repoId));
      if (build === undefined || repo === undefined) return undefined;
      if (closeReason(build, clock.now()) === undefined) return build;
      const seen = await seeRepo({ repo, patience });
      const prepared = await prepareBuild({ build, repo: seen.repo, patience });
      const closed = await tryToClose(deps, prepared, { ...seen, patience, mayStayBehind: conflicts >= MAX_CONFLICTS });
      if (closed !== undefined) return lookAgain(deps, closed, { repo: seen.repo, patience });
    }
  };
}

interface Attempt {
  readonly repo: Repo;
  /** The provider did not say which its default branch is. */
  readonly lacking: boolean;
  readonly patience: Patience;
  readonly mayStayBehind: boolean;
}

async function tryToClose(deps: FinishBuildDeps, build: Build, attempt: Attempt): Promise<Build | undefined> {
  const { store, clock, latePeriod } = deps;
  const { repo, mayStayBehind } = attempt;
  const { result, report, choice } = await workOut(deps, build, attempt);
  const provisional = planProvisional(result, clock.now());
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
    speaker: toSpeaker(build),
    after: {
      revisitAt: provisional.revisitAt ?? planLackingChanges(result.changesLackSince, clock.now()),
      wants: choice.wants.length === 0 ? undefined : choice.wants,
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

async function workOut(deps: FinishBuildDeps, build: Build, { repo, lacking, patience }: Attempt): Promise<WorkedOut> {
  const { store, clock, chooseBase, splitFlags } = deps;
  const jobs = countedJobs(await store.jobs.ofBuild(build.id));
  const choice = await chooseBase({ build, repo, flags: flagsOf(jobs), patience });
  const { base } = choice;
  const merged = await mergeBuild(deps, { build, repo, jobs, base, patience });
  const { composed, carried, notFound } = merged;
  const { flags } = composed;
  const flagSplits = await splitFlags({ settings: repo.settings, flags, base, jobs: merged.jobs, diff: merged.diff });
  const at = clock.now();
  const concluded = concludeBuild({
    build,
    settings: repo.settings,
    closedBy: closeReason(build, at) ?? 'job',
    at,
    jobs,
    composed,
    base,
    excludedBase: choice.excluded,
    carried,
    notFound,
    recent: await recentBuilds(deps, { build, repo, base }),
    flagSplits,
  });
  const changesDecide = merged.changesLack && isDecidedByChanges(repo.settings, jobs.length);
  const isProvisional = lacking || build.facts?.complete === false || choice.lacking || changesDecide || merged.carriedLacks;
  const changesLackSince = merged.changesLack || merged.marksLack ? (build.result?.changesLackSince ?? at) : undefined;
  const result = isProvisional ? markProvisional(concluded, build.result, at) : concluded;
  const { report } = merged;
  return { result: changesLackSince === undefined ? result : { ...result, changesLackSince }, report, choice };
}

interface MergedBuild {
  /** What was merged, but for what was carried. */
  readonly jobs: EncodedComposition['jobs'];
  readonly report: ReportBytes;
  readonly composed: Omit<EncodedComposed, 'report'>;
  readonly carried: readonly CarriedPick[];
  /** Flags that were to be carried and that no build holds (rule 16). */
  readonly notFound: readonly string[];
  /** What changed since the base, where it is known. */
  readonly diff: Diff | undefined;
  /** Nobody told that yet. */
  readonly changesLack: boolean;
  /** The provider did not tell how the text to mark differs from the tested one. */
  readonly marksLack: boolean;
  /** The provider did not tell what changed since a build that a flag is carried from. */
  readonly carriedLacks: boolean;
}

/** The jobs that count and the flags to carry, merged, and compared with the base (rules 6 to 8, 15 and 16). */
async function mergeBuild(
  { store, chooseCarried, diffCarried, diffSince, findDiffs, findShownText, engine }: FinishBuildDeps,
  {
    build,
    repo,
    jobs,
    base,
    patience,
  }: Pick<Attempt, 'repo' | 'patience'> & {
    readonly build: Build;
    readonly jobs: readonly Job[];
    readonly base: ChosenBase | undefined;
  },
): Promise<MergedBuild> {
  const wanted = flagsToCarry(build.carryforward, base ? reportedFlags(base.build) : [], flagsOf(jobs));
  const { carried, notFound } = await chooseCarried({ build, repo, flags: wanted });
  const reports = await store.jobs.reports(jobs.map((job) => job.id));
  const encoded = jobs.map((job, index) => ({ flag: job.facts.flag, report: reports[index] as ReportBytes }));
  const diffs = await findDiffs({ build, repo, base, patience });
  const answers: Answer<Diff>[] = [];
  const filled = await diffCarried({
    repoId: repo.id,
    jobs: encoded,
    carried,
    providerDiffOf: async (origin) => {
      const answer = await diffSince({ build, repo, origin, patience });
      answers.push(answer);
      return diffOf(answer);
    },
  });
  // Last: no verdict waits for it.
  const shownText = await findShownText({ build, repo, patience });
  const baseReport = base && (await store.builds.report(base.build.id));
  const known = { base: diffs.base, patch: diffs.patch, patchSource: diffs.patchSource, shown: diffOf(shownText) };
  const { report, ...composed } = await engine.compose({ jobs: encoded, carried: filled, base: baseReport, diffs: known });
  return {
    jobs: encoded,
    report,
    composed,
    carried: carried.map((one) => one.pick),
    notFound,
    diff: diffs.base,
    changesLack: diffs.lacking,
    marksLack: shownText.kind === 'lacking',
    carriedLacks: answers.some(({ kind }) => kind === 'lacking'),
  };
}

/** Rule 20: a base that was closed while this build was is not missed. */
async function lookAgain(
  { store, clock, chooseBase }: FinishBuildDeps,
  closed: Build,
  { repo, patience }: Pick<Attempt, 'repo' | 'patience'>,
): Promise<Build> {
  const looksAnyway = closed.revisitAt !== undefined && closed.result?.provisionalSince !== undefined;
  if (closed.state === 'open' || looksAnyway) return closed;
  // By the flags that decided at the close: by others another build of the commit would be better, and so for ever.
  const flags = (closed.result?.flags ?? []).filter(({ kind }) => kind === 'uploaded').map(({ name }) => name);
  const { base } = await chooseBase({ build: closed, repo, flags, patience });
  const taken = closed.result?.base;
  if (base?.pick.buildId === taken?.buildId && base?.pick.closeCount === taken?.closeCount) return closed;
  // Sooner the fewer closes there were: should two choices ever disagree for good, they do so seldom.
  const pause = Math.min(2 ** (closed.result?.closeCount ?? 0), LONGEST_SECOND_LOOK);
  const revision = { kind: 'revisit', at: clock.now() + pause } as const;
  return (await store.builds.revise({ buildId: closed.id, revision })) ?? closed;
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
