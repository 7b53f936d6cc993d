import type { Links } from '../domain/announce/links.ts';
import { planOpening, planTrouble, toSpeaker } from '../domain/announce/plan.ts';
import { reportedFlags } from '../domain/build/base-build.ts';
import type { Build } from '../domain/build/build.ts';
import type { Repo } from '../domain/repo/repo.ts';
import type { Clock } from '../ports/clock.ts';
import type { Store } from '../ports/store.ts';
import type { ChooseBase } from './choose-base.ts';
import type { ResolveTarget } from './resolve-target.ts';

/** What announcing needs, for openings and closes alike. */
export interface AnnouncingDeps {
  readonly store: Pick<Store, 'builds' | 'jobs' | 'repos'>;
  readonly clock: Clock;
  readonly chooseBase: ChooseBase;
  readonly resolveTarget: ResolveTarget;
  readonly hasProvider: (repo: Repo) => boolean;
  readonly contextWord: string;
  readonly linksOf: (repo: Repo) => Links;
}

/** Rule 23: pending statuses for a build and the flags of its base. False when the build moved on meanwhile: to be tried again. */
export type OpenBuild = (build: Build) => Promise<boolean>;

export function createOpenBuild(deps: AnnouncingDeps): OpenBuild {
  const { store, clock, chooseBase, resolveTarget } = deps;
  return async (build) => {
    const repo = await store.repos.find(build.repoId);
    if (repo === undefined) return true;
    const target = await resolveTarget(build, repo);
    const base = await chooseBase({ build: { ...build, target }, repo, flags: [] });
    const plan = planOpening({ ...build, target }, base ? reportedFlags(base.build) : [], announcingOf(deps, repo));
    const opened = await store.builds.open({
      buildId: build.id,
      revision: build.revision,
      target,
      openedContexts: plan.openedContexts,
      messages: plan.messages,
      speaker: toSpeaker(build),
      at: clock.now(),
    });
    return opened !== undefined;
  };
}

/** Tells the commit that a build cannot be settled for now; its next close replaces that. */
export type ReportTrouble = (buildId: number) => Promise<void>;

export function createReportTrouble(deps: Omit<AnnouncingDeps, 'chooseBase' | 'resolveTarget'>): ReportTrouble {
  const { store, clock } = deps;
  return async (buildId) => {
    const build = await store.builds.find(buildId);
    const repo = build && (await store.repos.find(build.repoId));
    if (build === undefined || repo === undefined) return;
    const known = { ...build, target: build.target ?? build.commit };
    const plan = planTrouble(known, announcingOf(deps, repo));
    await store.builds.open({
      buildId,
      revision: build.revision,
      target: known.target,
      openedContexts: plan.openedContexts,
      messages: plan.messages,
      speaker: toSpeaker(build),
      at: clock.now(),
    });
  };
}

/** The repo's part of a plan's input. */
export function announcingOf(
  deps: Pick<AnnouncingDeps, 'contextWord' | 'hasProvider' | 'linksOf'>,
  repo: Repo,
): Parameters<typeof planOpening>[2] {
  return {
    repo: {
      id: repo.id,
      sendBuildStatus: repo.settings.sendBuildStatus,
      commentOnPullRequests: repo.settings.commentOnPullRequests,
    },
    contextWord: deps.contextWord,
    links: deps.linksOf(repo),
    hasProvider: deps.hasProvider(repo),
  };
}
