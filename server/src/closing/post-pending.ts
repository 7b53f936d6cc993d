import { toStatusOwner } from '../core/announce/status-owner.ts';
import { reportedFlags } from '../core/builds/base-build.ts';
import type { Build } from '../core/builds/build.ts';
import { countedJobs } from '../core/builds/counted-jobs.ts';
import { flagsOf } from '../core/builds/job.ts';
import { createDeadline } from '../hosts/facts/deadline.ts';
import type { RefreshRepo } from '../hosts/facts/refresh-repo.ts';
import type { Clock } from '../platform/clock.ts';
import type { Timers } from '../platform/timers.ts';
import type { PendingPost } from '../storage/build-store.ts';
import type { Store } from '../storage/store.ts';
import { type AnnouncementPlan, planOpening, planTrouble } from '../wording/plan.ts';
import { type AnnouncingDeps, announcingFor } from './announcing.ts';
import type { ChooseBase } from './choose-base.ts';
import type { GatherRules } from './gather-rules.ts';
import type { PrepareBuild } from './prepare-build.ts';

/** How long facts of the provider may hold a build up, in ms (rules.md "Base build", last paragraph). */
export const FACTS_LIMIT = 3_000;

export interface PostPendingDeps extends AnnouncingDeps {
  readonly store: Pick<Store, 'builds' | 'jobs' | 'repos'>;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly chooseBase: ChooseBase;
  readonly prepareBuild: PrepareBuild;
  readonly refreshRepo: RefreshRepo;
  readonly gatherRules: GatherRules;
}

/** Rule 23: pending statuses for a build and the flags of its base. Undefined: it moved on, and is tried again. */
export type PostPending = (build: Build) => Promise<Build | undefined>;

export function createPostPending(deps: PostPendingDeps): PostPending {
  const { store, timers, chooseBase, prepareBuild, refreshRepo, gatherRules } = deps;
  return async (claimed) => {
    const stored = await store.repos.find(claimed.repoId);
    if (stored === undefined) return undefined;
    const deadline = createDeadline(timers, FACTS_LIMIT);
    const refreshed = await refreshRepo({ repo: stored, deadline });
    const { build } = await prepareBuild({ build: claimed, repo: refreshed.repo, deadline });
    const { repo, rules } = await gatherRules({ build, repo: refreshed.repo, deadline });
    // By the flags that have come, as at its close: of several builds of one commit another might be its base.
    const reported = flagsOf(await store.jobs.ofBuild(build.id));
    const { base } = await chooseBase({ build, repo, flags: reported, deadline });
    const announcing = await announcingFor(deps, { repo, build });
    const plan = planOpening(build, base ? reportedFlags(base.build) : [], { ...announcing, reported });
    // What was answered and not stored is no change of the build.
    const seen = build.revision === claimed.revision ? claimed : build;
    const written = await write(deps, build, { ...plan, seen });
    const { uploads } = rules.rules;
    return written === undefined || uploads === undefined ? written : expectUploads(deps, written, uploads);
  };
}

/** Uploads that may come in between, each of which is counted. */
const MAX_CONFLICTS = 10;

/** From here on its last upload closes it. */
async function expectUploads(
  { store, clock }: Pick<PostPendingDeps, 'store' | 'clock'>,
  posted: Build,
  uploads: number,
): Promise<Build | undefined> {
  let build: Build | undefined = posted;
  for (let conflicts = 0; conflicts <= MAX_CONFLICTS; conflicts += 1) {
    if (build === undefined || build.result !== undefined || (build.expectedJobs?.jobs ?? 0) >= uploads) return build;
    const arrived = countedJobs(await store.jobs.ofBuild(build.id)).length;
    const stated = { jobs: uploads, arrived };
    const revision = { kind: 'expects-uploads', seen: build.revision, uploads: stated, at: clock.now() } as const;
    build = await store.builds.revise({ buildId: build.id, revision });
  }
  return build;
}

/** Ends a build's statuses in `error` while it cannot be closed; its next close replaces that. */
export type ReportTrouble = (buildId: number) => Promise<void>;

export function createReportTrouble(deps: AnnouncingDeps & Pick<PostPendingDeps, 'store' | 'clock'>): ReportTrouble {
  return async (buildId) => {
    const build = await deps.store.builds.find(buildId);
    const repo = build && (await deps.store.repos.find(build.repoId));
    if (build === undefined || repo === undefined) return;
    const announcing = await announcingFor(deps, { repo, build });
    const known = { ...build, target: build.target ?? build.commit };
    await write(deps, known, planTrouble(known, announcing), build);
  };
}

function write(
  { store, clock }: Pick<PostPendingDeps, 'store' | 'clock'>,
  build: Build,
  { messages, openedContexts, seen }: AnnouncementPlan & Pick<PendingPost, 'seen'>,
  owner: Build = build,
): Promise<Build | undefined> {
  return store.builds.postPending({
    buildId: build.id,
    revision: build.revision,
    seen,
    target: build.target,
    openedContexts,
    messages,
    statusOwner: toStatusOwner(owner),
    at: clock.now(),
  });
}
