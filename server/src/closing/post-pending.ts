import { checkName } from '../domain/announce/annotations.ts';
import { distinctContexts, hadFormerNames } from '../domain/announce/contexts.ts';
import type { Links } from '../domain/announce/links.ts';
import { type Announcing, planOpening, planTrouble, toStatusOwner } from '../domain/announce/plan.ts';
import { serverStatusNames } from '../domain/announce/status-names.ts';
import { reportedFlags } from '../domain/builds/base-build.ts';
import type { Build, OpenedContext } from '../domain/builds/build.ts';
import { flagsOf } from '../domain/builds/job.ts';
import type { Repo } from '../domain/repo/repo.ts';
import { createDeadline } from '../facts/deadline.ts';
import type { RefreshRepo } from '../facts/refresh-repo.ts';
import type { Clock } from '../ports/clock.ts';
import type { Store } from '../ports/store.ts';
import type { Timers } from '../ports/timers.ts';
import type { ChooseBase } from './choose-base.ts';
import type { PrepareBuild } from './prepare-build.ts';

/** How long facts of the provider may hold a build up, in ms (rules.md "Base build", last paragraph). */
export const FACTS_LIMIT = 3_000;

/** What announcing needs, for openings and closes alike. */
export interface AnnouncingDeps {
  readonly store: Pick<Store, 'builds' | 'jobs' | 'repos'>;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly chooseBase: ChooseBase;
  readonly prepareBuild: PrepareBuild;
  readonly refreshRepo: RefreshRepo;
  readonly hasProvider: (repo: Repo) => boolean;
  /** Whether this server can make check runs there. */
  readonly canAnnotate: (repo: Repo) => boolean;
  readonly contextWord: string;
  readonly linksOf: (repo: Repo) => Links;
}

/**
 * Rule 23: pending statuses for a build and the flags of its base. False when the build moved on meanwhile: to be tried
 * again.
 */
export type PostPending = (build: Build) => Promise<boolean>;

export function createPostPending(deps: AnnouncingDeps): PostPending {
  const { store, clock, timers, chooseBase, prepareBuild, refreshRepo } = deps;
  return async (claimed) => {
    const stored = await store.repos.find(claimed.repoId);
    if (stored === undefined) return true;
    const deadline = createDeadline(timers, FACTS_LIMIT);
    const { repo } = await refreshRepo({ repo: stored, deadline });
    const build = await prepareBuild({ build: claimed, repo, deadline });
    const { target } = build;
    // By the flags that have come, as at its close: of several builds of one commit another might be its base.
    const flags = flagsOf(await store.jobs.ofBuild(build.id));
    const { base } = await chooseBase({ build, repo, flags, deadline });
    const plan = planOpening(build, base ? reportedFlags(base.build) : [], {
      ...(await announcingFor(deps, { repo, build })),
      reported: flags,
    });
    const opened = await store.builds.open({
      buildId: build.id,
      revision: build.revision,
      target,
      openedContexts: plan.openedContexts,
      messages: plan.messages,
      statusOwner: toStatusOwner(build),
      at: clock.now(),
    });
    return opened !== undefined;
  };
}

/** Tells the commit that a build cannot be settled for now; its next close replaces that. */
export type ReportTrouble = (buildId: number) => Promise<void>;

export function createReportTrouble(
  deps: Omit<AnnouncingDeps, 'chooseBase' | 'prepareBuild' | 'refreshRepo'>,
): ReportTrouble {
  const { store, clock } = deps;
  return async (buildId) => {
    const build = await store.builds.find(buildId);
    const repo = build && (await store.repos.find(build.repoId));
    if (build === undefined || repo === undefined) return;
    const known = { ...build, target: build.target ?? build.commit };
    const plan = planTrouble(known, await announcingFor(deps, { repo, build }));
    await store.builds.open({
      buildId,
      revision: build.revision,
      target: known.target,
      openedContexts: plan.openedContexts,
      messages: plan.messages,
      statusOwner: toStatusOwner(build),
      at: clock.now(),
    });
  };
}

type NamingDeps = Pick<AnnouncingDeps, 'contextWord' | 'hasProvider' | 'canAnnotate' | 'linksOf'>;

/**
 * A plan's input for one build. Where its contexts were renamed while its pull request was open, the former names are
 * in it too; for a merge queue's build whatever contexts its pull request has, since the queue waits for them.
 */
export async function announcingFor(
  deps: NamingDeps & { readonly store: Pick<Store, 'builds'> },
  { repo, build }: { readonly repo: Repo; readonly build: Build },
): Promise<Announcing> {
  const announcing = announcingOf(deps, repo);
  const { formerStatusNames } = repo.settings;
  if (build.pullRequest === undefined || (formerStatusNames.length === 0 && !build.mergeQueue)) return announcing;
  const recent = await deps.store.builds.ofPullRequest(repo.id, build.pullRequest, REMEMBERED);
  const inherited = build.mergeQueue ? contextsOfHead(recent.filter((one) => !one.mergeQueue)) : [];
  const formerNames = formerStatusNames.flatMap(({ names = serverStatusNames(deps.contextWord), at }) => {
    const renamed = { names: announcing.names, formerNames: names, at };
    return [build, ...recent].some((one) => hadFormerNames(one, renamed)) ? [names] : [];
  });
  return { ...announcing, inherited, formerNames };
}

/** What a pull request has at its newest head: several workflows may have opened contexts there. */
function contextsOfHead(builds: readonly Build[]): readonly OpenedContext[] {
  const target = builds[0]?.target;
  return distinctContexts(builds.filter((one) => one.target === target).flatMap((one) => one.openedContexts));
}

/** One of a pull request's newest builds tells of the ones before it: they had the former names as well. */
const REMEMBERED = 10;

/** The repo's part of it. */
function announcingOf(deps: NamingDeps, repo: Repo): Announcing {
  const { settings } = repo;
  return {
    repo: { ...settings, id: repo.id },
    names: settings.statusNames ?? serverStatusNames(deps.contextWord),
    formerNames: [],
    inherited: [],
    links: deps.linksOf(repo),
    check: deps.canAnnotate(repo) ? { name: checkName(deps.contextWord), wanted: settings.annotations } : undefined,
    hasProvider: deps.hasProvider(repo),
  };
}
