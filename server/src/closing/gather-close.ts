import { baseBranchesOf } from '../core/builds/base-branches.ts';
import type { Build, ExpectedJobs } from '../core/builds/build.ts';
import { countedJobs } from '../core/builds/counted-jobs.ts';
import { flagsOf, type Job } from '../core/builds/job.ts';
import { awaitsUploads } from '../core/builds/lacked-uploads.ts';
import { saysSameFiles } from '../core/builds/list-rules.ts';
import { RECENT_BUILDS } from '../core/builds/missing-flags.ts';
import type { Repo } from '../core/repo/repo.ts';
import type { Deadline } from '../hosts/facts/deadline.ts';
import type { RefreshRepo } from '../hosts/facts/refresh-repo.ts';
import type { Clock } from '../platform/clock.ts';
import type { Store } from '../storage/store.ts';
import type { Announcing } from '../wording/plan.ts';
import { type AnnouncingDeps, announcingFor } from './announcing.ts';
import type { BaseChoice, ChooseBase, ChosenBase } from './choose-base.ts';
import type { ChooseFlagBases, FlagBases } from './choose-flag-bases.ts';
import type { GatheredRules, GatherRules, ProposeRules } from './gather-rules.ts';
import type { MergeBuild, MergedBuild, RefusedMerge } from './merge-build.ts';
import type { PrepareBuild } from './prepare-build.ts';

export interface GatherDeps extends AnnouncingDeps {
  readonly store: Pick<Store, 'builds' | 'jobs' | 'repos'>;
  readonly clock: Clock;
  readonly refreshRepo: RefreshRepo;
  readonly prepareBuild: PrepareBuild;
  readonly chooseBase: ChooseBase;
  readonly chooseFlagBases: ChooseFlagBases;
  readonly mergeBuild: MergeBuild;
  readonly gatherRules: GatherRules;
  readonly proposeRules: ProposeRules;
}

/** All that a close is decided by. */
export interface GatheredClose {
  /** With the settings that are in force: those of the repo's own file go before its own. */
  readonly repo: Repo;
  readonly rules: GatheredRules['rules'];
  /** With what its provider says of it; its `revision` is the one that was merged. */
  readonly build: Build;
  /** Those that count (rule 10). */
  readonly jobs: readonly Job[];
  readonly choice: BaseChoice;
  readonly flagBases: FlagBases['bases'];
  readonly merged: MergedBuild | RefusedMerge;
  /** Recent closed builds of the base branch, newest first (rule 13). */
  readonly recent: readonly Build[];
  readonly announcing: Announcing;
  /** The provider did not say something that the base depends on: it may say it later. */
  readonly baseUncertain: boolean;
  /** Why the provider denied us access, a sentence; undefined: it did not. */
  readonly refusal: string | undefined;
}

/** The repo's file asks for more uploads than the build has so far. */
export interface AwaitedUploads {
  readonly build: Build;
  /** Undefined: a flag alone lacks some. */
  readonly uploads: ExpectedJobs | undefined;
}

/** Asks provider, store and threads all that the close of a build needs; undefined: build or repo was removed. */
export type GatherClose = (build: Build, deadline: Deadline) => Promise<GatheredClose | AwaitedUploads | undefined>;

export function createGatherClose(deps: GatherDeps): GatherClose {
  const {
    store,
    clock,
    refreshRepo,
    prepareBuild,
    chooseBase,
    chooseFlagBases,
    mergeBuild,
    gatherRules,
    proposeRules,
  } = deps;
  return async (stored, deadline) => {
    const known = await store.repos.find(stored.repoId);
    if (known === undefined) return undefined;
    const refreshed = await refreshRepo({ repo: known, deadline });
    const prepared = await prepareBuild({ build: stored, repo: refreshed.repo, deadline });
    const { build } = prepared;
    const gathered = await gatherRules({ build, repo: refreshed.repo, deadline });
    const { repo, parts, choice: fileChoice } = gathered;
    const jobs = countedJobs(await store.jobs.ofBuild(build.id));
    const { uploads } = gathered.rules.rules;
    if (awaitsUploads(build, { rules: gathered.rules.rules, jobs, at: clock.now() }))
      return { build, uploads: uploads === undefined ? undefined : { jobs: uploads, arrived: jobs.length } };
    const flags = flagsOf(jobs);
    const choice = await chooseBase({ build, repo, flags, deadline });
    const ofFlags = await chooseFlagBases({ build, repo, base: choice.base, flags, deadline });
    const { carry } = gathered.rules.rules;
    const merged = await mergeBuild({
      build,
      repo,
      jobs,
      base: choice.base,
      parts,
      choice: fileChoice,
      baseChoice: saysSameFiles(gathered.rules.judged, choice.base?.build.result?.rules) ? undefined : fileChoice,
      carry,
      deadline,
    });
    const mayChange = !('obstacle' in merged) && merged.mayChangeRules;
    const proposal = mayChange ? await proposeRules({ build, repo, gathered, deadline }) : undefined;
    return {
      repo,
      rules: withProposal(gathered.rules, proposal),
      build,
      jobs,
      choice,
      flagBases: ofFlags.bases,
      merged,
      recent: await recentBuilds(deps, { build, repo, base: choice.base }),
      announcing: await announcingFor(deps, { repo, build }),
      baseUncertain:
        [refreshed, choice, ofFlags, gathered].some((one) => one.unavailable) || build.facts?.complete === false,
      refusal:
        ('obstacle' in merged ? undefined : merged.refusal) ??
        [ofFlags, choice, prepared, refreshed, gathered].map((one) => one.refusal).find((one) => one !== undefined),
    };
  };
}

function withProposal(
  rules: GatheredRules['rules'],
  proposal: Awaited<ReturnType<ProposeRules>>,
): GatheredClose['rules'] {
  if (proposal === undefined) return rules;
  const { rules: proposed, ...shown } = proposal;
  return { ...rules, judged: { ...rules.judged, proposal: shown }, ...(proposed && { proposed }) };
}

/** Rule 13: the last closed builds of the base branch. */
async function recentBuilds(
  { store }: GatherDeps,
  place: { readonly build: Build; readonly repo: Repo; readonly base: ChosenBase | undefined },
): Promise<readonly Build[]> {
  const { build, repo, base } = place;
  const before = build.pullRequest === undefined ? build.sequence : undefined;
  const branches = base?.pick.branch === undefined ? baseBranchesOf(build, repo) : [base.pick.branch];
  for (const branch of branches) {
    const closed = await store.builds.closed({ repoId: repo.id, scope: { branch }, before, limit: RECENT_BUILDS });
    if (closed.length > 0) return closed;
  }
  return [];
}
