import { toStatusOwner } from '../core/announce/status-owner.ts';
import { reportedFlags } from '../core/builds/base-build.ts';
import type { Build } from '../core/builds/build.ts';
import { countedJobs } from '../core/builds/counted-jobs.ts';
import { flagsOf } from '../core/builds/job.ts';
import { createDeadline } from '../hosts/facts/deadline.ts';
import { refreshRepo } from '../hosts/facts/refresh-repo.ts';
import type { Services } from '../services/services.ts';
import type { PendingPost } from '../storage/build-store.ts';
import { type AnnouncementPlan, planOpening, planTrouble } from '../wording/plan.ts';
import { announcingFor } from './announcing.ts';
import { chooseBase } from './choose-base.ts';
import { gatherRules } from './gather-rules.ts';
import { prepareBuild } from './prepare-build.ts';

/** How long facts of the provider may hold a build up, in ms (rules.md "Base build", last paragraph). */
export const FACTS_LIMIT = 3_000;

/** Rule 23: pending statuses for a build and the flags of its base. Undefined: it moved on, and is tried again. */
export async function postPending(services: Services, claimed: Build): Promise<Build | undefined> {
  const stored = await services.repos.find(claimed.repoId);
  if (stored === undefined) return undefined;
  const deadline = createDeadline(services.timers, FACTS_LIMIT);
  const refreshed = await refreshRepo(services, { repo: stored, deadline });
  const { build } = await prepareBuild(services, { build: claimed, repo: refreshed.repo, deadline });
  const { repo, rules } = await gatherRules(services, { build, repo: refreshed.repo, deadline });
  // By the flags that have come, as at its close: of several builds of one commit another might be its base.
  const reported = flagsOf(await services.jobs.ofBuild(build.id));
  const { base } = await chooseBase(services, { build, repo, flags: reported, deadline });
  const announcing = await announcingFor(services, { repo, build });
  const plan = planOpening(build, base ? reportedFlags(base.build) : [], { ...announcing, reported });
  // What was answered and not stored is no change of the build.
  const seen = build.revision === claimed.revision ? claimed : build;
  const written = await write(services, build, { ...plan, seen });
  const { uploads } = rules.rules;
  return written === undefined || uploads === undefined ? written : expectUploads(services, written, uploads);
}

/** Uploads that may come in between, each of which is counted. */
const MAX_CONFLICTS = 10;

/** From here on its last upload closes it. */
async function expectUploads(
  { builds, jobs, clock }: Pick<Services, 'builds' | 'jobs' | 'clock'>,
  posted: Build,
  uploads: number,
): Promise<Build | undefined> {
  let build: Build | undefined = posted;
  for (let conflicts = 0; conflicts <= MAX_CONFLICTS; conflicts += 1) {
    if (build === undefined || build.result !== undefined || (build.expectedJobs?.jobs ?? 0) >= uploads) return build;
    const arrived = countedJobs(await jobs.ofBuild(build.id)).length;
    const stated = { jobs: uploads, arrived };
    const revision = { kind: 'expects-uploads', seen: build.revision, uploads: stated, at: clock.now() } as const;
    build = await builds.revise({ buildId: build.id, revision });
  }
  return build;
}

/** Ends a build's statuses in `error` while it cannot be closed; its next close replaces that. */
export async function reportTrouble(services: Services, buildId: number): Promise<void> {
  const build = await services.builds.find(buildId);
  const repo = build && (await services.repos.find(build.repoId));
  if (build === undefined || repo === undefined) return;
  const announcing = await announcingFor(services, { repo, build });
  const known = { ...build, target: build.target ?? build.commit };
  await write(services, known, planTrouble(known, announcing), build);
}

function write(
  { builds, clock }: Pick<Services, 'builds' | 'clock'>,
  build: Build,
  { messages, openedContexts, seen }: AnnouncementPlan & Pick<PendingPost, 'seen'>,
  owner: Build = build,
): Promise<Build | undefined> {
  return builds.postPending({
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
